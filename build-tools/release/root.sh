# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# For tests of what a release installs; they source this file. They run as root, in a bare Debian
# root whose packages come from the mirror of this machine's own apt, with its settings.

fail() {
  echo "$(basename "$0" .sh): $1" >&2
  exit 1
}

# Makes FOLDER a root of SUITE if it is none yet, and readies it for `inside`.
enter_root() { # FOLDER SUITE
  PATH=$PATH:/usr/sbin:/sbin
  [ "$(id -u)" = 0 ] || fail "making a root takes root"
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Component: main' |
    head -n 1)
  if [ ! -e "$1/complete" ]; then
    command -v debootstrap >/dev/null || fail "no debootstrap"
    mkdir -p "$1"
    debootstrap --variant=minbase "$2" "$1" "$mirror" >"$1.log" 2>&1 ||
      fail "debootstrap failed; its log is $1.log"
    touch "$1/complete"
  fi
  entered=$(cd "$1" && pwd)
  apt-config dump | grep -E '^Acquire::(https?::|ftp::|Check|Retries)' | grep -v '""' \
    >"$entered/etc/apt/apt.conf.d/99host" || true
  cp /etc/resolv.conf /etc/hosts "$entered/etc/"
  # Minimal roots leave man pages out.
  rm -f "$entered"/etc/dpkg/dpkg.cfg.d/*docker* "$entered"/etc/dpkg/dpkg.cfg.d/excludes
  trap 'umount "$entered/proc" "$entered/dev/pts"' EXIT
  trap 'exit 1' INT TERM HUP
  mount -t proc proc "$entered/proc"
  mount -t devpts -o newinstance,ptmxmode=666 devpts "$entered/dev/pts"
  inside apt-get -qq update
}

inside() { # COMMAND...    with nothing of this machine's environment but its proxies
  env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
    DEBIAN_FRONTEND=noninteractive \
    ${http_proxy:+"http_proxy=$http_proxy"} ${https_proxy:+"https_proxy=$https_proxy"} \
    chroot "$entered" "$@"
}

# Shows man pages by name; one that groff warns of fails.
renders() { # PAGE...
  for page in "$@"; do
    said=$(inside man --warnings -E UTF-8 "$page" 2>&1 >"$entered/tmp/page") || fail "$said"
    [ -z "$said" ] || fail "the page $page: $said"
    [ "$(wc -l <"$entered/tmp/page")" -gt 10 ] || fail "the page $page is empty"
  done
}
