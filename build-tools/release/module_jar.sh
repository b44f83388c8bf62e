#!/bin/sh
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# Makes a jar a module: compiles its declaration against the jar and puts it in.
#
# usage: module_jar.sh JAR MODULE_INFO MODULE_PATH DATE
#   MODULE_PATH  jars of the modules that it requires
#   DATE         of the new entry, such as 2026-01-01T00:00:00Z
set -eu
tools=$(cd "$(dirname "$0")" && pwd)
jar=$1
jdk=$("$tools/../find_jdk.sh" 21)
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
"$jdk/bin/javac" --release 21 -d "$out" -p "$3" --patch-module "org.luceneoffload=$jar" "$2"
"$jdk/bin/jar" --update --file "$jar" --date "$4" -C "$out" module-info.class
