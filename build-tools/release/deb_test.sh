#!/bin/sh
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# Installs csd-target's package in a bare Debian root: its dependencies come, its user is made, the
# program runs as that user and answers on its port, systemd takes the unit, the man page is there;
# and removes it again. By hand, as root.
#
# usage: deb_test.sh DEB ROOT [SUITE]
#   DEB     what release.sh made
#   ROOT    a root that was made before, or where one is to be made and left
#   SUITE   of Debian, default trixie
#
# Packages come from the mirror of this machine's own apt, with its settings.
set -eu
deb=$1 root=$2 suite=${3:-trixie}
PATH=$PATH:/usr/sbin:/sbin
fail() {
  echo "deb_test: $1" >&2
  exit 1
}
[ "$(id -u)" = 0 ] || fail "making a root takes root"
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Component: main' |
  head -n 1)
if [ ! -e "$root/complete" ]; then
  command -v debootstrap >/dev/null || fail "no debootstrap"
  mkdir -p "$root"
  debootstrap --variant=minbase "$suite" "$root" "$mirror" >"$root.log" 2>&1 ||
    fail "debootstrap failed; its log is $root.log"
  touch "$root/complete"
fi
apt-config dump | grep -E '^Acquire::(https?::|ftp::|Check|Retries)' | grep -v '""' \
  >"$root/etc/apt/apt.conf.d/99host" || true
cp /etc/resolv.conf /etc/hosts "$root/etc/"
# Minimal roots leave man pages out.
rm -f "$root"/etc/dpkg/dpkg.cfg.d/*docker* "$root"/etc/dpkg/dpkg.cfg.d/excludes
cp "$deb" "$root/tmp/csd-target.deb"
mount -t proc proc "$root/proc"
clean_up() {
  umount "$root/proc"
}
trap clean_up EXIT
trap 'exit 1' INT TERM HUP
inside() {
  env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
    DEBIAN_FRONTEND=noninteractive \
    ${http_proxy:+"http_proxy=$http_proxy"} ${https_proxy:+"https_proxy=$https_proxy"} \
    chroot "$root" "$@"
}
inside apt-get -qq update
inside apt-get -qq install -y --no-install-recommends systemd /tmp/csd-target.deb \
  >"$root.log" 2>&1 || fail "apt-get failed; its log is $root.log"
inside getent passwd csd-target
inside csd-target --version
inside test -s /usr/share/man/man8/csd-target.8.gz || fail "no man page"
inside systemd-analyze --man=no verify /usr/lib/systemd/system/csd-target.service
# The user's own folder is the service manager's to make.
inside install -d -o csd-target -m 700 /var/lib/csd-target
inside timeout 2 setpriv --reuid=csd-target --regid=csd-target --clear-groups csd-target \
  --store /var/lib/csd-target/store.vol --capacity 1G --port 0 || [ $? -eq 124 ]
inside test -s /var/lib/csd-target/store.vol.id || fail "it left no store"
inside apt-get -qq purge -y csd-target >>"$root.log" 2>&1 || fail "it cannot be removed"
! inside test -e /usr/sbin/csd-target || fail "it is still there"
echo "deb_test: $suite: installed, started, removed"
