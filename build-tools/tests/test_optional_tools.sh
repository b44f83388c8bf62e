#!/bin/sh
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# Hides each optional tool in turn, and all of them, from the scripts that use them: what needs the
# tool is skipped with one line that says why, everything else runs, and no script fails. Nothing
# runs in earnest (OFFLOAD_DRY_RUN), and the tools are stubs, so that it does not matter which of
# them this machine has.
#
# usage: test_optional_tools.sh
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
stubs="arm-none-eabi-gcc aarch64-linux-gnu-gcc clang cc qemu-aarch64-static nm readelf objdump
  python3 clang-format-19 bash qemu-system-x86_64 busybox depmod cpio xz mke2fs apt-get dpkg-deb
  id uname node npm chromium"

# The commands of this machine, but for those that are stubs here.
mkdir "$folder/commands" "$folder/stubs"
for at in $(echo "$PATH" | tr ':' ' '); do
  [ -d "$at" ] && ln -s "$at"/* "$folder/commands/" 2>/dev/null
done
for name in $stubs gcc; do
  rm -f "$folder/commands/$name"
done
rm -f "$folder"/commands/clang-* "$folder"/commands/python3.*

# A program that does nothing, or as told by the environment.
cat >"$folder/stub" <<'END'
#!/bin/sh
for argument in "$@"; do # of a compiler
  case " ${STUB_REFUSES:-} " in *" $argument "*) echo "stub: what is $argument?" >&2; exit 1 ;; esac
  [ "${before:-}" != -o ] || { printf '#!/bin/sh\n' >"$argument" && chmod +x "$argument"; }
  before=$argument
done
case ${0##*/} in
  id) echo "${STUB_USER:-1000}" ;;
  uname) echo "Linux x86_64" ;;
  python3) [ -z "${STUB_OLD_PYTHON:-}" ] ;;
esac
END
chmod +x "$folder/stub"
for name in $stubs; do
  cp "$folder/stub" "$folder/stubs/$name"
done
bash=$(command -v bash) && ln -sf "$bash" "$folder/stubs/bash"

# Runs SCRIPT in a dry run, with the tools that are not hidden and the SETTINGS of this case. 77 is
# how a test of CMake says that it was skipped.
run() { # STATUS-IF-SKIPPED SCRIPT ARGUMENT...
  allowed=$1
  shift
  result=0
  # shellcheck disable=SC2086 # words
  env -i PATH="$folder/tools:$folder/commands" HOME="$folder" OFFLOAD_DRY_RUN=1 $settings \
    sh "$@" >"$folder/said" 2>&1 || result=$?
  cat "$folder/said" >>"$folder/all"
  if [ "$result" -ne 0 ] && ! { [ "$result" -eq "$allowed" ] && grep -q '^skipped' "$folder/said"; }
  then
    echo "test_optional_tools: without $hidden: ${1#"$top"/} ended with $result:" >&2
    cat "$folder/said" >&2
    faults=$((faults + 1))
  fi
}

run_all() {
  : >"$folder/all"
  run 0 "$top/build-tools/freestanding_test.sh"
  run 0 "$top/build-tools/neon_test.sh"
  run 0 "$top/build-tools/sanitizer_test.sh" "$top/device-sim" "$folder/sanitized"
  run 0 "$top/build-tools/thread_sanitizer_test.sh" "$top/device-sim" "$folder/sanitized"
  run 0 "$top/build-tools/check_wire.sh"
  run 77 "$top/build-tools/check_vectors.sh"
  run 0 "$top/build-tools/check_c_format.sh"
  run 0 "$top/build-tools/check_elf.sh" a.so -
  run 77 "$top/build-tools/tests/test_check_elf.sh" cc
  run 0 "$top/whole-test/nvme-guest/in_build.sh"
  run 0 "$top/build-tools/browser_test.sh" "$folder/browser" classes
}

# What a line is about: what stands between the first two colons.
subjects() {
  sed -n -e 's/^skipped: \([^:]*\): .*/\1/p' -e 's/^would run: \([^:]*\): .*/\1/p' \
    "$folder/all" | sort
}

# Hides tools; the standard input has the lines of what is skipped then.
hide() { # "TOOL ..." "NAME=VALUE ..."
  hidden=${1:-nothing}
  settings=${2:-}
  cases=$((cases + 1))
  mkdir "$folder/tools"
  for name in $stubs; do
    case " $1 " in *" $name "*) ;; *) ln -s "$folder/stubs/$name" "$folder/tools/" ;; esac
  done
  run_all
  rm -r "$folder/tools"
  sed 's/^/skipped: /' | sort >"$folder/expected"
  grep '^skipped: ' "$folder/all" | sort >"$folder/skipped"
  if ! diff "$folder/expected" "$folder/skipped" >"$folder/diff"; then
    echo "test_optional_tools: without $hidden ($settings): expected (<) is not skipped (>):" >&2
    cat "$folder/diff" >&2
    faults=$((faults + 1))
  fi
  # Each check says once that it runs or that it does not.
  subjects >"$folder/subjects"
  [ -e "$folder/wanted" ] || cp "$folder/subjects" "$folder/wanted"
  if ! diff "$folder/wanted" "$folder/subjects" >"$folder/diff"; then
    echo "test_optional_tools: without $hidden ($settings): silent (<) or heard twice (>):" >&2
    cat "$folder/diff" >&2
    cat "$folder/all" >&2
    faults=$((faults + 1))
  fi
}

