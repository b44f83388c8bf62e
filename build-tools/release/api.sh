#!/bin/sh
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# Compares the public types of two releases by japicmp, from Maven Central: prints what an
# application of the older one would miss in the newer one, and fails if there is anything.
#
# usage: api.sh OLDER NEWER
#   OLDER NEWER   what release.sh made; later releases of one major version are compared with X.0.0
# MAVEN_ARGS are more arguments for Maven.
set -eu
tools=$(cd "$(dirname "$0")/.." && pwd)
. "$tools/optional.sh"
japicmp=0.26.1
[ $# -eq 2 ] || {
  sed -n 's/^# usage: //p' "$0" >&2
  exit 2
}
what="the API of the older release"
jar_of() { # DIR
  ls "$1"/maven/org/luceneoffload/lucene-offload-all/*/lucene-offload-all-*[0-9].jar 2>/dev/null
}
if ! older=$(jar_of "$1"); then
  skipped "$what" "no release in $1"
  exit 0
fi
newer=$(jar_of "$2") || {
  echo "api: no release in $2" >&2
  exit 1
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck disable=SC2086 # a list
if ! mvn -B -q ${MAVEN_ARGS:-} org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy \
  "-Dartifact=com.github.siom79.japicmp:japicmp:$japicmp:jar:jar-with-dependencies" \
  "-DoutputDirectory=$work" >"$work/log" 2>&1; then
  skipped "$what" "Maven does not find japicmp $japicmp"
  exit 0
fi
packages=$(sed -n 's/^ *exports \([a-z.]*\);$/\1/p' \
  "$tools/../jni-bridge/src/main/module/module-info.java" | paste -s -d ';' -)
jdk=$("$tools/find_jdk.sh" 21)
status=0
"$jdk/bin/java" -jar "$work"/japicmp-*.jar --old "$older" --new "$newer" --only-incompatible \
  --include "$packages" --include-exclusively --ignore-missing-classes \
  --error-on-binary-incompatibility --error-on-source-incompatibility >"$work/log" 2>&1 || status=$?
grep -v '^WARNING' "$work/log"
exit $status
