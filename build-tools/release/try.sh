#!/bin/sh
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# Uses a release as an application does that knows only it and Maven Central: compiles and runs
# consumer with an empty local repository, by the one jar and by the BOM, and each example; prints
# how long that takes.
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
node=
clean_up() {
  [ -z "$node" ] || kill "$node"
  rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 1' INT TERM HUP
cp -r "$here/consumer" "$work/"
cp -r "$tools/../examples/src/main/java/." "$work/consumer/src/main/java/"
cd "$work/consumer"
tar -x -z -f "$staged"/../csd-target/csd-target-*-linux-"$(uname -m)".tar.gz

# Runs an example; its argument is a folder, or the storage node's address.
example() { # CLASS_PATH NAME ARGUMENT
  said=$("$JAVA_HOME/bin/java" --enable-native-access=ALL-UNNAMED -cp "$1" \
    "org.luceneoffload.examples.$2" "$3" 2>"$work/errors") && [ -n "$said" ] || {
    cat "$work/errors" >&2
    echo "release: the example $2 failed" >&2
    exit 1
  }
}

start_node() { # NAME    sets port
  : >"$1.node"
  csd-target-*/csd-target --store "$work/$1.store" --capacity 1G --port 0 --log-level error \
    >>"$1.node" &
  node=$!
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    port=$(sed -n 's/^csd-target: .* port \([0-9]*\).*/\1/p' "$1.node")
    [ -z "$port" ] || return 0
    sleep 1
  done
}

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
  start_node $pom
  number=0
  for file in src/main/java/org/luceneoffload/examples/[A-Z]*.java; do
    name=$(basename "$file" .java)
    argument=$work/$pom-$name
    [ "$name" != StorageNode ] || argument=127.0.0.1:$port
    mkdir -p "$work/$pom-$name"
    example "$classes:${classes%/classes}/lib/*" "$name" "$argument"
    number=$((number + 1))
  done
  kill "$node"
  node=
  echo "release: $pom: $number examples"
done
