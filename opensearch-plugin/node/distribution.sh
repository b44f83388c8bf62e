#!/bin/sh
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
# usage: distribution.sh FOLDER ZIP [JAR:JAR:...]
# Lays out FOLDER as a distribution of OpenSearch, with the jars, or with artifacts that Maven
# fetches, and unpacks the plugin ZIP in it. A node runs in a copy or with path.data elsewhere.
# OPENSEARCH_VERSION is another release than the one of pom.xml.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=$1
zip=$2
version=${OPENSEARCH_VERSION:-$(
    sed -n 's|.*<opensearch.version>\(.*\)</opensearch.version>.*|\1|p' "$here/pom.xml"
)}
mkdir -p "$folder/bin" "$folder/lib" "$folder/config" "$folder/modules/transport-netty4" \
    "$folder/plugins/lucene-offload"
if [ $# -gt 2 ]; then
    echo "$3" | tr ':' '\n' | while read -r jar; do
        cp "$jar" "$folder/lib/"
    done
else
    mvn -B -q -f "$here/pom.xml" \
        org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies \
        "-Dopensearch.version=$version" -DincludeScope=runtime "-DoutputDirectory=$folder/lib"
fi
# The transport is a module of its own, with a class loader of its own.
for jar in "$folder"/lib/netty-*.jar "$folder"/lib/*-netty4-*.jar; do
    mv "$jar" "$folder/modules/transport-netty4/"
done
cat > "$folder/modules/transport-netty4/plugin-descriptor.properties" <<END
description=transport and HTTP by Netty
version=$version
name=transport-netty4
classname=org.opensearch.transport.Netty4ModulePlugin
java.version=21
opensearch.version=$version
END
(cd "$folder/plugins/lucene-offload" && jar -xf "$zip")
cat > "$folder/config/log4j2.properties" <<END
status = error
appender.console.type = Console
appender.console.name = console
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = [%d{ISO8601}][%-5p][%-25c{1.}] [%node_name]%marker %m%n
rootLogger.level = info
rootLogger.appenderRef.console.ref = console
END
