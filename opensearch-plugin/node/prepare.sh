# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
# usage, in a script of the folder above, with $top: . "$top/opensearch-plugin/node/prepare.sh"
# Builds what is missing, and fetches OpenSearch into $folder/node. The nodes that the script starts
# with start_node end with it, and $folder is removed. $zip, $corpus: the plugin, the sample corpus.
jdk=$(sh "$top/build-tools/find_jdk.sh" 21) || {
    echo "$(basename "$0"): no JDK of release 21 or later" >&2
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
            -o -type f ! -name '*.md' ! -name '*.sh' -newer "$zip" -print
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
# start_node NUMBER HTTP_PORT TRANSPORT_PORT SEED_PORTS [SETTING=VALUE ...]
start_node() {
    number=$1
    shift
    sh "$top/opensearch-plugin/node/start.sh" "$folder/node" "$folder/node-$number" \
        "node-$number" "$@" > "$folder/node-$number.log" 2>&1 &
    pids="$pids $!"
}
