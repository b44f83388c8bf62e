# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
"""Part of gen_wire.py: the operators of plan nodes, the tables [ops.*] of offload_wire.toml."""
import math
import textwrap

from gen_text import LICENCE, NOTICE, capital, fail, java_doc

# What fields of a node may refer to, with the name of one such entry.
TARGETS = {"lists": "list_ref", "tables": "table", "columns": "column_ref",
           "ranges": "value_range", "areas": "value_range", "resource": "resource"}
BITS = 64  # of device_info.op_bits
MAX = 2**32 - 1
RULES_HEAD = ("The number is its bit in `op_bits`, too; `since` is a wire version. A field is 0 "
              "where the table says 0, and means nothing where it says any.")
KEYS = {
    "": {"value", "since", "doc", "score", "queries", "children", "list", "table", "positions",
         "min_should", "weight", "range_count"},
    "children": {"min", "max", "ops", "occurs", "factor", "scored"},
    "list": {"is", "to", "each", "scored"},
    "table": {"is", "to", "each", "scored", "ascends"},
    "positions": {"uses", "places"},
    "min_should": {"is", "unit", "max"},
    "weight": {"is", "max"},
    "range_count": {"is", "unit", "min", "max_end"},
}


def check(wire):
    """Fails on a table that says what the generator does not know, or a number twice."""
    ops = wire["ops"]
    numbers = [op["value"] for op in ops.values()]
    if len(set(numbers)) != len(numbers) or not all(0 < n < BITS for n in numbers):
        fail(f"numbers of operators are not all different and from 1 to {BITS - 1}")
    for name, op in ops.items():
        for part, keys in KEYS.items():
            strange = set(op.get(part, {}) if part else op) - keys
            if strange:
                fail(f"ops.{name}: {part} has {sorted(strange)}")
        for field in ("list", "table"):
            if field in op and op[field]["to"] not in TARGETS:
                fail(f"ops.{name}.{field} refers to '{op[field]['to']}'")
        if not 1 <= op["since"] <= wire["wire"]["version"]:
            fail(f"ops.{name} is of wire version {op['since']}")
        if ("positions" in op) != (op.get("list", {}).get("each") == 2):
            fail(f"ops.{name}: pairs of lists, and only they, say what they know of positions")


def bits(names, enum):
    return sum(1 << enum[name]["value"] for name in names)


def members(enum):
    return {k: v for k, v in enum.items() if isinstance(v, dict)}


def rule(wire, op):
    """The facts about an operator, all of them, by the names of the C struct."""
    children, positions = op.get("children", {}), op.get("positions", {})
    all_ops, occurs = wire["ops"], members(wire["enums"]["occur"])
    factor = children.get("factor", (0, 0))
    none = not children
    return {
        "min_children": children.get("min", 0), "max_children": children.get("max", 0),
        "child_ops": 0 if none else bits(children.get("ops", all_ops), all_ops),
        "child_occurs": 0 if none else bits(children.get("occurs", occurs), occurs),
        "min_factor": factor[0], "max_factor": factor[1],
        "scores_children": not none and children.get("scored", True),
        "list": op.get("list"), "table": op.get("table"),
        "position_uses": sum(wire["enums"]["position_use"][use]["value"]
                             for use in positions.get("uses", ())),
        "places": positions.get("places", False),
        "max_min_should": op.get("min_should", {}).get("max", 0),
        "min_count": op.get("range_count", {}).get("min", 0),
        "max_count": MAX if "range_count" in op else 0,
        "max_end": op.get("range_count", {}).get("max_end", MAX),
        "max_weight": op.get("weight", {}).get("max", math.inf),
    }


# ---- C -----------------------------------------------------------------------------------------

