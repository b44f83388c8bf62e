#!/bin/sh
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
# usage: start.sh DISTRIBUTION DATA NAME HTTP_PORT TRANSPORT_PORT SEED_PORTS [SETTING=VALUE ...]
# SEED_PORTS are those of the cluster's nodes, with commas between; a cluster begins with the first.
# Becomes a node. OpenSearch refuses to run as root: then it is the user nobody, to whom DATA goes.
set -eu
folder=$1 data=$2 name=$3 http=$4 transport=$5 seeds=$6
shift 6
mkdir -p "$data/config" "$data/data" "$data/logs" "$data/tmp"
cp "$folder/config/log4j2.properties" "$data/config/"
{
    echo "cluster.name: offload-try"
    echo "node.name: $name"
    echo "network.host: 127.0.0.1"
    echo "http.port: $http"
    echo "transport.port: $transport"
    echo "discovery.seed_hosts: [$(echo "$seeds" | sed 's/[0-9][0-9]*/"127.0.0.1:&"/g')]"
    echo "path.data: $data/data"
    echo "path.logs: $data/logs"
    echo "cluster.routing.allocation.disk.threshold_enabled: false"
    if [ "$transport" = "${seeds%%,*}" ]; then
        echo "cluster.initial_cluster_manager_nodes: [\"$name\"]"
    fi
    for setting in "$@"; do
        echo "${setting%%=*}: ${setting#*=}"
    done
} > "$data/config/opensearch.yml"
as=
if [ "$(id -u)" = 0 ]; then
    if ! command -v setpriv > /dev/null; then
        echo "start.sh: a node does not run as root, and there is no setpriv to be another user" >&2
        exit 3
    fi
    user=$(id -u nobody)
    chown -R "$user" "$data"
    as="setpriv --reuid=$user --regid=$(id -g nobody) --clear-groups"
fi
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
exec $as "$java" -Xms${HEAP:-512m} -Xmx${HEAP:-512m} --add-modules=jdk.incubator.vector \
    --enable-native-access=ALL-UNNAMED -Djava.io.tmpdir="$data/tmp" \
    -Djava.locale.providers=SPI,CLDR -Dopensearch.path.home="$folder" \
    -Dopensearch.path.conf="$data/config" -Dopensearch.distribution.type=tar \
    -Dlog4j2.disable.jmx=true -Djna.nosys=true -cp "$folder/lib/*" \
    org.opensearch.bootstrap.OpenSearch
