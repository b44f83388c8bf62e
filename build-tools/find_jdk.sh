#!/bin/sh
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# Prints the home of a JDK of at least the wanted release, or prints nothing and exits with 1.
#
# usage: find_jdk.sh [RELEASE [jre]]      RELEASE is 21 if left out; jre: one that runs is enough
#
# The first that fits wins: JAVA_HOME, the java on PATH, JAVA<n>_HOME and JAVA_HOME_<n>_X64, then
# the newest of those in the usual places. A JDK here is a home with bin/javac and include/jni.h.
set -u
wanted=${1:-21}
kind=${2:-jdk}

# Prints the release number of the JDK at $1; fails if there is none.
release_of() {
  [ -x "$1/bin/java" ] || return 1
  [ "$kind" = jre ] || { [ -x "$1/bin/javac" ] && [ -f "$1/include/jni.h" ]; } || return 1
  version=
  if [ -r "$1/release" ]; then
    version=$(sed -n 's/^JAVA_VERSION="\{0,1\}\([0-9][0-9]*\).*/\1/p' "$1/release")
  fi
  if [ -z "$version" ]; then # Debian's own packages have no release file
    version=$("$1/bin/java" -version 2>&1 | sed -n 's/^[^"]* version "\([0-9][0-9]*\).*/\1/p')
  fi
  [ -n "$version" ] || return 1
  printf '%s\n' "$version"
}

take_if_fits() {
  release=$(release_of "$1") || return 1
  [ "$release" -ge "$wanted" ] || return 1
  printf '%s\n' "$1"
  exit 0
}

[ -n "${JAVA_HOME:-}" ] && take_if_fits "$JAVA_HOME"

java=$(command -v java 2>/dev/null)
if [ -n "$java" ]; then
  # The java of a PATH is often a link, and on macOS a stub: ask it for its home.
  home=$("$java" -XshowSettings:properties -version 2>&1 |
    sed -n 's/^ *java\.home = //p')
  [ -n "$home" ] && take_if_fits "$home"
fi

# Names such as JAVA21_HOME, by convention of build servers.
for home in $(env | sed -n \
  -e 's/^JAVA[0-9][0-9]*_HOME=//p' -e 's/^JAVA_HOME_[0-9][0-9]*_[A-Za-z0-9]*=//p'); do
  take_if_fits "$home"
done

best=
best_release=0
for home in /usr/lib/jvm/* /usr/lib64/jvm/* /usr/java/* /usr/local/java/* /opt/java/* /opt/jdk* \
  "${HOME:-/nonexistent}"/.sdkman/candidates/java/* "${HOME:-/nonexistent}"/.jdks/* \
  "${HOME:-/nonexistent}"/.m2/jdks/* "${HOME:-/nonexistent}"/.asdf/installs/java/* \
  /Library/Java/JavaVirtualMachines/*/Contents/Home; do
  release=$(release_of "$home") || continue
  if [ "$release" -ge "$wanted" ] && [ "$release" -gt "$best_release" ]; then
    best=$home
    best_release=$release
  fi
done
[ -n "$best" ] || exit 1
printf '%s\n' "$best"
