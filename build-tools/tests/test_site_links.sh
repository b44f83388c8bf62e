#!/bin/sh
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# check_links.py finds each kind of link that is wrong, and no other.
set -u
tools=$(cd "$(dirname "$0")/.." && pwd)
if ! command -v python3 >/dev/null 2>&1; then
  echo "skipped: links of the site: no python3"
  exit 0
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
faults=0

page() { # STATUS HTML
  printf '<p id="here">%s</p>\n' "$2" >"$folder/page.html"
  python3 "$tools/site/check_links.py" "$folder" >"$folder/said.log" 2>&1
  result=$?
  if [ "$result" -ne "$1" ]; then
    echo "test_site_links: $2: status $result, not $1" >&2
    cat "$folder/said.log" >&2
    faults=$((faults + 1))
  fi
}

mkdir "$folder/other"
echo '<h1 id="a-b">A b</h1>' >"$folder/other/index.html"
page 0 '<a href="#here">h</a> <a href="other/index.html#a-b">o</a> <a href="other">f</a>'
page 0 '<a href="https://example.org/x">elsewhere</a> <a href="mailto:x">m</a>'
page 1 '<a href="#there">t</a>'
page 1 '<a href="missing.html">m</a>'
page 1 '<a href="other/index.html#c">c</a>'
page 1 '<img src="missing.png">'
page 1 '<script src="https://example.org/x.js"></script>'
page 1 '<link rel="stylesheet" href="//example.org/x.css">'
[ "$faults" -eq 0 ] || exit 1
