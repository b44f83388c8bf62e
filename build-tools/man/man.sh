#!/bin/sh
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# Writes the man pages of ./offload, from what its commands say of themselves: DIR/man1/offload.1,
# offload-index.1 and so on. man -M DIR offload-index shows one.
#
# usage: man.sh DIR
#
# It takes what the build takes, and Maven Central the first time. Built twice, they are the same.
# MAVEN_ARGS are more arguments for Maven.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
fail() {
  echo "man: $1" >&2
  exit "${2:-1}"
}
[ $# -eq 1 ] || fail "usage: man.sh DIR" 2
mkdir -p "$1/man1"
out=$(cd "$1" && pwd)
jdk=$("$top/build-tools/find_jdk.sh" 21) || fail "no JDK of release 21 or later"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP

"$top/offload" --version >/dev/null # builds it
# shellcheck disable=SC2086 # a list
mvn -B -q ${MAVEN_ARGS:-} -f "$top/build-tools/man/pom.xml" dependency:copy-dependencies \
  "-DoutputDirectory=$work/lib" || fail "Maven does not fetch what makes the pages"
date=$(sed -n 's#.*<project.build.outputTimestamp>\(.*\)</.*#\1#p' "$top/pom.xml")
SOURCE_DATE_EPOCH=$(date -u -d "$date" +%s) "$jdk/bin/java" -XX:TieredStopAtLevel=1 \
  -cp "$top/cli/target/classes:$top/papers/target/classes:$top/papers/target/lib/*:$work/lib/*" \
  "$top/build-tools/man/ManPages.java" "$work/texts" "$out/man1" || fail "the pages are not made"
for page in "$out"/man1/*.1; do
  grep -q '^\.SH "NAME"' "$page" || fail "$page is no man page"
done
echo "man: $(ls "$out/man1" | wc -l) pages in $out/man1"
