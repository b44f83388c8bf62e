#!/bin/sh
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# Puts a release together, from the commit that is checked out: a Maven repository with all that is
# published, and beside it csd-target as a package of Debian and as an archive, and the tool as an
# archive. Built twice, it has the same bytes (release/check.sh); signatures aside.
#
# usage: release.sh [--natives FOLDER] [--home URL] [--keep FOLDER] DIR
#   DIR          gets maven/, csd-target/ and tool/; it must not have them yet
#   --natives    what cross_build.sh left; if not given, this machine's library alone is in it
#   --home       where the project is published, for the POMs
#   --keep       builds in that folder and leaves it there; else in one that is removed
# OFFLOAD_SIGNING_KEY is the key of gpg to sign with; without it nothing is signed.
# MAVEN_ARGS are more arguments for Maven.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
natives= home= out= work=
usage() {
  sed -n 's/^# usage: //p' "$0" >&2
  exit 2
}
while [ $# -gt 0 ]; do
  case $1 in
    --natives) natives=$(cd "$2" && pwd) && shift 2 ;;
    --home) home=$2 && shift 2 ;;
    --keep) mkdir -p "$2" && work=$(cd "$2" && pwd) && shift 2 ;;
    -*) usage ;;
    *) out=$1 && shift ;;
  esac
done
[ -n "$out" ] || usage
fail() {
  echo "release: $1" >&2
  exit 1
}
for part in maven csd-target tool; do
  [ ! -e "$out/$part" ] || fail "$out has a release already"
done
mkdir -p "$out"
out=$(cd "$out" && pwd)
jdk=$("$top/build-tools/find_jdk.sh" 21) || fail "no JDK of release 21 or later"
if [ -n "$work" ]; then
  [ -z "$(ls -A "$work")" ] || fail "$work is not empty"
else
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  trap 'exit 1' INT TERM HUP
fi
[ -z "$(git -C "$top" status --porcelain --untracked-files=no)" ] ||
  echo "release: what is not committed is left out"
git -C "$top" archive HEAD | tar -x -C "$work"
tag() { # NAME    the text of a property of the parent POM
  sed -n "s#.*<$1>\(.*\)</$1>.*#\1#p" "$work/pom.xml" | head -n 1
}
version=$(tag revision)
date=$(tag project.build.outputTimestamp)
grep -q "<version>$version</version>" "$work/README.md" || fail "README.md has another version"
grep -q "^## $version\$" "$work/CHANGES.md" || fail "CHANGES.md does not tell of $version"
[ -n "$home" ] || {
  home=$(tag home.url)
  echo "release: the POMs name $home, a placeholder; --home URL says where the project is"
}
cd "$work"

# The libraries, in folders as the loader seeks them. No path of this machine is in them.
CFLAGS="-ffile-prefix-map=$work=."
export CFLAGS
mkdir -p target/libraries
if [ -n "$natives" ]; then
  cp -r "$natives/." target/libraries/
  find target/libraries -mindepth 1 -type d -empty -delete
fi
built=$work/target/built
sh build-tools/cmake_build.sh jni-bridge target/native "-DCSD_NATIVE_DIR=$built"
[ -n "$natives" ] || cp -r "$built/." target/libraries/
# The tool's experiments have a library of their own, for this machine alone.
sh build-tools/cmake_build.sh papers target/papers "-DCSD_BRIDGE_BUILD=$work/target/native" \
  "-DCSD_NATIVE_DIR=$work/papers/target/classes/org/luceneoffload/native"
platforms=$(ls target/libraries)
[ -n "$platforms" ] || fail "there is no native library in $natives"
for platform in linux-x86_64 linux-x86_64-musl linux-aarch64 linux-aarch64-musl macos-x86_64 \
  macos-aarch64; do
  [ -d "target/libraries/$platform" ] || [ -d "target/libraries/$platform-gnu" ] ||
    echo "release: no native library for $platform; the host answers there"
done

