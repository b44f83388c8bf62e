#!/bin/sh
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# ./offload builds when one of its sources has changed and not when something else has; starts Java
# in a locale of UTF-8; never shows the log of an earlier build. Maven and Java are stubs.
#
# usage: test_offload.sh
set -u
real=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'chmod -R u+w "$folder"; rm -rf "$folder"' EXIT
faults=0
fault() {
  echo "test_offload: $1" >&2
  faults=$((faults + 1))
}

# A project that has the folders of the real one, all of them older than its last build.
top=$folder/project
mkdir -p "$top/target" "$top/papers/target" "$folder/bin" "$folder/jdk/bin"
cp "$real/offload" "$top/"
sources="pom.xml .mvn/maven.config build-tools/cmake_build.sh wire/offload_wire.toml
  wire/gen_wire.py lucene-offload/pom.xml lucene-offload/src/main/java/A.java
  lucene-offload/src/main/resources/a.json jni-bridge/pom.xml jni-bridge/CMakeLists.txt
  jni-bridge/src/main/c/a.c jni-bridge/src/main/java/B.java device-sim/pom.xml
  device-sim/CMakeLists.txt device-sim/cmake/hardening.cmake device-sim/src/core/plan/a.c
  device-sim/include/csd/csd.h device-sim/csd-target/CMakeLists.txt sample-corpus/pom.xml
  sample-corpus/src/main/java/C.java cli/pom.xml cli/src/main/java/D.java
  another-module/pom.xml another-module/src/main/java/E.java"
others="README.md docs/VENDORS.md cli/README.md cli/src/test/java/T.java cli/target/classes/D.class
  device-sim/tests/core/test_a.c device-sim/target/cmake/a.o src-test/pom.xml
  src-test/src/test/java/T.java stock-test/pom.xml whole-test/pom.xml benchmarks/pom.xml
  benchmarks/src/main/java/B.java
  an-index/segments_1 target/offload-build.log"
for file in $sources $others; do
  mkdir -p "$(dirname "$top/$file")"
  echo x >"$top/$file"
done
mkdir "$top/build-tools/tool"
cp "$real/build-tools/tool/launch.sh" "$top/build-tools/tool/"
cat >"$top/build-tools/find_jdk.sh" <<END
#!/bin/sh
echo "$folder/jdk"
END
cat >"$folder/jdk/bin/java" <<'END'
#!/bin/sh
echo "locale ${LC_ALL:-}"
END
cat >"$folder/bin/mvn" <<END
#!/bin/sh
echo built >>"$folder/built"
echo "Maven was here"
touch "$top/papers/target/offload.ready"
exit \${STUB_MAVEN:-0}
END
chmod +x "$top/build-tools/find_jdk.sh" "$folder/jdk/bin/java" "$folder/bin/mvn"
PATH=$folder/bin:$PATH

# All files are of an hour ago; the build is of later.
settle() {
  find "$top" -exec touch -t 202001010000 {} +
  touch -t 202001010100 "$top/papers/target/offload.ready"
  rm -f "$folder/built"
}

settle
"$top/offload" >/dev/null 2>&1 || fault "does not run"
[ ! -e "$folder/built" ] || fault "builds although nothing has changed"
for file in $sources; do
  settle
  touch -t 202001010200 "$top/$file"
  "$top/offload" >/dev/null 2>&1
  [ -e "$folder/built" ] || fault "does not build after a change of $file"
done
for file in $others; do
  settle
  touch -t 202001010200 "$top/$file"
  "$top/offload" >/dev/null 2>&1
  [ ! -e "$folder/built" ] || fault "builds after a change of $file"
done
settle
rm "$top/lucene-offload/src/main/java/A.java"
"$top/offload" >/dev/null 2>&1
[ -e "$folder/built" ] || fault "does not build after the removal of a source"

# Every locale that is no UTF-8 becomes one; others stay.
settle
for name in C POSIX; do
  [ "$(LC_ALL=$name "$top/offload")" = "locale C.UTF-8" ] ||
    fault "with LC_ALL=$name: $(LC_ALL=$name "$top/offload")"
done
[ "$(env -u LC_ALL -u LANG -u LC_CTYPE "$top/offload")" = "locale C.UTF-8" ] ||
  fault "without a locale: $(env -u LC_ALL -u LANG -u LC_CTYPE "$top/offload")"
[ "$(env -u LC_ALL LANG=C.UTF-8 "$top/offload")" = "locale " ] || fault "changes LANG=C.UTF-8"

# The log shown is that of this build; without a log there is none to show.
settle
echo "Maven was here long ago" >"$top/target/offload-build.log"
touch "$top/pom.xml"
said=$(STUB_MAVEN=1 "$top/offload" 2>&1) && fault "succeeds although the build fails"
case $said in
  *"long ago"*) fault "shows an old log: $said" ;;
  *"Maven was here"*"the build failed"*) ;;
  *) fault "shows no log: $said" ;;
esac
echo "Maven was here long ago" >"$top/target/offload-build.log"
chmod 444 "$top/target/offload-build.log"
chmod 755 "$folder"
run=
if [ "$(id -u)" = 0 ]; then # may write everything
  run="setpriv --reuid=65534 --clear-groups"
fi
if [ -z "$run" ] || $run true 2>/dev/null; then
  touch "$top/pom.xml"
  # shellcheck disable=SC2086 # a command
  said=$($run "$top/offload" 2>&1) && fault "succeeds although it cannot build"
  case $said in
    *"long ago"* | *"see above"*) fault "shows an old log: $said" ;;
    *"offload-build.log cannot be written"*) ;;
    *) fault "does not say that the log cannot be written: $said" ;;
  esac
else
  echo "skipped: a build log that cannot be written: root writes all, and there is no setpriv"
fi

# A JDK that is too old is not taken, and one sentence says which is needed.
mkdir -p "$folder/old/bin" "$folder/old/include"
echo 'JAVA_VERSION="17.0.12"' >"$folder/old/release"
touch "$folder/old/include/jni.h"
cp "$folder/jdk/bin/java" "$folder/old/bin/java"
cp "$folder/jdk/bin/java" "$folder/old/bin/javac"
[ "$(JAVA_HOME=$folder/old "$real/build-tools/find_jdk.sh" 17)" = "$folder/old" ] ||
  fault "does not find the JDK of JAVA_HOME"
[ "$(JAVA_HOME=$folder/old "$real/build-tools/find_jdk.sh" 21)" != "$folder/old" ] ||
  fault "takes a JDK that is too old"
rm "$folder/old/bin/javac"
[ "$(JAVA_HOME=$folder/old "$real/build-tools/find_jdk.sh" 17)" != "$folder/old" ] ||
  fault "takes a runtime for a JDK"
[ "$(JAVA_HOME=$folder/old "$real/build-tools/find_jdk.sh" 17 jre)" = "$folder/old" ] ||
  fault "does not find the runtime of JAVA_HOME"
printf '#!/bin/sh\nexit 1\n' >"$top/build-tools/find_jdk.sh"
said=$("$top/offload" 2>&1) && fault "succeeds without a JDK"
case $said in
  "offload: no JDK of release 21 or later was found;"*) ;;
  *) fault "does not say which JDK is needed: $said" ;;
esac

[ "$faults" -eq 0 ] || exit 1
echo "./offload: builds when it must, in UTF-8, with a log of its own"
