#!/bin/sh
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# Installs csd-target's package in a bare Debian root: its dependencies come, its user is made, the
# program runs as that user and answers on its port, systemd takes the unit, its man page renders,
# bash completes; and removes it again. By hand, as root.
#
# usage: deb_test.sh DEB ROOT [SUITE]
#   DEB     what release.sh made
#   ROOT    a root that was made before, or where one is to be made and left
#   SUITE   of Debian, default trixie
set -eu
deb=$1 root=$2 suite=${3:-trixie}
. "$(dirname "$0")/root.sh"
enter_root "$root" "$suite"
cp "$deb" "$root/tmp/csd-target.deb"
inside apt-get -qq install -y --no-install-recommends systemd man-db /tmp/csd-target.deb \
  >"$root.log" 2>&1 || fail "apt-get failed; its log is $root.log"
inside getent passwd csd-target
inside csd-target --version
inside test -s /usr/share/man/man8/csd-target.8.gz || fail "no man page"
renders csd-target
completed=$(inside bash -c '. /usr/share/bash-completion/completions/csd-target
  _csd_target csd-target --capa; echo "${COMPREPLY[@]}"')
[ "$completed" = --capacity ] || fail "bash completes --capa as $completed"
inside systemd-analyze --man=no verify /usr/lib/systemd/system/csd-target.service
# The user's own folder is the service manager's to make.
inside install -d -o csd-target -m 700 /var/lib/csd-target
inside timeout 2 setpriv --reuid=csd-target --regid=csd-target --clear-groups csd-target \
  --store /var/lib/csd-target/store.vol --capacity 1G --port 0 || [ $? -eq 124 ]
inside test -s /var/lib/csd-target/store.vol.id || fail "it left no store"
inside apt-get -qq purge -y csd-target >>"$root.log" 2>&1 || fail "it cannot be removed"
! inside test -e /usr/sbin/csd-target || fail "it is still there"
echo "deb_test: $suite: installed, started, removed"
