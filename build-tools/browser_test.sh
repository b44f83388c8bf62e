#!/bin/sh
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# Serves an index with `offload explore` and drives its page in headless Chromium, then opens
# reports of `offload reproduce` and `offload what-if`. Needs Debian's chromium, and node and npm of
# release 18 or later, which gets two packages whose versions and hashes are in
# cli/src/test/browser; without them it is skipped with the reason.
#
# usage: browser_test.sh FOLDER CLASSPATH
#   FOLDER     for the packages, the index, reports, and screenshots; kept
#   CLASSPATH  of the tool with the papers, and its tests
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
. "$top/build-tools/optional.sh"
what="pages in a browser"
for tool in node npm chromium; do
  if ! have "$tool"; then
    skipped "$what" "no $tool"
    exit 0
  fi
done
if dry_run "$what" "node, chromium"; then
  exit 0
fi
folder=$1
classpath=$2
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
cp "$top"/cli/src/test/browser/*.json "$top"/cli/src/test/browser/*.mjs \
  "$top/cli/src/test/browser/.npmrc" "$top"/papers/src/test/browser/*.mjs "$folder"
if ! (cd "$folder" && npm ci >npm.log 2>&1); then
  skipped "$what" "npm cannot get the packages: $(tail -n 1 "$folder/npm.log")"
  exit 0
fi
java=$("$top/build-tools/find_jdk.sh" 21)/bin/java
rm -rf "$folder/index"
mkdir "$folder/index"
native=--enable-native-access=ALL-UNNAMED
index=$("$java" $native -cp "$classpath" org.luceneoffload.cli.explore.ExploreTestIndex \
  "$folder/index")
"$java" $native -cp "$classpath" org.luceneoffload.cli.OffloadCli explore --index "$index" \
  >"$folder/url" 2>"$folder/log" &
server=$!
trap 'kill "$server" 2>/dev/null || true; wait "$server" || true' EXIT
while [ ! -s "$folder/url" ]; do
  if ! kill -0 "$server" 2>/dev/null; then
    cat "$folder/log" >&2
    exit 1
  fi
  sleep 0.2
done
CHROMIUM=$(command -v chromium)
export CHROMIUM
node "$folder/explore.mjs" "$(cat "$folder/url")" "$folder"

offload() {
  "$java" $native -cp "$classpath" org.luceneoffload.cli.OffloadCli "$@" >>"$folder/log" 2>&1
}
offload reproduce --paper s4 --out "$folder/paper"
offload reproduce --paper s4 --sweep device.flash_channels=4,16 --out "$folder/sweep"
printf 'w0 w3\n+w1 +w2\n"w0 w1"\nw4\n' >"$folder/queries"
offload what-if --index "$index" --queries "$folder/queries" --profile pcie5-csd \
  --profile smart-ssd-sas --out "$folder/what-if"
node "$folder/reports.mjs" "$folder" "$folder/paper/report.html" "$folder/sweep/report.html" \
  "$folder/what-if/report.html"