cases=0
faults=0
kernels="kernels on AArch64"
r5="the core on Cortex-R5"
a53="the core on Cortex-A53"
golden="golden programs on Cortex-A53"
address="the engine's tests under AddressSanitizer and UndefinedBehaviorSanitizer"
threads="the engine's tests of several threads under ThreadSanitizer"
wire="whether the generated wire files are up to date"
vectors="whether the golden vectors are up to date"
format="format of the C sources"
no_format="no clang-format-19 (CONTRIBUTING.md)"
elf="hardening of a.so"
marks="control-flow marks of a.so"
faulty="whether check_elf.sh finds faults"
guest="the NVMe guest test"
page="pages in a browser"
no_r5="neither arm-none-eabi-gcc (gcc-arm-none-eabi) nor a clang that knows the processor"
no_a53="no aarch64-linux-gnu-gcc (gcc-aarch64-linux-gnu)"
no_qemu="no qemu-aarch64-static (qemu-user-static)"

hide "" </dev/null
if [ "$(wc -l <"$folder/wanted")" -ne 14 ]; then
  echo "test_optional_tools: not 14 checks, but:" >&2
  cat "$folder/wanted" >&2
  faults=$((faults + 1))
fi
hide clang </dev/null
hide arm-none-eabi-gcc </dev/null
hide "clang arm-none-eabi-gcc" <<END
$r5: $no_r5
END
hide "arm-none-eabi-gcc" STUB_REFUSES=--target=armv7r-none-eabi <<END
$r5: $no_r5
END
hide aarch64-linux-gnu-gcc <<END
$kernels: $no_a53
$a53: $no_a53
$golden: $no_a53
END
hide "" STUB_REFUSES=-static <<END
$kernels: aarch64-linux-gnu-gcc links no static program (libc6-dev-arm64-cross)
END
hide qemu-aarch64-static <<END
$kernels: $no_qemu
$golden: $no_qemu
END
hide nm <<END
$r5: no nm (binutils)
$a53: no nm (binutils)
$golden: no nm (binutils)
END
hide "" STUB_REFUSES=-fsanitize=address,undefined <<END
$address: cc cannot link them: stub: what is -fsanitize=address,undefined?
END
hide "" STUB_REFUSES=-fsanitize=thread <<END
$threads: cc cannot link them: stub: what is -fsanitize=thread?
END
hide cc </dev/null # clang takes its place
hide "cc clang" <<END
$address: no C compiler
$threads: no C compiler
END
hide python3 <<END
$wire: no python3
$vectors: no python3
END
hide "" STUB_OLD_PYTHON=yes <<END
$wire: python3 reads no TOML (3.11 or later does)
$vectors: python3 reads no TOML (3.11 or later does)
END
hide clang-format-19 <<END
$format: $no_format
END
hide readelf <<END
$elf: no readelf (binutils)
$marks: no readelf (binutils)
$faulty: no readelf (binutils)
END
hide objdump <<END
$marks: no objdump (binutils)
$faulty: no objdump (binutils)
END
hide node <<END
$page: no node
END
hide npm <<END
$page: no npm
END
hide chromium <<END
$page: no chromium
END
hide bash <<END
$guest: no bash
END
if [ -n "$bash" ]; then
  hide "" OFFLOAD_GUEST=no <<END
$guest: OFFLOAD_GUEST=no
END
  hide apt-get <<END
$guest: it takes kernels from Debian, and there is no apt-get
END
  hide dpkg-deb <<END
$guest: it takes kernels from Debian, and there is no dpkg-deb
END
  hide qemu-system-x86_64 <<END
$guest: install qemu-system-x86 first, or run it as root
END
  hide qemu-system-x86_64 STUB_USER=0 </dev/null # installs it
  hide "busybox cpio xz" <<END
$guest: install busybox-static cpio xz-utils first, or run it as root
END
fi
all=$(echo "$stubs" | tr -d '\n' | sed 's/ id uname//')
hide "$all" <<END
$r5: no nm (binutils)
$a53: no nm (binutils)
$golden: no nm (binutils)
$kernels: $no_a53
$address: no C compiler
$threads: no C compiler
$wire: no python3
$vectors: no python3
$format: $no_format
$elf: no readelf (binutils)
$marks: no readelf (binutils)
$faulty: no readelf (binutils)
$guest: no bash
$page: no node
END

[ "$faults" -eq 0 ] || exit 1
echo "optional tools: $cases ways to lack them, each with its reason"
