#!/bin/sh
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# Fuzzes: random indexes and queries, stock Lucene against the offloading searcher, to the bit.
# Builds first, then runs on a copy of the classes, so that later builds do not disturb it.
#
# usage: fuzz.sh [--minutes N] [--seed N] [--round SEED] [--long-lists] [--dense]
#
# --help lists all options.
#
#   FUZZ_JAVA_OPTS   options for the JVM; default -Xmx1g
#   FUZZ_NO_BUILD    if set: run what the last call built
set -eu
cd "$(dirname "$0")/.."
top=$(pwd)
jdk=$(sh build-tools/find_jdk.sh 21) || {
  echo "fuzz.sh: no JDK of 21 or later found" >&2
  exit 1
}

if [ -z "${FUZZ_NO_BUILD:-}" ]; then
  mvn -q -B -DskipTests -Dcorpus.skip=true process-test-classes dependency:build-classpath \
    -pl stock-test -am -Dmdep.includeScope=test -Dmdep.outputFile=target/test.cp \
    ${FUZZ_MAVEN_OPTS:-} >&2
fi
# In memory if there is such a place: the indexes are synced all the time.
[ -n "${TMPDIR:-}" ] || { [ -d /dev/shm ] && [ -w /dev/shm ] && TMPDIR=/dev/shm; } || TMPDIR=/tmp
copy=$(mktemp -d "$TMPDIR/fuzz.XXXXXX")
trap 'rm -rf "$copy"' EXIT
trap 'exit 1' INT TERM HUP
classes=$copy/0
cp -r "$top/stock-test/target/test-classes" "$copy/0"
number=1
jars=
for entry in $(tr ':' ' ' <stock-test/target/test.cp); do
  if [ -d "$entry" ]; then
    cp -r "$entry" "$copy/$number"
    classes=$classes:$copy/$number
    number=$((number + 1))
  else
    jars=$jars:$entry
  fi
done
mkdir "$copy/work"
status=0
"$jdk/bin/java" -ea -esa -XX:-OmitStackTraceInFastThrow ${FUZZ_JAVA_OPTS:--Xmx1g} \
  --add-modules=jdk.management,jdk.incubator.vector --enable-native-access=ALL-UNNAMED \
  -cp "$classes$jars" org.luceneoffload.fuzz.FuzzMain --work "$copy/work" "$@" || status=$?
exit "$status"
