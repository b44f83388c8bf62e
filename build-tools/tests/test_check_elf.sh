#!/bin/sh
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# check_elf.sh passes a hardened library and finds each thing that another one lacks.
#
# usage: test_check_elf.sh COMPILER
# Exits with 77 (skipped), and the reason, where a tool or a linker for ELF files is missing.
set -u
. "$(dirname "$0")/../optional.sh"
what="whether check_elf.sh finds faults"
check=$(cd "$(dirname "$0")/.." && pwd)/check_elf.sh
compiler=$1
for tool in readelf objdump; do
  if ! have "$tool"; then
    skipped "$what" "no $tool (binutils)"
    exit 77
  fi
done
if dry_run "$what" "$compiler, readelf, objdump"; then
  exit 0
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/a.c" <<'END'
#include <string.h>
__attribute__((visibility("default"))) int ours_copy(char *to, const char *from) {
  char between[64];
  strcpy(between, from);
  strcpy(to, between);
  return (int)strlen(between);
}
END
good="-shared -O2 -fPIC -fvisibility=hidden -fstack-protector-strong -U_FORTIFY_SOURCE
  -D_FORTIFY_SOURCE=2 -Wl,-z,relro,-z,now,-z,noexecstack"
case $(uname -m) in x86_64) good="$good -fcf-protection=full" ;; esac
echo 'int x;' >"$folder/probe.c"
# shellcheck disable=SC2086
if ! "$compiler" $good -o "$folder/probe.so" "$folder/probe.c" 2>/dev/null ||
  ! readelf -h "$folder/probe.so" >/dev/null 2>&1; then
  skipped "$what" "$compiler links no hardened ELF library"
  exit 77
fi
faults=0

# WORD in the complaint, or "" if there must be none; then the compiler's further options
try() {
  word=$1
  shift
  # shellcheck disable=SC2086
  "$compiler" $good "$@" -o "$folder/a.so" "$folder/a.c" 2>/dev/null || {
    echo "cannot build with $*" >&2
    faults=1
    return
  }
  said=$("$check" "$folder/a.so" ours_ 2>&1)
  result=$?
  if [ -z "$word" ]; then
    [ "$result" -eq 0 ] && return
  else
    [ "$result" -ne 0 ] && echo "$said" | grep -q -e "$word" && return
  fi
  echo "with $*: exit code $result: $said" >&2
  faults=1
}

try ""
try "relro" -Wl,-z,norelro
try "z now" -Wl,-z,lazy
try "noexecstack" -Wl,-z,execstack
try "RPATH" -Wl,-rpath,/nowhere
try "stack-protector" -fno-stack-protector
try "FORTIFY" -U_FORTIFY_SOURCE
case $(uname -m) in x86_64) try "cf-protection" -fcf-protection=none ;; esac
try "ours_" -fvisibility=default -Dours_copy=theirs_copy
exit $faults
