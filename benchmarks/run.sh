#!/bin/sh
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# Builds the benchmarks and runs them with JMH. Arguments are JMH's, such as
#   benchmarks/run.sh SearchBenchmark -p shape=AND
#   benchmarks/run.sh -l
set -eu
here=$(cd "$(dirname "$0")" && pwd)
jdk=$("$here/../build-tools/find_jdk.sh" 21) || {
  echo "run.sh: no JDK of release 21 or later was found" >&2
  exit 1
}
(cd "$here/.." && mvn -q -B -DskipTests package -pl benchmarks -am >&2)
exec "$jdk/bin/java" --enable-native-access=ALL-UNNAMED --add-modules jdk.incubator.vector \
  -cp "$here/target/classes:$here/target/lib/*" org.openjdk.jmh.Main "$@"
