#!/bin/sh
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
# usage: opensearch-plugin/try.sh
# Starts a cluster of two nodes with the plugin, indexes the sample corpus twice, with the plugin
# and without, asks ten queries of each, compares the responses, and says how much faster one is.
# Everything is fetched by Maven. The folder of the nodes is removed at the end.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
. "$top/opensearch-plugin/node/prepare.sh"
http=${TRY_PORT:-19200}
for n in 0 1; do
    start_node "$n" $((http + n)) $((http + 100 + n)) $((http + 100))
done
if ! java "$top/opensearch-plugin/node/Try.java" "$http" "$corpus"; then
    echo "the nodes' last lines:" >&2
    tail -n 5 "$folder"/node-*.log >&2
    exit 1
fi
