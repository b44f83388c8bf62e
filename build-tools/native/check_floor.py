#!/usr/bin/env python3
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
"""Checks what a library of cross_build.sh asks of the system that loads it.

usage: check_floor.py LIBRARIES

Linux: no symbol above GLIBC_2.17, or musl alone. macOS: nothing but the system's own library,
release 11 or later, a signature on Apple silicon, and no symbol exported but the JVM's. Both: no
path of the build.
"""
import pathlib
import re
import struct
import subprocess
import sys

FLOOR = (2, 17)
PREFIX = "Java_org_luceneoffload_"
SYSTEM = {"libc.so.6", "libpthread.so.0", "libm.so.6", "libdl.so.2", "librt.so.1"}
LOADERS = {"ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}


def readelf(option, path):
    command = ["readelf", "-W", option, str(path)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def of_linux(path, libc):
    """Returns the faults of an ELF library, and what it asks for in a few words."""
    faults = []
    needed = set(re.findall(r"\(NEEDED\).*\[(.*)\]", readelf("-d", path)))
    if libc == "musl":
        if needed != {"libc.so"}:
            faults.append(f"needs {sorted(needed)}, not libc.so alone")
        return faults, "libc.so"
    if not needed <= SYSTEM | LOADERS:
        faults.append(f"needs {sorted(needed - SYSTEM - LOADERS)}")
    asked = re.findall(r"@(GLIBC_[0-9.]+|\S*PRIVATE)", readelf("--dyn-syms", path))
    numbers = [tuple(map(int, name[6:].split("."))) for name in asked if name[6:7].isdigit()]
    if not numbers or len(numbers) != len(asked):
        faults.append("asks for no version of glibc, or for what is private there")
        return faults, "?"
    highest = max(numbers)
    if highest > FLOOR:
        faults.append(f"asks for glibc {highest}")
    return faults, "GLIBC_" + ".".join(map(str, highest)) + " at most"


# Load commands of <mach-o/loader.h>.
SYMTAB, LOAD_DYLIB, DYLIB, BUILD_VERSION, SIGNATURE = 0x2, 0xC, 0xD, 0x32, 0x1D
PROCESSORS = {0x01000007: "x86_64", 0x0100000C: "aarch64"}
EXTERNAL, DEFINED = 0x01, 0x0E
LINKER = {"__mh_dylib_header", "___dso_handle"}  # what every library has


def load_commands(data):
    count = struct.unpack_from("<I", data, 16)[0]
    at = 32
    for _ in range(count):
        command, size = struct.unpack_from("<II", data, at)
        yield command & 0x7FFFFFFF, at
        at += size


def text_at(data, at):
    return data[at : data.index(b"\0", at)].decode()


def exported(data, at):
    symbols, count, strings, _ = struct.unpack_from("<IIII", data, at + 8)
    for i in range(count):
        name, kind = struct.unpack_from("<IB", data, symbols + 16 * i)
        if kind & EXTERNAL and kind & DEFINED and not kind & 0x10:
            yield text_at(data, strings + name)


def of_macos(path, processor):
    """Returns the faults of a Mach-O library, and what it asks for in a few words."""
    data = path.read_bytes()
    magic, cpu, _, kind = struct.unpack_from("<IIII", data, 0)
    if magic != 0xFEEDFACF or kind != 6 or PROCESSORS.get(cpu) != processor:
        return [f"is no 64-bit library for {processor}"], "?"
    faults, needed, names, release, signed = [], [], [], None, False
    for command, at in load_commands(data):
        if command == LOAD_DYLIB:
            needed.append(text_at(data, at + struct.unpack_from("<I", data, at + 8)[0]))
        elif command == DYLIB:
            own = text_at(data, at + struct.unpack_from("<I", data, at + 8)[0])
            if not own.startswith("@rpath/"):
                faults.append(f"is named {own}")
        elif command == BUILD_VERSION:
            release = struct.unpack_from("<I", data, at + 12)[0] >> 16
        elif command == SYMTAB:
            names = list(exported(data, at))
        elif command == SIGNATURE:
            signed = True
    if needed != ["/usr/lib/libSystem.B.dylib"]:
        faults.append(f"needs {needed}")
    if release != 11:
        faults.append(f"is for release {release}")
    if processor == "aarch64" and not signed:
        faults.append("is not signed")
    names = [name for name in names if name not in LINKER]
    foreign = [name for name in names if not name.startswith("_" + PREFIX)]
    if not names or foreign:
        faults.append(f"exports {foreign[:5]} of {len(names)}")
    return faults, f"macOS {release}, {len(names)} symbols exported"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    found = bad = 0
    for path in sorted(pathlib.Path(sys.argv[1]).glob("*/*lib*")):
        system, _, rest = path.parent.name.partition("-")
        if system == "linux":
            faults, asked = of_linux(path, rest.rpartition("-")[2])
        else:
            faults, asked = of_macos(path, rest)
        if re.search(rb"/jni-bridge/|\.c\.o\0", path.read_bytes()):
            faults.append("names the folder where it was built")
        found += 1
        bad += bool(faults)
        for fault in faults:
            print(f"check_floor: {path.parent.name}: {fault}", file=sys.stderr)
        print(f"{path.parent.name}: {asked}, {path.stat().st_size} bytes")
    if found == 0:
        sys.exit(f"check_floor: no library below {sys.argv[1]}")
    sys.exit(bad > 0)


main()
