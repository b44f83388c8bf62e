#!/usr/bin/env python3
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
"""Turns offload_wire.toml into the C header, the Java accessors and the tables of WIRE.md.

In Java, OffloadWire holds the constants and enumerations, and package wire.layout one class of
accessors for each struct.

usage: gen_wire.py [--check]

Without arguments the outputs are written; with --check they are compared with what is there and
the exit status is 1 if any differs. Layout errors (a gap, a misaligned or overlapping field, a
size that does not add up, two members of one value) end the run with a message.
"""
import itertools
import pathlib
import re
import sys
import textwrap
import tomllib

import gen_ops
from gen_text import LICENCE, NOTICE, camel, capital, fail, java_doc, number, put_between

WIRE = pathlib.Path(__file__).resolve().parent
TOP = WIRE.parent
C_HEADER = TOP / "device-sim/include/csd/csd_wire.h"
C_GLUE = TOP / "jni-bridge/src/main/c/jni_structs.h"
C_FIELDS = TOP / "device-sim/tests/vectors/wire_fields.inc"
JAVA = TOP / "lucene-offload/src/main/java/org/luceneoffload/wire/OffloadWire.java"
JAVA_LAYOUTS = JAVA.parent / "layout"
JAVA_FIELDS = TOP / "lucene-offload/src/test/java/org/luceneoffload/wire/WireFields.java"
JAVA_OPERATORS = JAVA.parent / "Operator.java"
C_OP_RULES = TOP / "device-sim/src/core/plan/op_rules.inc"
TEXT, README = WIRE / "WIRE.md", TOP / "README.md"

SIZES = {"u8": 1, "u16": 2, "i32": 4, "u32": 4, "f32": 4, "f64": 8, "i64": 8, "u64": 8}
C_TYPES = {"u8": "uint8_t", "u16": "uint16_t", "i32": "int32_t", "u32": "uint32_t",
           "f32": "float", "f64": "double", "i64": "int64_t", "u64": "uint64_t"}


def split_type(text):
    """Returns (element type, count); count is 0 for a scalar."""
    match = re.fullmatch(r"(\w+)(?:\[(\d+)\])?", text)
    if not match or match[1] not in SIZES:
        fail(f"unknown type '{text}'")
    return match[1], int(match[2] or 0)


def lay_out(name, struct):
    """Adds an offset to each field; fails on anything but a gapless, aligned layout."""
    offset, seen = 0, set()
    for field in struct["fields"]:
        element, count = split_type(field["type"])
        if field["name"] in seen:
            fail(f"{name}.{field['name']} stands twice")
        seen.add(field["name"])
        if offset % SIZES[element]:
            fail(f"{name}.{field['name']} at {offset} is not aligned to {SIZES[element]}")
        field["offset"], field["element"], field["count"] = offset, element, count
        offset += SIZES[element] * max(count, 1)
    if offset != struct["size"]:
        fail(f"{name} adds up to {offset} bytes, not {struct['size']}")


def members(enum):
    return list(gen_ops.members(enum).items())


def check_enum(name, enum):
    values = [v["value"] for _, v in members(enum)]
    if len(set(values)) != len(values):
        fail(f"enum {name} has two members of one value")


def c_struct(tag, struct):
    """A struct in C, with checks of its layout."""
    out = ["", f"/** {struct['doc']} */", f"struct {tag} {{"]
    for field in struct["fields"]:
        array = f"[{field['count']}]" if field["count"] else ""
        out.append(f"  {C_TYPES[field['element']]} {field['name']}{array}; "
                   f"/**< {field['doc']} */")
    out += ["};", f"_Static_assert(sizeof(struct {tag}) == {struct['size']}, "
                  f"\"{tag} has {struct['size']} bytes\");"]
    return out + [f"_Static_assert(offsetof(struct {tag}, {field['name']}) == "
                  f"{field['offset']}, \"{field['name']} is at {field['offset']}\");"
                  for field in struct["fields"]]