def c_value(name, value):
    if name in ("list", "table"):
        facts = [f"CSD_REFERS_{value['to'].upper()}", str(value.get("each", 0))]
        facts += [str(value.get(flag, False)).lower() for flag in ("scored", "ascends")]
        return "{" + ", ".join(facts) + "}"
    if name in ("min_factor", "max_factor", "max_weight"):
        return "CSD_MAX_WEIGHT" if value == math.inf else f"{float(value)}f"
    if isinstance(value, bool):
        return str(value).lower()
    return f"0x{value:X}u" if value > 0xFFFF else f"{value}u"


def c_rules(wire):
    """The rows of csd_op_rules, see csd_ops.h."""
    out = [f"/* {LICENCE} */", f"/* {NOTICE} */"]
    for name, op in wire["ops"].items():
        out.append(f"[CSD_OP_{name}] = {{")
        out.append(f'  .name = "{name}",')
        out += [f"  .{fact} = {c_value(fact, value)}," for fact, value in rule(wire, op).items()
                if value]
        out.append("},")
    return "\n".join(out) + "\n"


# ---- Java --------------------------------------------------------------------------------------

def java_float(value):
    return "Float.MAX_VALUE" if value == math.inf else f"{value}f"


def java_reference(reference):
    if reference is None:
        return "Reference.NONE"
    facts = [f"Target.{reference['to'].upper()}", str(reference.get("each", 0))]
    facts += [str(reference.get(flag, False)).lower() for flag in ("scored", "ascends")]
    return f"new Reference({', '.join(facts)})"


def java_rule(facts):
    f = {k: str(v).lower() if isinstance(v, bool) else v for k, v in facts.items()}
    children = "Children.NONE" if facts["max_children"] == 0 else (
        f"new Children({f['min_children']}, {f['max_children']}, 0x{f['child_ops']:X}L, "
        f"{f['child_occurs']}, {java_float(f['min_factor'])}, {java_float(f['max_factor'])}, "
        f"{f['scores_children']})")
    return ["      new OperatorRule(", f"          {children},",
            f"          {java_reference(f['list'])},", f"          {java_reference(f['table'])},",
            f"          new Positions({f['position_uses']}, {f['places']}),",
            f"          {f['max_min_should']},",
            f"          new Count({f['min_count']}L, {f['max_count']}L, {f['max_end']}L),",
            f"          {java_float(f['max_weight'])}))"]


def java_operators(wire):
    out = [f"/* {LICENCE} */", f"// {NOTICE}", "package org.luceneoffload.wire;", ""]
    nested = ("Children", "Count", "Positions", "Reference", "Target")
    out += [f"import org.luceneoffload.wire.OperatorRule.{name};" for name in nested]
    out += ["", "/** Operators of plan nodes, each with what a node of it matches. */",
            "public enum Operator {"]
    rows = []
    for name, op in wire["ops"].items():
        rows.append("\n".join(java_doc(capital(op["doc"]), "  ") + [
            f"  {name}(", f"      OffloadWire.Op.{name},", f"      {op['since']},",
            *java_rule(rule(wire, op))]))
    out.append(",\n\n".join(rows) + ";")
    out += ["", "  private static final Operator[] BY_NUMBER = new Operator[Long.SIZE];", "",
            "  static {", "    for (Operator operator : values()) {",
            "      BY_NUMBER[operator.number] = operator;", "    }", "  }", "",
            "  private final int number;", "  private final int since;",
            "  private final OperatorRule rule;", "",
            "  Operator(int number, int since, OperatorRule rule) {", "    this.number = number;",
            "    this.since = since;", "    this.rule = rule;", "  }", "",
            "  /**", "   * {@return the operator of a number, or null if there is none}", "   *",
            "   * @param number of the operator, as plans have it", "   */",
            "  public static Operator of(int number) {",
            "    return number < 0 || number >= BY_NUMBER.length ? null : BY_NUMBER[number];",
            "  }", "", "  /** {@return the number, a value of {@link OffloadWire.Op}} */",
            "  public int number() {", "    return number;", "  }", "",
            "  /** {@return the bit of {@code device_info.op_bits}} */", "  public long bit() {",
            "    return 1L << number;", "  }", "",
            "  /** {@return the wire version that has had it first} */", "  public int since() {",
            "    return since;", "  }", "",
            "  /** Returns what a node of it has to be like. */", "  OperatorRule rule() {",
            "    return rule;", "  }", "}"]
    return "\n".join(out) + "\n"


