#!/bin/sh
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
# usage: opensearch-plugin/try.sh [CORPUS QUERIES]
# Starts a cluster of two nodes with the plugin, indexes the sample corpus twice, with the plugin
# and without, asks ten queries of each, compares the responses, and says how much faster one is.
# CORPUS is a file of documents, JSON with "body" and other fields, one a line; QUERIES has words a
# line, and the first ten lines of two or more are asked for.
# Everything is fetched by Maven. The folder of the nodes is removed at the end.
set -eu
case $# in
    0) ;;
    2)
        for file; do
            [ -r "$file" ] || { echo "try.sh: $file: no file that can be read" >&2; exit 2; }
        done
        given=$(realpath "$1") queries=$(realpath "$2")
        ;;
    *) echo "usage: opensearch-plugin/try.sh [CORPUS QUERIES]" >&2; exit 2 ;;
esac
top=$(cd "$(dirname "$0")/.." && pwd)
. "$top/opensearch-plugin/node/prepare.sh"
# Documents keep their order in a forced merge, which ties of hits show.
JDK_JAVA_OPTIONS="${JDK_JAVA_OPTIONS:-} -Dopensearch.shuffle_forced_merge=false"
export JDK_JAVA_OPTIONS
http=${TRY_PORT:-19200}
for n in 0 1; do
    start_node "$n" $((http + n)) $((http + 100 + n)) $((http + 100))
done
if ! java "$top/opensearch-plugin/node/Try.java" "$http" "${given:-$corpus}" ${queries:+"$queries"}
then
    echo "the nodes' last lines:" >&2
    tail -n 5 "$folder"/node-*.log >&2
    exit 1
fi
