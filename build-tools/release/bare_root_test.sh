#!/bin/sh
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# The README's two commands on a fresh machine: makes a bare Debian root from packages, with a JDK,
# Maven, gcc, CMake and make and nothing else, copies this commit into it, and runs `./offload demo`
# and `mvn -B verify` there, as an unprivileged user and then as root. Prints what was skipped. By
# hand, as root; it takes as long as two builds from an empty Maven repository.
#
# usage: bare_root_test.sh [--suite NAME] [--jdk PACKAGE] [--as user|root|both] [--keep] FOLDER
#   FOLDER    for the root; some GB. It is removed in the end unless --keep; one that was kept is
#             used again
#   --suite   of Debian, default trixie        --jdk   default openjdk-21-jdk-headless
#   --as      who runs `mvn -B verify`, default both
# OFFLOAD_GUEST=no leaves out the guest test there, too.
#
# Packages come from the mirror of this machine's own apt, with its settings. Maven gets this
# machine's settings, proxies and certificates, but not its repository.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
suite=trixie jdk=openjdk-21-jdk-headless as=both keep=no root=
usage() {
  sed -n 's/^# usage: //p' "$0" >&2
  exit 2
}
while [ $# -gt 0 ]; do
  case $1 in
    --suite) suite=$2 && shift 2 ;;
    --jdk) jdk=$2 && shift 2 ;;
    --as) as=$2 && shift 2 ;;
    --keep) keep=yes && shift ;;
    -*) usage ;;
    *) root=$1 && shift ;;
  esac
done
[ -n "$root" ] || usage
case $as in user | root | both) ;; *) usage ;; esac
fail() {
  echo "bare_root_test: $1" >&2
  exit 1
}
[ "$(id -u)" = 0 ] || fail "making a root takes root"
command -v apt-get >/dev/null || fail "it takes packages from Debian, and there is no apt-get"
PATH=$PATH:/usr/sbin:/sbin
command -v debootstrap >/dev/null ||
  DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends debootstrap ||
  fail "apt-get does not install debootstrap"

mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Component: main' |
  head -n 1)
[ -n "$mirror" ] || fail "this machine's apt has no mirror"
mkdir -p "$root"
root=$(cd "$root" && pwd)
clean_up() {
  mountpoint -q "$root/proc" && umount "$root/proc"
  [ "$keep" = yes ] || rm -rf "$root"
}
trap clean_up EXIT
trap 'exit 1' INT TERM HUP

inside() { # COMMAND...    as root, with nothing of this machine's environment but its proxies
  env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
    ${http_proxy:+"http_proxy=$http_proxy"} ${https_proxy:+"https_proxy=$https_proxy"} \
    ${no_proxy:+"no_proxy=$no_proxy"} ${MAVEN_OPTS:+"MAVEN_OPTS=$MAVEN_OPTS"} \
    ${OFFLOAD_GUEST:+"OFFLOAD_GUEST=$OFFLOAD_GUEST"} chroot "$root" "$@"
}

mount_proc() { # Java asks it, when it is installed too
  mountpoint -q "$root/proc" || mount -t proc proc "$root/proc"
}

if [ ! -e "$root/complete" ]; then
  echo "a bare root of $suite with $jdk, Maven, gcc, CMake and make"
  debootstrap --variant=minbase "$suite" "$root" "$mirror" >"$root.log" 2>&1 ||
    fail "debootstrap failed; its log is $root.log"
  apt-config dump | grep -E '^Acquire::(https?::|ftp::|Check|Retries)' |
    grep -v '""' >"$root/etc/apt/apt.conf.d/99host" || true
  cp /etc/resolv.conf /etc/hosts "$root/etc/"
  mkdir -p "$root/usr/local/share/ca-certificates"
  cp -r /usr/local/share/ca-certificates/. "$root/usr/local/share/ca-certificates/"
  mount_proc
  inside apt-get -qq update
  inside env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends \
    "$jdk" maven gcc libc6-dev cmake make ca-certificates ca-certificates-java >>"$root.log" 2>&1 ||
    fail "apt-get failed in the root; its log is $root.log"
  inside useradd --create-home tester
  touch "$root/complete"
fi
mount_proc

# Maven's settings of this machine: those of the installation, and those of the user.
maven=$(mvn -version 2>/dev/null | sed -n 's/^Maven home: //p')
if [ -n "$maven" ] && [ -r "$maven/conf/settings.xml" ]; then
  cp -L "$maven/conf/settings.xml" "$root/etc/maven/settings.xml"
fi

# Copies the project to HOME/project of a user of the root, as a clone would have it.
copy_to() { # USER HOME
  rm -rf "$root$2/project"
  mkdir -p "$root$2/project" "$root$2/.m2"
  (cd "$top" && git archive HEAD) | tar -x -C "$root$2/project"
  for file in settings.xml settings-security.xml toolchains.xml; do
    [ ! -r "$HOME/.m2/$file" ] || cp "$HOME/.m2/$file" "$root$2/.m2/"
  done
  inside chown -R "$1:" "$2/project" "$2/.m2"
}

# Runs a command in the project of a user; prints how it ended, how long it took, what it skipped.
run() { # USER HOME COMMAND
  log=$root.$1.log
  start=$(date +%s)
  status=0
  inside setpriv --reuid="$1" --regid="$1" --init-groups env HOME="$2" sh -c "cd $2/project && $3" \
    >"$log" 2>&1 || status=$?
  echo "as $1: $3: exit status $status, $(($(date +%s) - start)) s"
  grep -h 'skipped: ' "$log" | sed 's/^.*skipped: /  skipped: /' | sort -u
  if [ "$status" -ne 0 ]; then
    tail -n 40 "$log"
    fail "\"$3\" failed as $1; the whole log is $log"
  fi
}

copy_to tester /home/tester
run tester /home/tester "./offload demo"
if [ "$as" != root ]; then
  run tester /home/tester "mvn -B verify"
fi
if [ "$as" != user ]; then
  copy_to root /root
  run root /root "./offload demo"
  run root /root "mvn -B verify"
fi
echo "passed"