def c_glue(wire):
    out = [f"/* {LICENCE} */", f"/* {NOTICE} */",
           "/* Structs that Java hands to its native glue. */",
           "/* clang-format off */", "#ifndef CSD_JNI_STRUCTS_H", "#define CSD_JNI_STRUCTS_H", "",
           "#include <stddef.h>", "#include <stdint.h>"]
    for name, struct in wire["glue"].items():
        out += c_struct(f"jni_{name}", struct)
    return "\n".join(out + ["", "#endif"]) + "\n"


def c_header(wire):
    out = [f"/* {LICENCE} */", f"/* {NOTICE} */",
           "/* clang-format off */", "#ifndef CSD_WIRE_H", "#define CSD_WIRE_H", "",
           "#include <stddef.h>", "#include <stdint.h>", "",
           f"#define CSD_WIRE_VERSION {wire['wire']['version']}u", ""]
    for name, const in wire["constants"].items():
        out += [f"/** {const['doc']} */", f"#define CSD_{name} {number(const['value'])}u"]
    for name, enum in wire["enums"].items():
        out += ["", f"/** {enum['doc']} */", f"enum csd_{name} {{"]
        for key, member in members(enum):
            out.append(f"  CSD_{name.upper()}_{key} = {number(member['value'])}, "
                       f"/**< {member['doc']} */")
        out.append("};")
    top = max(op["value"] for op in wire["ops"].values())
    out += ["", "/** Bits of device_info.op_bits: 1 << o for each operator o. */",
            f"#define CSD_OP_ALL_BITS UINT64_C(0x{gen_ops.bits(wire['ops'], wire['ops']):X})",
            "/** One above the highest number of an operator. */",
            f"#define CSD_OP_END {top + 1}u"]
    for name, struct in wire["structs"].items():
        out += c_struct(f"csd_{name}", struct)
    out += ["", "#endif"]
    return "\n".join(out) + "\n"


def c_fields(wire):
    out = [f"/* {LICENCE} */", f"/* {NOTICE} */",
           "/* One row a field: WIRE_FIELD(struct, field, offset, type, count) */"]
    for name, struct in wire["structs"].items():
        for f in struct["fields"]:
            out.append(f"WIRE_FIELD({name}, {f['name']}, {f['offset']}, {f['element']}, "
                       f"{f['count']})")
    out.append("/* One row a status: WIRE_STATUS(name, value) */")
    for key, member in members(wire["enums"]["status"]):
        out.append(f"WIRE_STATUS({key}, {member['value']})")
    return "\n".join(out) + "\n"


JAVA_GET = {
    "u8": ("int", "Byte.toUnsignedInt(b.get(at + {o}))"),
    "u16": ("int", "Short.toUnsignedInt(b.getShort(at + {o}))"),
    "u32": ("int", "b.getInt(at + {o})"),
    "i32": ("int", "b.getInt(at + {o})"),
    "f32": ("float", "b.getFloat(at + {o})"),
    "f64": ("double", "b.getDouble(at + {o})"),
    "i64": ("long", "b.getLong(at + {o})"),
    "u64": ("long", "b.getLong(at + {o})"),
}
JAVA_PUT = {"u8": "b.put(at + {o}, (byte) v);", "u16": "b.putShort(at + {o}, (short) v);",
            "u32": "b.putInt(at + {o}, v);", "i32": "b.putInt(at + {o}, v);",
            "f32": "b.putFloat(at + {o}, v);", "f64": "b.putDouble(at + {o}, v);",
            "i64": "b.putLong(at + {o}, v);",
            "u64": "b.putLong(at + {o}, v);"}


def lower_camel(name):
    return name.split("_")[0] + camel("_".join(name.split("_")[1:]))


