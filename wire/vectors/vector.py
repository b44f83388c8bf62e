# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
"""Text of a vector file; see README.md."""
import struct

import model

ROW_BYTES = 32
HEAD = ("# Licensed under the Apache License, Version 2.0. "
        "See the LICENSE file at the top of the project.\n"
        "# Made by wire/vectors/make_vectors.py. Do not edit.\n")


def hex_rows(data):
    """Hex of the bytes, without the zeros at the end."""
    data = bytes(data).rstrip(b"\0") or bytes(data)[:1]
    return "".join(data[i:i + ROW_BYTES].hex() + "\n" for i in range(0, len(data), ROW_BYTES))


def value_text(kind, count, value):
    if count:
        return "hex:" + bytes(value).hex()
    if kind == "f32":
        return f"0x{model.bits(value):08x}"
    return f"0x{value:x}" if kind == "u64" or (value > 0xFFFF and kind != "i64") else str(value)


def struct_rows(name, data, at=0, prefix=""):
    values, out = model.unpack(name, data, at), []
    for f, offset, kind, count in model.fields(name):
        if count and kind != "u8":
            out += number_rows(kind, data, at + offset, count)
        else:
            out.append((prefix + f, value_text(kind, count, values[f])))
    return out


def rows_at(name, data, at):
    return struct_rows(name, data, at, f"{name}@{at}.")


def number_rows(kind, data, at, count):
    out, size = [], struct.calcsize("<" + model.FORMATS[kind])
    for i in range(count):
        value = struct.unpack_from("<" + model.FORMATS[kind], data, at + size * i)[0]
        out.append((f"{kind}@{at + size * i}", value_text(kind, 0, value)))
    return out


class Vector:
    """One file. Sections: (title, text) in order."""

    def __init__(self, name, about, kind, status="OK", **head):
        self.name, self.about = name, about
        self.head = {"struct": kind, "status": status, **head}
        self.sections = []

    def fields(self, rows):
        self.sections.append(("fields", "".join(f"{k} = {v}\n" for k, v in rows)))
        return self

    def lines(self, title, text):
        self.sections.append((title, text))
        return self

    def data(self, title, data):
        self.sections.append((title, hex_rows(data)))
        return self

    def bytes(self, data):
        self.head["size"] = len(data)
        return self.data("bytes", data)

    def text(self):
        out = HEAD + f"# {self.about}\n"
        out += "".join(f"{k} = {v}\n" for k, v in self.head.items())
        return out + "".join(f"[{title}]\n{text}" for title, text in self.sections)


def of_struct(name, about, kind, /, **values):
    """A vector of one struct, given by its fields."""
    data = model.pack(kind, **values)
    return Vector(name, about, kind).fields(struct_rows(kind, data)).bytes(data)


def of_page(name, about, page, blocks):
    """A vector of a page that holds these blocks."""
    count, at = len(blocks), model.size("page_header")
    rows = rows_at("page_header", page, 0) + number_rows("u32", page, at, count)
    for b in range(count):
        rows += rows_at("block_entry", page, at + 4 * count + b * model.size("block_entry"))
    postings = "".join(f"{b} = " + " ".join(f"{d}:{f}:{n}" for d, f, n in block.postings) + "\n"
                       for b, block in enumerate(blocks))
    return Vector(name, about, "page").fields(rows).lines("postings", postings).bytes(page)


def of_plan(name, about, plan):
    data, at = plan.pack(), model.size("plan_header")
    rows = rows_at("plan_header", data, 0)
    for kind, count in (("plan_node", plan.root.count()), ("list_ref", len(plan.lists)),
                        ("extent", len(plan.extents))):
        for _ in range(count):
            rows += rows_at(kind, data, at)
            at += model.size(kind)
    for _ in plan.tables:  # first and last entries; the bytes have them all
        rows += number_rows("f32", data, at, 2)
        rows += number_rows("f32", data, at + model.C["NORM_TABLE_BYTES"] - 4, 1)
        at += model.C["NORM_TABLE_BYTES"]
    for kind, count in (("column_ref", len(plan.columns)), ("value_range", len(plan.ranges)),
                        *plan.parts_behind()):
        for _ in range(count):
            number = kind in model.FORMATS
            rows += number_rows(kind, data, at, 1) if number else rows_at(kind, data, at)
            at += 8 if number else model.size(kind)
    if hasattr(plan, "aggregates"):
        for kind, count in (("aggregate_header", 1), ("aggregate", len(plan.aggregates))):
            for _ in range(count):
                rows += rows_at(kind, data, at)
                at += model.size(kind)
    return Vector(name, about, "plan").fields(rows).bytes(data)


def of_result(name, about, page):
    head = model.unpack("result_header", page)
    at, count, mode = model.size("result_header"), head["entry_count"], head["mode"]
    rows = rows_at("result_header", page, 0)
    if mode == model.E["mode"]["TOP_K"]:
        for i in range(count):
            rows += number_rows("u32", page, at + 8 * i, 1)
            rows += number_rows("f32", page, at + 8 * i + 4, 1)
    elif mode == model.E["mode"]["AGGREGATE"]:
        for i in range(count):
            rows += rows_at("aggregate_result", page, at + i * model.size("aggregate_result"))
    elif mode == model.E["mode"]["TOP_K_BY_COLUMN"]:
        width = (len(page) - at) // count
        for entry in range(at, len(page), width):
            rows += number_rows("u32", page, entry, 1) + number_rows("f32", page, entry + 4, 1)
            rows += number_rows("u64", page, entry + 8, width // 8 - 1)
    else:
        rows += number_rows("u32", page, at, count)
        if mode == model.E["mode"]["SCORED_DOCS"]:
            rows += number_rows("f32", page, at + 4 * count, count)
    return Vector(name, about, "result").fields(rows).bytes(page)


def of_program(name, about, plan, pages, live=None, status="OK", plan_bytes=None,
               doc_set=None, norms=None):
    """A plan over pages {lba: page}; its result pages, or the status of its failure."""
    vector = Vector(name, about, "program", status)
    for lba, page in pages.items():
        vector.data(f"page {lba}", page)
    bits = live if doc_set is None else doc_set
    if bits is not None:
        words = (plan.header["max_doc"] + 63) // 64
        vector.head["live_docs_bytes"] = words * 8
        vector.data("live_docs", sum(1 << doc for doc in bits).to_bytes(words * 8, "little"))
    if norms is not None:
        vector.head["live_docs_bytes"] = len(norms)
        vector.data("live_docs", bytes(norms))
    data = plan.pack() if plan_bytes is None else plan_bytes
    vector.head["plan_bytes"] = len(data)
    vector.data("plan", data)
    if status == "OK":
        for page in plan.run(live):
            vector.data("result", page)
    return vector
