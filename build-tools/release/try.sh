#!/bin/sh
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# Uses a release as an application does that knows only it and Maven Central: compiles and runs
# consumer with an empty local repository, by the one jar and by the BOM, and prints how long
# that takes.
#
# usage: try.sh DIR [LUCENE_VERSION]
#   DIR      what release.sh made
# JAVA_HOME is the JDK, of release 21 or later; MAVEN_ARGS are more arguments for Maven.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tools=$here/..
staged=$(cd "$1/maven" && pwd)
version=$(ls "$staged/org/luceneoffload/lucene-offload-all")
lucene=${2:+-Dlucene.version=$2}
JAVA_HOME=$("$tools/find_jdk.sh" 21)
export JAVA_HOME
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$here/consumer" "$work/"
cd "$work/consumer"
for pom in pom.xml with-bom.xml; do
  rm -rf target
  start=$(date +%s)
  # shellcheck disable=SC2086 # lists
  mvn -B -q ${MAVEN_ARGS:-} -f $pom "-Dmaven.repo.local=$work/repository" $lucene \
    "-Dstaged=file://$staged" "-Doffload.version=$version" "-Dplatform=linux-$(uname -m)" compile
  classes=$(find target -type d -name classes)
  "$JAVA_HOME/bin/java" --enable-native-access=ALL-UNNAMED \
    -cp "$classes:${classes%/classes}/lib/*" Consumer
  echo "release: $pom: $(($(date +%s) - start)) s"
done
