#!/bin/sh
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# Runs the core tests of a Lucene source checkout with this project's codec, directory and searcher
# put under them: `lucene_core_tests.sh CHECKOUT`; `--help` lists the options.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
jdk=$("$here/../find_jdk.sh" 21) || {
  echo "no JDK of 21 or later found" >&2
  exit 2
}
JAVA_HOME=$jdk exec python3 "$here/lucene_core_tests.py" "$@"
