#!/bin/sh
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# Packs a stand-in for csd-target twice: the same bytes, the files where Debian has them, and a
# program that the unit starts.
set -eu
tools=$(cd "$(dirname "$0")/.." && pwd)
. "$tools/optional.sh"
for tool in dpkg-deb readelf strip; do
  have $tool || {
    skipped "package of csd-target" "no $tool"
    exit 0
  }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
  echo "test_csd_target_package: $1" >&2
  exit 1
}
program=$(command -v env)
pack() { # FOLDER
  sh "$tools/release/csd_target.sh" "$program" 1.2.3 2026-01-01T00:00:00Z "$work/$1"
}
pack one
(umask 077 && TZ=Asia/Tokyo && export TZ && pack two)
diff -r "$work/one" "$work/two" || fail "packed twice, it differs"
deb=$(echo "$work"/one/csd-target_1.2.3_*.deb)
[ -f "$deb" ] || fail "no package"
dpkg-deb --extract "$deb" "$work/root"
for file in usr/sbin/csd-target usr/share/man/man8/csd-target.8.gz etc/csd-target \
  usr/lib/systemd/system/csd-target.service usr/lib/sysusers.d/csd-target.conf \
  usr/share/bash-completion/completions/csd-target usr/share/zsh/vendor-completions/_csd-target \
  usr/share/fish/vendor_completions.d/csd-target.fish usr/share/doc/csd-target/copyright; do
  [ -e "$work/root/$file" ] || fail "no $file in the package"
done
grep -q -e ' --version' "$work/root/usr/share/bash-completion/completions/csd-target" ||
  fail "bash does not complete an option that --help names"
started=$(sed -n 's/^ExecStart=\([^ ]*\).*/\1/p' \
  "$work/root/usr/lib/systemd/system/csd-target.service")
[ -x "$work/root$started" ] || fail "the unit starts $started, which is not there"
[ "$(dpkg-deb --field "$deb" Version)" = 1.2.3 ] || fail "the package has another version"
dpkg-deb --field "$deb" Depends | grep -q '^libc6 (>= [0-9.]*), ' || fail "no libc6 in Depends"
for script in postinst prerm; do
  dpkg-deb --info "$deb" $script | sh -n || fail "$script is no shell script"
done
name=csd-target-1.2.3-linux-$(uname -m)
tar -tzf "$work/one/$name.tar.gz" | grep -qx "$name/csd-target" || fail "no program in the archive"
