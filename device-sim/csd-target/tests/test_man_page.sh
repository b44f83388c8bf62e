#!/bin/sh
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# Checks that the man page has every option that --help prints, and no other; and that the unit
# names no option that there is not.
#
# usage: test_man_page.sh CSD_TARGET PACKAGING
set -eu
target=$1
packaging=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

"$target" --help | grep -oE -e '--[a-z-]+[a-z]' | sort -u >"$folder/help"
sed -n 's/^\.It //p' "$packaging/csd-target.8" | grep -oE 'Fl -[a-z-]+' | sed 's/^Fl /-/' |
  sort -u >"$folder/page"
[ "$(wc -l <"$folder/help")" -gt 30 ] || {
  echo "--help prints too few options" >&2
  exit 1
}
diff "$folder/help" "$folder/page" >&2 || {
  echo "the man page (>) and --help (<) do not have the same options" >&2
  exit 1
}
grep -hE '^(ExecStart|ENTRYPOINT)' "$packaging/csd-target.service" "$packaging/Containerfile" |
  grep -oE -e '--[a-z-]+[a-z]' | sort -u >"$folder/used"
for id in $(sed -n 's/^LoadCredential=\([^:]*\):.*/\1/p' "$packaging/csd-target.service"); do
  grep -qx "SetCredential=$id:none" "$packaging/csd-target.service" || {
    echo "the unit does not start without $id" >&2
    exit 1
  }
done
grep -q -e '--store' "$folder/used" || {
  echo "the unit starts nothing" >&2
  exit 1
}
comm -23 "$folder/used" "$folder/help" >"$folder/unknown"
[ ! -s "$folder/unknown" ] || {
  echo "packaging names what is no option: $(cat "$folder/unknown")" >&2
  exit 1
}
