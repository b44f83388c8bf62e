# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
"""Column pages, for the vectors: as plain as model.py, and of the same independence."""
from math import gcd

import model
from model import C, E
from vector import Vector, rows_at

BLOCK_DOCS = C["COLUMN_BLOCK_DOCS"]
PRESENCE, FLAG = E["column_presence"], E["column_flag"]


def packed(values, width=None):
    """Bytes of packed values, of the least width that holds them all if none is given."""
    width = max(values).bit_length() if width is None else width
    word = sum(v << i * width for i, v in enumerate(values))
    return word.to_bytes((len(values) * width + 7) // 8, "little")


def u16s(values):
    return b"".join(v.to_bytes(2, "little") for v in values)


def docs_part(offsets, presence):
    """Bytes of a part that tells which docs have a value."""
    if presence == "ALL":
        return b""
    if presence == "LIST":
        return packed(offsets)
    span = offsets[-1] + 1
    words = sum(1 << o for o in offsets).to_bytes((span + 63) // 64 * 8, "little")
    return words + u16s(sum(o < block for o in offsets) for block in range(0, span, BLOCK_DOCS))


def choose_presence(offsets):
    if len(offsets) == offsets[-1] + 1:
        return "ALL"
    return min(("BITMAP", "LIST"), key=lambda p: len(docs_part(offsets, p)))


def choose_table(values, unit):
    """The table of a page, or [] if packing without one takes no more bytes."""
    distinct = sorted(set(values))
    linear = len(packed([(v - distinct[0]) // unit for v in values]))
    by_table = 8 * len(distinct) + len(packed([distinct.index(v) for v in values]))
    return distinct if by_table < linear else []


def encode(docs, stamp, file_page, presence=None, table=None, multi=None, unit=None):
    """A column page of {doc: [values]}; forms that are not given are those that a writer takes."""
    order = sorted(docs)
    values = [v for doc in order for v in docs[doc]]
    counts = [len(docs[doc]) for doc in order]
    multi = max(counts) > 1 if multi is None else multi
    first = order[0]
    offsets = [doc - first for doc in order]
    low, high = min(values), max(values)
    unit = unit or gcd(*(v - low for v in values)) or 1
    presence = presence or choose_presence(offsets)
    entries = choose_table(values, unit) if table is None else sorted(set(values)) if table else []
    body = b"".join((v % 2**64).to_bytes(8, "little") for v in entries)
    body += docs_part(offsets, presence)
    if multi:
        body += u16s(sum(counts[:r]) for r in range(0, len(counts), BLOCK_DOCS))
        body += packed([c - 1 for c in counts])
    words = [entries.index(v) if entries else (v - low) // unit for v in values]
    body += packed(words)
    header = model.pack(
        "column_page_header", magic=C["COLUMN_MAGIC"], version=model.VERSION,
        presence=PRESENCE[presence],
        flags=(FLAG["TABLE"] if entries else 0) | (FLAG["MULTI"] if multi else 0),
        file_page=file_page, stamp=stamp, first_doc=first, doc_span=offsets[-1] + 1,
        doc_count=len(order), value_count=len(values), min=low, max=high,
        unit=len(entries) if entries else unit, value_bits=max(words).bit_length(),
        doc_bits=max(offsets).bit_length() if presence == "LIST" else 0,
        count_bits=(max(counts) - 1).bit_length() if multi else 0,
        used_bytes=model.size("column_page_header") + len(body))
    assert len(header) + len(body) <= model.PAGE_BYTES, len(body)
    return model.seal((header + body).ljust(model.PAGE_BYTES, b"\0"))


def of_column_page(name, about, docs, page, written=True):
    """A vector of a column page; `written`: it has the forms that a writer takes."""
    lines = "".join(f"{doc} = " + " ".join(map(str, docs[doc])) + "\n" for doc in sorted(docs))
    vector = Vector(name, about, "column_page", writer="yes" if written else "no")
    return vector.fields(rows_at("column_page_header", page, 0)).lines("values", lines).bytes(page)


class Column:
    """A column of {doc: [values]}: its pages, each of so many docs at most, and its column_ref."""

    def __init__(self, docs, stamp, first_page, docs_per_page):
        order = sorted(docs)
        groups = {}
        for doc in order:
            groups.setdefault(doc // docs_per_page, {})[doc] = docs[doc]
        self.pages = [encode(part, stamp, first_page + i)
                      for i, part in enumerate(groups.values())]
        values = [v for doc in order for v in docs[doc]]
        self.docs = docs
        self.ref = dict(first_page=first_page, page_count=len(self.pages), doc_count=len(order),
                        stamp=stamp, value_count=len(values), min=min(values), max=max(values))

