#!/bin/sh
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# Writes the indexes that a release leaves for the tests of later ones, into the tests' resources:
# once for each release, then to be committed and named in TestEarlierIndexes. It takes the classes
# that `mvn -B -DskipTests verify -Dcorpus.skip=true` compiled.
#
# usage: indexes.sh
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
jdk=$("$top/build-tools/find_jdk.sh" 21)
version=$(sed -n 's#.*<revision>\(.*\)</revision>.*#\1#p' "$top/pom.xml")
folder=$top/src-test/src/test/resources/existing
if ls "$folder/release-$version-"* >/dev/null 2>&1; then
  echo "indexes: those of $version are there already" >&2
  exit 1
fi
path=$top/lucene-offload/target/test-classes:$top/jni-bridge/target/test-classes
path=$path:$top/src-test/target/test-classes
cd "$top/src-test" # where the tests find csd-target
exec "$jdk/bin/java" --enable-native-access=ALL-UNNAMED -cp "$path:$top/papers/target/lib/*" \
  org.luceneoffload.existing.ReleasedIndexes "$version" "$folder"
