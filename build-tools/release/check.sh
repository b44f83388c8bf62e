#!/bin/sh
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# Builds a release a second time, in a clone elsewhere, and says whether it has the same bytes.
#
# usage: check.sh [--cross] DIR [OPTION ...]
#   --cross  compiles the libraries of all machines again, too, by a compiler installed anew; then
#            --natives is none of the OPTIONs
#   DIR      what release.sh made of this commit; OPTIONs are those it was given then
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
jdk=$("$top/build-tools/find_jdk.sh" 21)
cross=no
[ "$1" != --cross ] || { cross=yes && shift; }
first=$(cd "$1" && pwd)
shift
second=$(mktemp -d)
trap 'rm -rf "$second"' EXIT
trap 'exit 1' INT TERM HUP
tree=$second/elsewhere/tree
git clone -q "$top" "$tree"
git -C "$tree" checkout -q "$(git -C "$top" rev-parse HEAD)"
if [ "$cross" = yes ]; then
  CROSS_WORK=$second/cross sh "$tree/build-tools/cross_build.sh" "$second/natives"
  set -- --natives "$second/natives" "$@"
fi
sh "$tree/build-tools/release.sh" "$@" "$second"
list() { # DIR    names and sums of all but signatures, and of the libraries in the drop-in jar
  jar=$(ls "$1"/maven/org/luceneoffload/lucene-offload-all/*/lucene-offload-all-*[0-9].jar)
  rm -rf "$second/jar"
  mkdir "$second/jar"
  (cd "$second/jar" && "$jdk/bin/jar" -xf "$jar" org/luceneoffload/native)
  {
    (cd "$1" && find maven csd-target tool -type f ! -name '*.asc' ! -name '*.asc.*' \
      -exec sha256sum {} +)
    (cd "$second/jar/org/luceneoffload" && find native -type f -exec sha256sum {} +)
  } | LC_ALL=C sort -k 2
}
list "$first" >"$second/first"
list "$second" >"$second/second"
if ! diff "$second/first" "$second/second"; then
  echo "release: the files above differ" >&2
  exit 1
fi
grep ' native/' "$second/first"
echo "release: $(grep -vc ' native/' "$second/first") files, the same bytes twice"
