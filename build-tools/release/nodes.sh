#!/bin/sh
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# Tries each release's host with each release's storage node: an application that is compiled
# against one release asks csd-target of the other, and compares its answers with stock Lucene's.
#
# usage: nodes.sh RELEASE RELEASE...
#   RELEASE   what release.sh made, for this machine
# JAVA_HOME is the JDK, of release 21 or later; MAVEN_ARGS are more arguments for Maven.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
JAVA_HOME=$("$here/../find_jdk.sh" 21)
export JAVA_HOME
[ $# -gt 1 ] || {
  sed -n 's/^# usage: //p' "$0" >&2
  exit 2
}
work=$(mktemp -d)
node=
clean_up() {
  [ -z "$node" ] || kill "$node" 2>/dev/null || true
  rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 1' INT TERM HUP

start_node() { # PROGRAM    sets port
  rm -f "$work"/store*
  : >"$work/said"
  "$1" --store "$work/store" --capacity 1G --port 0 --log-level error >>"$work/said" 2>&1 &
  node=$!
  port=
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    port=$(sed -n 's/^csd-target: .* port \([0-9]*\).*/\1/p' "$work/said")
    [ -z "$port" ] || return 0
    sleep 1
  done
  cat "$work/said" >&2
  return 1
}

number=0
for release in "$@"; do
  number=$((number + 1))
  mkdir -p "$work/$number"
  cp -r "$here/consumer" "$work/$number/"
  version=$(ls "$release/maven/org/luceneoffload/lucene-offload-all")
  # shellcheck disable=SC2086 # a list
  mvn -B -q ${MAVEN_ARGS:-} -f "$work/$number/consumer/pom.xml" \
    "-Dmaven.repo.local=$work/$number/m2" \
    "-Dstaged=file://$(cd "$release" && pwd)/maven" "-Doffload.version=$version" compile
  tar -x -z -f "$release/csd-target/csd-target-$version-linux-$(uname -m).tar.gz" -C "$work/$number"
done
host=0
for release in "$@"; do
  host=$((host + 1))
  built=$work/$host/consumer/target
  number=0
  for other in "$@"; do
    number=$((number + 1))
    start_node "$(ls "$work/$number"/csd-target-*/csd-target)"
    said=$("$JAVA_HOME/bin/java" --enable-native-access=ALL-UNNAMED \
      -cp "$built/classes:$built/lib/*" Consumer "csd:127.0.0.1:$port,claim=empty")
    echo "host of $release, node of $other: $said"
    kill "$node"
    wait "$node" 2>/dev/null || true
    node=
  done
done