# shellcheck disable=SC2086 # MAVEN_ARGS is a list
mvn -B -q ${MAVEN_ARGS:-} -Prelease -DskipTests -Dspotless.check.skip=true -Dcorpus.skip=true \
  -Dexec.skip=true \
  "-Dhome.url=$home" "-Dlibraries.dir=$work/target/libraries" \
  "-Dbuild.commit=$(git -C "$top" rev-parse --short=12 HEAD)" package -am \
  -pl papers,opensearch-plugin,build-tools/release/all,build-tools/release/bom ||
  fail "the build failed; see above"

stage() { # FILE ARTIFACT SUFFIX    such as -sources.jar
  folder=$out/maven/org/luceneoffload/$2/$version
  mkdir -p "$folder"
  cp "$1" "$folder/$2-$version$3"
}
stage_all() { # MODULE ARTIFACT    what every artifact has
  stage "$1/target/flattened.pom" "$2" .pom
  stage "$1/target/bom.json" "$2" -cyclonedx.json
  for suffix in -sources.jar -javadoc.jar; do
    if [ -f "$1/target/$2-$version$suffix" ]; then
      stage "$1/target/$2-$version$suffix" "$2" $suffix
    fi
  done
}
stage_all lucene-offload lucene-offload
stage lucene-offload/target/lucene-offload-$version.jar lucene-offload .jar
stage_all jni-bridge lucene-offload-native
stage jni-bridge/target/lucene-offload-native-$version.jar lucene-offload-native .jar
stage_all build-tools/release/all lucene-offload-all
stage jni-bridge/target/lucene-offload-all.jar lucene-offload-all .jar
stage lucene-offload/target/lucene-offload-$version-javadoc.jar lucene-offload-all -javadoc.jar
stage_all build-tools/release/bom lucene-offload-bom
sed -i "0,/<version>$version</s##<packaging>zip</packaging>\n  &#" \
  opensearch-plugin/target/flattened.pom
stage_all opensearch-plugin lucene-offload-opensearch
stage opensearch-plugin/target/lucene-offload-opensearch.zip lucene-offload-opensearch .zip

# The classes with the library of one machine, for each; glibc is not in the classifier's name.
classes=jni-bridge/target/one
for platform in $platforms; do
  rm -rf $classes
  mkdir -p $classes
  (cd $classes && "$jdk/bin/jar" -xf "../lucene-offload-native-$version.jar")
  mv $classes/org/luceneoffload/native jni-bridge/target/natives
  mkdir $classes/org/luceneoffload/native
  mv "jni-bridge/target/natives/$platform" $classes/org/luceneoffload/native/
  rm -rf jni-bridge/target/natives
  mv $classes/META-INF/MANIFEST.MF jni-bridge/target/one.mf
  (cd $classes && find . -type f | sed 's#^\./##' | LC_ALL=C sort >../one.list &&
    "$jdk/bin/jar" --create --file ../one.jar --date "$date" --manifest ../one.mf @../one.list)
  stage jni-bridge/target/one.jar lucene-offload-native "-${platform%-gnu}.jar"
done

sh build-tools/cmake_build.sh device-sim target/csd-target -DCSD_TESTS=OFF
sh build-tools/release/csd_target.sh target/csd-target/csd-target/csd-target "$version" "$date" \
  "$out/csd-target"
sh build-tools/release/tool.sh "$version" "$date" "$out/tool"

if [ -z "${OFFLOAD_SIGNING_KEY:-}" ]; then
  echo "release: not signed, since OFFLOAD_SIGNING_KEY names no key"
fi
(cd "$out" && find maven csd-target tool -type f) | LC_ALL=C sort | while IFS= read -r name; do
  file=$out/$name
  if [ -n "${OFFLOAD_SIGNING_KEY:-}" ]; then
    gpg --batch --quiet --local-user "$OFFLOAD_SIGNING_KEY" --armor --detach-sign "$file"
  fi
  for sum in md5 sha1 sha256 sha512; do
    "${sum}sum" "$file" | cut -d ' ' -f 1 | tr -d '\n' >"$file.$sum"
  done
done
size=$(wc -c <jni-bridge/target/lucene-offload-all.jar)
[ "$size" -lt 8000000 ] || fail "the drop-in jar has $size bytes, 8,000,000 at most"
echo "release: $version in $out; the drop-in jar has $size bytes, libraries for:" $platforms
