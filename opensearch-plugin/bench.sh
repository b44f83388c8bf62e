#!/bin/sh
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
# usage: opensearch-plugin/bench.sh [--corpus FILE --queries FILE] [OPTION ...]
# Starts a node with the plugin, indexes a corpus twice, with the plugin and without, compares the
# responses to requests of many kinds, and measures CPU time, service time, latency at a fixed rate,
# and the highest rate. --help lists the options. The corpus is the sample corpus by default.
# HEAP is the heap of the node (1g), BENCH_PORT its port, BENCH_SETTINGS are settings of it,
# NAME=VALUE ...
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
HEAP=${HEAP:-1g}
export HEAP
. "$top/opensearch-plugin/node/prepare.sh"
case " $* " in
    *" --corpus"*) ;;
    *) set -- --corpus "$corpus" --queries "$(dirname "$corpus")/queries.txt" "$@" ;;
esac
http=${BENCH_PORT:-19400}
# Documents keep their order in a forced merge, which ties of hits show.
JDK_JAVA_OPTIONS="${JDK_JAVA_OPTIONS:-} -Dopensearch.shuffle_forced_merge=false"
export JDK_JAVA_OPTIONS
probe=$folder/node/plugins/load-probe
mkdir -p "$probe"
jar -cf "$probe/load-probe.jar" -C "$top/opensearch-plugin/target/test-classes" \
    org/luceneoffload/opensearch/probe
descriptor=$folder/node/plugins/lucene-offload/plugin-descriptor.properties
version=$(sed -n 's/^opensearch.version=//p' "$descriptor")
cat > "$probe/plugin-descriptor.properties" <<END
description=CPU time of the phases of searches
version=$version
name=load-probe
classname=org.luceneoffload.opensearch.probe.PhaseTimes
java.version=21
opensearch.version=$version
END
chmod -R a+rX "$probe"
# shellcheck disable=SC2086 # one argument a setting
start_node 0 "$http" $((http + 100)) $((http + 100)) ${BENCH_SETTINGS:-}
code=0
java -Xmx512m -XX:+UseSerialGC --enable-native-access=ALL-UNNAMED \
    -cp "$top/opensearch-plugin/target/test-classes:$top/opensearch-plugin/target/load-lib/*" \
    org.luceneoffload.opensearch.load.LoadMain --node "127.0.0.1:$http" "$@" || code=$?
if [ "$code" -gt 1 ]; then
    tail -n 5 "$folder/node-0.log" >&2
fi
exit "$code"
