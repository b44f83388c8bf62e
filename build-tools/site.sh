#!/bin/sh
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# Makes the site, of all pages of the project and its javadoc, and checks its links. It is read
# without a network: python3 -m http.server -d DIR serves it, with its search. Run by hand.
#
# usage: site.sh DIR      DIR must not exist, or be empty
#
# It takes a python3 with venv, and pip's registry; Maven makes the javadoc. Exit status: 0 it is
# there; 1 something is wrong with it; 2 wrong usage; 77 a tool is missing.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
fail() {
  echo "site: $1" >&2
  exit "${2:-1}"
}
[ $# -eq 1 ] || fail "usage: site.sh DIR" 2
mkdir -p "$1"
out=$(cd "$1" && pwd)
[ -z "$(ls -A "$out")" ] || fail "$out is not empty"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP

python3 -m venv "$work/venv" || fail "no python3 with venv (Debian's package python3-venv)" 77
"$work/venv/bin/pip" install --quiet --disable-pip-version-check --require-hashes \
  --only-binary :all: -r "$top/build-tools/site/requirements.txt" ||
  fail "pip does not install what requirements.txt names" 77

# Pages lie as in the project, so that links between them hold; then what else they lead to.
git -C "$top" ls-files '*.md' '*.cff' 'wire/vectors/good/*.vec' >"$work/files"
while IFS= read -r file; do
  mkdir -p "$work/tree/$(dirname "$file")"
  cp "$top/$file" "$work/tree/$file"
done <"$work/files"
(cd "$top" && mvn -B -q -DskipTests -pl lucene-offload compile javadoc:javadoc) >&2 ||
  fail "the javadoc is not made; see above"
cp -r "$top/lucene-offload/target/reports/apidocs" "$work/tree/javadoc"

cp "$top/build-tools/site/mkdocs.yml" "$work/"
"$work/venv/bin/mkdocs" --quiet build --config-file "$work/mkdocs.yml" --site-dir "$out" >&2 ||
  fail "the pages are not made; see above"
python3 "$top/build-tools/site/check_links.py" "$out" || fail "links lead nowhere; see above"
echo "site: $(find "$out" -name '*.html' | wc -l) pages in $out"
