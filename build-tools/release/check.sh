#!/bin/sh
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# Builds a release a second time, elsewhere, and says whether it has the same bytes.
#
# usage: check.sh DIR [OPTION ...]
#   DIR      what release.sh made of this commit; OPTIONs are those it was given then
set -eu
tools=$(cd "$(dirname "$0")" && pwd)
first=$(cd "$1" && pwd)
shift
second=$(mktemp -d)
trap 'rm -rf "$second"' EXIT
sh "$tools/../release.sh" "$@" "$second"
list() { # DIR    names and sums of all but signatures
  (cd "$1" && find maven csd-target tool -type f ! -name '*.asc' ! -name '*.asc.*' \
    -exec sha256sum {} + | LC_ALL=C sort -k 2)
}
list "$first" >"$second/first"
list "$second" >"$second/second"
if ! diff "$second/first" "$second/second"; then
  echo "release: the files above differ" >&2
  exit 1
fi
echo "release: $(wc -l <"$second/first") files, the same bytes twice"