def java_element(field, kind, get):
    """Accessors of an element of an array; `at` is where the struct starts."""
    base = field["offset"]
    at = f"at + {base} + i * {SIZES[field['element']]}"
    name = lower_camel(field["name"])
    return ["", f"  /** Reads element i of {field['name']}, 0 to {field['count'] - 1}. */",
            f"  public static {kind} {name}(ByteBuffer b, int at, int i) {{",
            f"    return {get.replace('at + {o}', at)};", "  }", "",
            f"  /** Writes element i of {field['name']}, 0 to {field['count'] - 1}. */",
            f"  public static void {name}(ByteBuffer b, int at, int i, {kind} v) {{",
            f"    {JAVA_PUT[field['element']].replace('at + {o}', at)}", "  }"]


# Enumerations whose members Java knows the names of, with what makes a name of a key.
NAMED = {"status": str, "way": lambda key: key.lower().replace("_", " ")}


def java_constants(wire):
    out = [f"/* {LICENCE} */", f"// {NOTICE}", "package org.luceneoffload.wire;", "",
           "/**",
           " * Constants and enumerations of the wire between host and device. "
           "Package {@code layout} "
           "has the",
           " * structs. The text is {@code wire/WIRE.md}.",
           " */", "public final class OffloadWire {", "  private OffloadWire() {}", "",
           "  /** Version of the wire. */",
           f"  public static final int VERSION = {wire['wire']['version']};"]
    for name, const in wire["constants"].items():
        out += [""] + java_doc(capital(const["doc"]), "  ")
        out.append(f"  public static final int {name} = {number(const['value'])};")
    for name, enum in wire["enums"].items():
        out += [""] + java_doc(capital(enum["doc"]), "  ")
        out += [f"  public static final class {camel(name)} {{",
                f"    private {camel(name)}() {{}}"]
        for key, member in members(enum):
            out += [""] + java_doc(capital(member["doc"]), "    ")
            out.append(f"    public static final int {key} = {number(member['value'])};")
        if name in NAMED:
            out += ["", "    /**", f"     * {{@return the name of a {name}, for people}}", "     *",
                    f"     * @param {name} the number", "     */",
                    f"    public static String name(int {name}) {{",
                    f"      return switch ({name}) {{"]
            out += [f'        case {key} -> "{NAMED[name](key)}";' for key, _ in members(enum)]
            out += [f'        default -> "{name} " + {name};', "      };", "    }"]
        out.append("  }")
    out.append("}")
    return "\n".join(out) + "\n"


def java_layout(name, struct, package, cls):
    accessors = []
    for f in struct["fields"]:
        accessors += [""] + java_doc(f"Offset: {f['doc']}.", "  ")
        accessors.append(f"  public static final int {f['name'].upper()} = {f['offset']};")
        if f["name"].startswith("reserved") or f["count"] and f["element"] == "u8":
            continue
        kind, get = JAVA_GET[f["element"]]
        if f["count"]:
            accessors += java_element(f, kind, get)
            continue
        field = lower_camel(f["name"])
        accessors += [""] + java_doc(f"Reads {f['name']}.", "  ")
        accessors += [f"  public static {kind} {field}(ByteBuffer b, int at) {{",
                      f"    return {get.format(o=f['offset'])};", "  }", ""]
        accessors += java_doc(f"Writes {f['name']}.", "  ")
        accessors += [f"  public static void {field}(ByteBuffer b, int at, {kind} v) {{",
                      f"    {JAVA_PUT[f['element']].format(o=f['offset'])}", "  }"]
    out = [f"/* {LICENCE} */", f"// {NOTICE}", f"package org.luceneoffload.{package};", "",
           "import java.nio.ByteBuffer;", ""]
    out += java_doc(f"The struct {name}: {struct['doc']}" + ("" if struct["doc"].endswith(".")
                                                             else "."), "")
    out += [f"public final class {cls} {{", f"  private {cls}() {{}}", "",
            "  /** Bytes of the struct. */",
            f"  public static final int BYTES = {struct['size']};"] + accessors + ["}"]
    return "\n".join(line.replace("at + 0)", "at)").replace("at + 0,", "at,")
                     for line in out) + "\n"


