#!/bin/sh
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
# usage: opensearch-plugin/try.sh
# Starts a cluster of two nodes with the plugin, indexes the sample corpus twice, with the plugin
# and without, asks ten queries of each, compares the responses, and says how much faster one is.
# Everything is fetched by Maven. The folder of the nodes is removed at the end.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
jdk=$(sh "$top/build-tools/find_jdk.sh" 21) || {
    echo "try.sh: no JDK of release 21 or later" >&2
    exit 1
}
PATH=$jdk/bin:$PATH
JAVA_HOME=$jdk
export PATH JAVA_HOME
zip=$top/opensearch-plugin/target/lucene-offload-opensearch.zip
corpus=$top/sample-corpus/target/corpus/javadoc.jsonl
# A source of the plugin, or of what it contains, that is younger than the zip; else nothing.
younger() {
    for module in lucene-offload device-sim jni-bridge opensearch-plugin; do
        find "$top/$module" \( -name target -o -name test -o -name tests -o -name fuzz \) -prune \
            -o -type f ! -name '*.md' -newer "$zip" -print
    done | head -n 1
}
if [ ! -f "$zip" ] || [ ! -f "$corpus" ] || [ -n "$(younger)" ]; then
    echo "building the plugin and the sample corpus (the first time takes some minutes) ..."
    (cd "$top" && mvn -B -q -DskipTests -Dspotless.check.skip=true package \
        -pl opensearch-plugin,sample-corpus -am)
fi
folder=$(mktemp -d)
pids=
stop() {
    for pid in $pids; do
        kill "$pid" 2> /dev/null || true
    done
    wait
    rm -rf "$folder"
}
trap stop EXIT
trap 'exit 1' INT TERM
echo "fetching OpenSearch ..."
sh "$top/opensearch-plugin/node/distribution.sh" "$folder/node" "$zip"
chmod -R a+rX "$folder"
http=${TRY_PORT:-19200}
for n in 0 1; do
    sh "$top/opensearch-plugin/node/start.sh" "$folder/node" "$folder/node-$n" "node-$n" \
        $((http + n)) $((http + 100 + n)) $((http + 100)) > "$folder/node-$n.log" 2>&1 &
    pids="$pids $!"
done
if ! java "$top/opensearch-plugin/node/Try.java" "$http" "$corpus"; then
    echo "the nodes' last lines:" >&2
    tail -n 5 "$folder"/node-*.log >&2
    exit 1
fi
