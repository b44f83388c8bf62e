#!/bin/sh
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# Reads an ELF file and says whether it is built as hardened as it should be: relocations read-only
# and bound at load, no executable stack, no segment that is both writable and executable, no
# relocation in the text, stack canaries and checked copies in use, control-flow marks on x86-64;
# a library exports what it should and nothing else; a program is position-independent.
#
# usage: check_elf.sh FILE PREFIX      FILE: or a folder, with one library somewhere below
#                                      PREFIX: what every exported symbol of a library starts with;
#                                      for a program: -
#   CANARIES=inside                    a compiler that brings what canaries call, as zig does
# Without readelf it is skipped with the reason, without objdump only the control-flow marks are.
# Not for builds with sanitizers.
set -u
. "$(dirname "$0")/optional.sh"
file=$1
prefix=$2
what="hardening of $file"
marks="control-flow marks of $file"
if ! have readelf; then
  skipped "$what" "no readelf (binutils)"
  skipped "$marks" "no readelf (binutils)"
  exit 0
fi
have objdump || skipped "$marks" "no objdump (binutils)"
if dry_run "$what" readelf; then
  ! have objdump || dry_run "$marks" objdump
  exit 0
fi
if [ -d "$file" ]; then
  file=$(find "$file" -name '*.so' | head -n 1)
  if [ -z "$file" ]; then
    skipped "$what" "no ELF library below $1"
    exit 0
  fi
fi
if [ ! -r "$file" ]; then
  echo "check_elf: no file $file" >&2
  exit 1
fi
faults=0

# says WHAT, if the command before failed
expect() {
  if [ "$1" -ne 0 ]; then
    echo "check_elf: $file: $2" >&2
    faults=$((faults + 1))
  fi
}

header=$(readelf -W -h "$file")
segments=$(readelf -W -l "$file")
dynamic=$(readelf -W -d "$file")
symbols=$(readelf -W --dyn-syms "$file")

echo "$header" | grep -q 'Type: *DYN'
expect $? "is not position-independent"
echo "$segments" | grep -q 'GNU_RELRO'
expect $? "has no read-only relocations (-z relro)"
echo "$dynamic" | grep -Eq 'BIND_NOW|FLAGS_1.*NOW'
expect $? "binds lazily (-z now)"
echo "$segments" | grep 'GNU_STACK' | grep -q ' RW  '
expect $? "has an executable stack, or does not say (-z noexecstack)"
! echo "$segments" | grep -q ' RWE '
expect $? "has a segment that is writable and executable"
! echo "$dynamic" | grep -q 'TEXTREL'
expect $? "relocates its text (-fPIC)"
! echo "$dynamic" | grep -Eq '\((RPATH|RUNPATH)\)'
expect $? "looks for libraries in a folder of the build (RPATH)"
[ "${CANARIES:-}" = inside ] || echo "$symbols" | grep -q 'UND __stack_chk_fail'
expect $? "has no stack canaries (-fstack-protector-strong)"
# musl has none.
if ! echo "$dynamic" | grep -q '(NEEDED).*\[libc\.so\]'; then
  echo "$symbols" | grep -Eq 'UND __[a-z]+_chk(@| |$)'
  expect $? "has no checked copies (_FORTIFY_SOURCE)"
fi
exported=$(echo "$symbols" | awk '$1 ~ /^[0-9]+:$/ && $7 != "UND" && $5 != "LOCAL" { print $8 }')
count=$(echo "$exported" | grep -c .)
# The note about it is lost where the C library's own start files lack it; the marks are not: what
# is called from elsewhere begins with one.
if echo "$header" | grep -q 'Machine:.*X86-64' && have objdump; then
  entries=$prefix
  [ "$prefix" = - ] && entries=main
  [ -z "$(objdump -d "$file" | awk -v entry="<$entries[A-Za-z0-9_]*(@@Base)?>:\$" '
    begins && !/endbr64/ { print }
    { begins = $0 ~ entry }')" ]
  expect $? "lacks control-flow marks (-fcf-protection)"
fi

if [ "$prefix" != - ]; then
  [ -n "$exported" ]
  expect $? "exports nothing"
  foreign=$(echo "$exported" | grep -v "^$prefix" | head -5 | tr '\n' ' ')
  [ -z "$foreign" ]
  expect $? "exports what is not $prefix...: $foreign"
fi
[ "$faults" -eq 0 ] || exit 1
echo "hardened: $(basename "$file"), $count symbols exported"
