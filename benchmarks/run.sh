#!/bin/sh
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# Builds the benchmarks and runs them with JMH. Arguments that start with -Doffload. are system
# properties (README.md lists them), all others are JMH's, such as
#   benchmarks/run.sh TopTenBenchmark -p shape=AND
#   benchmarks/run.sh -Doffload.index=DIR -Doffload.queries=FILE 'Count|Docs'
#   benchmarks/run.sh -l
#
#   OFFLOAD_JAVA_OPTS   options for the JVM, such as -Xmx8g
set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$here")
properties=
index=
list=
newline='
'
for argument in "$@"; do
  shift
  case $argument in
    -Doffload.index=*) index=given ;;
    -l | -lp | -lprof | -lrf | -h) list=yes ;;
  esac
  case $argument in
    -Doffload.*) properties="$properties$argument$newline" ;;
    *) set -- "$@" "$argument" ;;
  esac
done
jdk=$("$top/build-tools/find_jdk.sh" 21) || {
  echo "run.sh: no JDK of release 21 or later was found" >&2
  exit 1
}
# The demo makes the sample corpus and its index.
if [ -z "$index$list" ]; then
  "$top/offload" demo --json >/dev/null
fi
(cd "$top" && mvn -q -B -DskipTests -Dcorpus.skip=true package -pl benchmarks -am >&2)
IFS=$newline
set -f
# shellcheck disable=SC2086 # properties are lines; options are words, split below
set -- $properties -cp "$here/target/classes:$here/target/lib/*" org.openjdk.jmh.Main "$@"
unset IFS
# A forked JVM gets the same options. Lucene's own vector code needs the incubator module.
# shellcheck disable=SC2086 # OFFLOAD_JAVA_OPTS is a list
exec "$jdk/bin/java" --enable-native-access=ALL-UNNAMED --add-modules=jdk.incubator.vector \
  -Xmx2g ${OFFLOAD_JAVA_OPTS:-} "-Doffload.home=$top" "$@"