def java_layouts(wire):
    """The files of package wire.layout, by path."""
    text = "\n".join([
        f"/* {LICENCE} */", f"// {NOTICE}",
        "/**",
        " * The structs of the wire: one class each, with the offset of every field and accessors",
        " * over a buffer.",
        " *",
        " * <p>An accessor takes a buffer in little-endian order and the byte offset "
        "of its struct.",
        " * Unsigned 32-bit fields are returned as {@code int}.",
        " */", "package org.luceneoffload.wire.layout;"]) + "\n"
    files = {JAVA_LAYOUTS / "package-info.java": text}
    for name, struct in wire["structs"].items():
        cls = f"{camel(name)}Layout"
        files[JAVA_LAYOUTS / f"{cls}.java"] = java_layout(name, struct, "wire.layout", cls)
    return files


def java_glue(wire):
    """The classes of structs between Java and its native glue, by path."""
    files = {}
    for name, struct in wire["glue"].items():
        package, cls = struct["package"], f"{camel(name)}Struct"
        home = TOP / struct["module"] / "src/main/java/org/luceneoffload"
        files[home / package.replace(".", "/") / f"{cls}.java"] = java_layout(
            name, struct, package, cls)
    return files


def java_fields(wire):
    out = [f"/* {LICENCE} */", f"// {NOTICE}", "package org.luceneoffload.wire;", "",
           "import java.util.List;", "",
           "/** Every field of the wire by name, for the tests that loop over golden vectors. */",
           "final class WireFields {", "  private WireFields() {}", "",
           "  /** A field: its struct, name, byte offset, element type and count (0: a scalar). */",
           "  record Field(String struct, String name, int offset, String type, int count) {}", "",
           "  static final List<Field> ALL =", "      List.of("]
    rows = [f'          new Field("{s}", "{f["name"]}", {f["offset"]}, "{f["element"]}", '
            f'{f["count"]})' for s, struct in wire["structs"].items() for f in struct["fields"]]
    out.append(",\n".join(rows) + ");")
    out.append("}")
    return "\n".join(out) + "\n"


def point(head, entries):
    """A point of a list, filled to lines: what it is, then its entries, pairs of code and text."""
    text = " ".join([f"- {head}"] + [
        f"`{code}` ".replace(" ", "\u00a0", code.count(" ")) + text.removesuffix(".") + "."
        for code, text in entries])
    rows = textwrap.wrap(text, 150, subsequent_indent="  ", break_long_words=False,
                         break_on_hyphens=False)
    return [row.replace("\u00a0", " ") for row in rows]


def struct_rows(name, struct, told):
    """A struct as rows of the table of structs, with a row for neighbours of one type and meaning,
    and one for neighbours that are those of a struct before, which `told` has by field.

    Bytes that no row names are reserved.
    """
    rows = [f"| | | **{name}**, {struct['size']} bytes | {struct['doc']} |"]
    fields = [f for f in struct["fields"] if not f["name"].startswith("reserved")]
    facts = [tuple(f[key] for key in ("offset", "type", "name", "doc")) for f in fields]
    runs = [list(run) for _, run in itertools.groupby(facts, told.get)]
    for run in runs:
        before = told.get(run[0])
        if before and len(run) > 1:
            cells = [joined(run, 0), joined(run, 1), joined(run, 2), f"as in {before}"]
            rows.append("| " + " | ".join(cells) + " |")
            continue
        for (kind, doc), group in itertools.groupby(run, lambda fact: (fact[1], fact[3])):
            group = list(group)
            rows.append(f"| {joined(group, 0)} | {kind} | {joined(group, 2)} | {doc} |")
    for fact in facts:
        told.setdefault(fact, name)
    return rows


def joined(facts, column):
    return ", ".join(str(fact[column]) for fact in facts)


# The kinds of constants, each with a test of a name.
CONSTANTS = {
    "Limits": lambda name: name.startswith("MAX_"),
    "First bytes": lambda name: name.endswith("_MAGIC"),
    "Others": lambda name: not name.startswith("MAX_") and not name.endswith("_MAGIC"),
}