# ---- texts -------------------------------------------------------------------------------------

def alike(ops, text_of):
    """Joins the names of operators of one text: ("ALL, CONST", text)."""
    names = {}
    for name, op in ops.items():
        names.setdefault(text_of(op), []).append(name)
    return [(", ".join(of), text) for text, of in names.items()]


def matches(wire):
    rows = [f"| {names} | {text} |" for names, text in alike(wire["ops"], lambda op: op["doc"])]
    return "\n\n" + "\n".join(["| op | matches |", "| --- | --- |", *rows]) + "\n\n"


def scores(wire):
    """Rows for a block of text: names, then the lines of their formula."""
    out = []
    for names, lines in alike(wire["ops"], lambda op: tuple(op.get("score", ["none"]))):
        out += [f"    {'' if i else names:<19}  {line}" for i, line in enumerate(lines)]
    return "\n\n" + "\n".join(out) + "\n\n"


def children_text(children):
    if not children:
        return "0"
    text = str(children["min"])
    text += "" if children["max"] == children["min"] else " or more"
    text += " " + ", ".join(children["ops"]) if "ops" in children else ""
    text += ", " + ", ".join(children["occurs"]) if "occurs" in children else ""
    if "factor" in children:
        low, high = children["factor"]
        text += f"; `weight` {f'at least {low}' if low else 'above 0'}"
        text += "" if high == math.inf else f" and at most {high}"
        text += ", `table` 0"
    return text + ("" if children.get("scored", True) else "; no scores")


def reference_text(reference):
    if reference is None:
        return "0"
    entry, each = TARGETS[reference["to"]], reference.get("each", 0)
    if reference["to"] == "resource":
        text = "a resource, not 0"
    elif each:
        text = f"`range_count` {'pairs of ' if each == 2 else ''}{entry}s from here on"
    else:
        text = f"a {entry}"
    text += ", ascending without overlap" if reference.get("ascends") else ""
    text += ", if scored" if reference.get("scored") else ""
    return f"{text}: {reference['is']}"


def field_text(field, absent):
    if field is None:
        return absent
    text = f"{field['is']} ({field['unit']})" if "is" in field and "unit" in field else (
        field.get("is") or field["unit"])
    text += f", at least {field['min']}" if field.get("min") else ""
    text += f", at most {field['max']}" if field.get("max", 65535) != 65535 else ""
    text += f"; `min_should` and it at most {field['max_end']}" if "max_end" in field else ""
    return text


def rules(wire):
    """The table of plan_node's fields by operator, with a row for those that differ in number."""
    heads = ["op", "number", "since", "children", "`list`", "`table`", "`min_should`",
             "`range_count`", "`weight`"]
    out = ["| " + " | ".join(heads) + " |", "| --- " * len(heads) + "|"]
    for names, cells in alike(wire["ops"], rule_cells):
        numbers = ", ".join(str(wire["ops"][name]["value"]) for name in names.split(", "))
        out.append("| " + " | ".join([names, numbers, *cells]) + " |")
    return out


def rule_cells(op):
    return (str(op["since"]), children_text(op.get("children")),
            reference_text(op.get("list")), reference_text(op.get("table")),
            field_text(op.get("min_should"), "0"), field_text(op.get("range_count"), "0"),
            field_text(op.get("weight"), "any"))


def queries(wire):
    """The queries that become operators, for a point of README.md's list."""
    names = dict.fromkeys(q for op in wire["ops"].values() for q in op.get("queries", ()))
    rows = textwrap.wrap(", ".join(names), 118, break_on_hyphens=False)
    return "\n" + "\n".join("  " + row for row in rows) + "\n  "