def of_model(name):
    """Returns whether the C header alone tells of this, as the timing model alone has it."""
    return name.lower().startswith("model_")


def tables(wire):
    out = [f"<!-- {NOTICE} -->", "", *textwrap.wrap(
        f"Wire version {wire['wire']['version']}. Constants, enumerations and structs whose names "
        "begin with MODEL_ or model_ are those of the timing model, which only devices that "
        "simulate others know; `device-sim/include/csd/csd_wire.h` has them, with the meaning of "
        "each.", 150, break_on_hyphens=False), "", "### Constants", ""]
    for head, belongs in CONSTANTS.items():
        out += point(f"**{head}**:", [(f"{k} = {number(v['value'])}", v["doc"])
                                      for k, v in wire["constants"].items()
                                      if belongs(k) and not of_model(k)])
    out += ["", "### opcode", "", wire["enums"]["opcode"]["doc"], "",
            "| name | value | meaning |", "| --- | --- | --- |"]
    out += [f"| {k} | 0x{v['value']:02X} | {v['doc']} |"
            for k, v in members(wire["enums"]["opcode"])]
    out += ["", "### op", "", wire["enums"]["op"]["doc"] + " " + gen_ops.RULES_HEAD, ""]
    out += gen_ops.rules(wire)
    out += ["", "### Enumerations", ""]
    for name, enum in wire["enums"].items():
        if name not in ("op", "opcode") and not of_model(name):
            out += point(f"**{name}**: {enum['doc']}",
                         [(f"{k} = {v['value']}", v["doc"]) for k, v in members(enum)])
    out += ["", "### Structs", "", "Bytes that no row names are reserved.", "",
            "| offset | type | field | meaning |", "| --- | --- | --- | --- |"]
    told = {}
    for name, struct in wire["structs"].items():
        out += [] if of_model(name) else struct_rows(name, struct, told)
    return "\n" + "\n".join(out) + "\n"


def texts(wire):
    """The texts that people write, with what is generated in them."""
    parts = {TEXT: {"matches": gen_ops.matches(wire), "scores": gen_ops.scores(wire),
                    "tables": tables(wire)},
             README: {"queries": gen_ops.queries(wire)}}
    out = {}
    for path, bodies in parts.items():
        out[path] = path.read_text(encoding="utf-8")
        for name, body in bodies.items():
            out[path] = put_between(path, out[path], name, body)
    return out


def load():
    """Returns offload_wire.toml, checked, with offsets of fields and the members of `op`."""
    wire = tomllib.loads((WIRE / "offload_wire.toml").read_text(encoding="utf-8"))
    for name, struct in [*wire["structs"].items(), *wire["glue"].items()]:
        lay_out(name, struct)
    gen_ops.check(wire)
    wire["enums"]["op"].update(wire["ops"])
    for name, enum in wire["enums"].items():
        check_enum(name, enum)
    return wire


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    wire = load()
    outputs = {C_HEADER: c_header(wire), C_FIELDS: c_fields(wire), JAVA: java_constants(wire),
               JAVA_FIELDS: java_fields(wire), **java_layouts(wire), **java_glue(wire),
               C_GLUE: c_glue(wire),
               C_OP_RULES: gen_ops.c_rules(wire), JAVA_OPERATORS: gen_ops.java_operators(wire),
               **texts(wire)}
    stale = [p for p, text in outputs.items()
             if not p.exists() or p.read_text(encoding="utf-8") != text]
    strays = [p for p in JAVA_LAYOUTS.glob("*.java") if p not in outputs]
    if strays:
        fail("no struct has this file: " + ", ".join(str(p.relative_to(TOP)) for p in strays))
    if sys.argv[1:] == ["--check"]:
        if stale:
            fail("out of date, run wire/gen_wire.py: "
                 + ", ".join(str(p.relative_to(TOP)) for p in stale))
        return
    for path in stale:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(outputs[path], encoding="utf-8")
        print(f"wrote {path.relative_to(TOP)}")


if __name__ == "__main__":
    main()
