# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
"""Vectors of columns: pages, plans and programs, good ones and bad ones."""
import struct

import model
from columns import Column, encode, of_column_page
from good_cases import Query, STAMP, noise
from model import C, E, Node, Plan
from vector import Vector, of_plan, of_program

LOWEST, HIGHEST = -2**63, 2**63 - 1


def numbers(seed, docs, below, low=0, step=1):
    source = noise(seed)
    return {doc: [low + step * (next(source) % below)] for doc in docs}


def page(name, about, docs, **forms):
    return of_column_page(f"column_{name}", about, docs, encode(docs, STAMP, 1, **forms),
                          written=not forms)


def pages():
    yield page("worked_example", "The worked example of WIRE.md: 5 docs of 7",
               {256: [30], 257: [10], 259: [50], 261: [10], 262: [40]})
    yield page("dense", "Every doc has a value", numbers(1, range(700), 1000, -500))
    yield page("constant", "Values of no bits", {doc: [-9] for doc in range(128, 3000)})
    yield page("multiples", "Days in milliseconds: unit 86400000",
               numbers(2, range(300), 5000, 1600000000000, 86400000))
    yield page("sparse_bitmap", "Three docs of four have a value",
               numbers(3, [d for d in range(900) if d % 4], 60))
    yield page("sparse_list", "A doc in a hundred has a value",
               numbers(4, range(5, 60000, 100), 60))
    few = [LOWEST, -1, 0, 10**15 + 7, HIGHEST]
    yield page("table", "Five values, far apart",
               {doc: [few[v[0]]] for doc, v in numbers(5, range(900), 5).items()})
    yield page("extremes", "All 64 bits", {0: [LOWEST], 1: [HIGHEST], 2: [0], 3: [-1]})
    source = noise(6)
    several = {doc: sorted(next(source) % 90 for _ in range(1 + next(source) % 4))
               for doc in range(400) if next(source) % 8}
    yield page("several_values", "Up to four values a doc, equal ones too", several)
    yield page("one_doc", "One doc, the last one there can be", {C["MAX_DOC"] - 1: [42]})
    yield page("starts_anywhere", "The first doc is 77", numbers(12, range(77, 400), 50))
    yield page("list_of_all", "A writer would take ALL", numbers(7, range(200), 9),
               presence="LIST")
    yield page("bitmap_of_all", "A writer would take ALL", numbers(8, range(200), 9),
               presence="BITMAP")
    yield page("unit_1", "A writer would take unit 10", numbers(9, range(99), 9, 0, 10), unit=1)
    yield page("needless_table", "A writer would take no table", numbers(10, range(50), 9),
               table=True)
    yield page("single_as_multi", "One value a doc, with counts", numbers(11, range(300), 99),
               multi=True)


def patched(data, field, value):
    offset, kind = next((o, k) for f, o, k, _ in model.fields("column_page_header") if f == field)
    out = bytearray(data)
    struct.pack_into("<" + model.FORMATS[kind], out, offset, value)
    return bytes(out)


def bad_pages():
    def bad(what, data, status="PAGE_CORRUPT", sealed=True):
        about = f"A column page that breaks a rule: {what.replace('_', ' ')}"
        return Vector(f"{status.lower()}_column_{what}", about, "column_page", status).bytes(
            model.seal(data) if sealed else data)

    docs = numbers(1, range(700), 1000, -500)
    good = encode(docs, STAMP, 1)
    head = model.unpack("column_page_header", good)
    yield bad("crc", patched(good, "min", head["min"] - 1), sealed=False)
    yield bad("version", patched(good, "version", 1), "UNSUPPORTED_VERSION")
    for field, value in (("presence", 0), ("presence", 4), ("flags", 4), ("first_doc", 2**31),
                         ("doc_span", 699), ("doc_count", 0), ("doc_count", 699),
                         ("value_count", 701), ("unit", 0), ("unit", 2), ("value_bits", 9),
                         ("value_bits", 65), ("doc_bits", 1), ("count_bits", 1), ("reserved0", 1),
                         ("reserved1", 1), ("used_bytes", head["used_bytes"] + 1)):
        yield bad(f"{field}_{value}", patched(good, field, value))
    yield bad("min_too_low", patched(good, "min", head["min"] - 1))
    yield bad("max_too_high", patched(good, "max", head["max"] + 1))
    yield bad("byte_behind", good[:-1] + b"\1")
    size = model.size("column_page_header")

    def flipped(what, data, at):
        return bad(what, data[:at] + bytes([data[at] ^ 1]) + data[at + 1:])

    bitmap = encode(numbers(3, [d for d in range(900) if d % 4], 60), STAMP, 1)
    yield flipped("bitmap_bit", bitmap, size + 1)
    yield flipped("bitmap_begins_late", bitmap, size)
    yield flipped("bitmap_rank", bitmap, size + 15 * 8 + 2)
    offsets = encode(numbers(4, range(5, 60000, 100), 60), STAMP, 1)  # of 16 bits each
    yield bad("list_doc_twice", offsets[:size + 8] + offsets[size + 6:size + 8]
              + offsets[size + 10:])
    few = encode({d: [v[0] * 10**17] for d, v in numbers(5, range(900), 5).items()}, STAMP, 1,
                 table=True)
    yield flipped("table_entry", few, size)
    yield flipped("table_descends", few, size + 39)
    several = encode({d: [1, 5, 9] if d % 3 else [4] for d in range(400)}, STAMP, 1)
    yield flipped("values_start", several, size + 2)
    yield flipped("values_count", several, size + 8)
    yield bad("values_of_a_doc_descend", encode({0: [1, 9, 5], 1: [2]}, STAMP, 1))


class ColumnQuery(Query):
    """Query over the scene and two columns: `n` of nearly every doc, `m` of several values."""

    FIRST_PAGE, LBA = 100, 500

    def __init__(self):
        super().__init__()
        n = Column(numbers(20, [d for d in range(1000) if d % 11], 500, -100), STAMP,
                   self.FIRST_PAGE, 256)
        source = noise(21)
        m = Column({d: sorted(next(source) % 50 for _ in range(1 + d % 3))
                    for d in range(0, 1000, 2)}, STAMP, self.FIRST_PAGE + len(n.pages), 384)
        self.columns = [n, m]
        first = len(self.extents)
        self.extents.append((self.FIRST_PAGE, len(n.pages) + len(m.pages), self.LBA))
        for column in self.columns:
            column.ref.update(first_extent=first, extent_count=1)
        self.pages.update({self.LBA + i: p for i, p in enumerate(n.pages + m.pages)})
        self.ranges = []

    def range(self, column, low, high, occur="MUST", weight=0.0):
        self.ranges.append((low, high))
        return Node("COLUMN_RANGE", occur, weight=weight, list=column, table=len(self.ranges) - 1,
                    values=self.columns[column].docs, value_ranges=[(low, high)])

    def set(self, column, ranges, occur="MUST", weight=0.0):
        self.ranges += ranges
        return Node("COLUMN_IN", occur, weight=weight, list=column,
                    table=len(self.ranges) - len(ranges), values=self.columns[column].docs,
                    value_ranges=ranges)

    def values(self, column, numbers, occur="MUST", weight=0.0):
        return self.set(column, [(n, n) for n in numbers], occur, weight)

    def plan(self, mode, root, **header):
        plan = super().plan(mode, root, **header)
        plan.add_columns([c.ref for c in self.columns], self.ranges)
        return plan


def plans():
    q = ColumnQuery()
    root = Node("BOOL", children=[q.term("a"), q.range(0, -50, 99, "FILTER"),
                                  q.range(1, LOWEST, HIGHEST, "SHOULD", 0.75)])
    yield of_plan("plan_columns", "TOP_K of a term, a filter and a scored range",
                  q.plan("TOP_K", root))
    q = ColumnQuery()
    root = Node("BOOL", children=[q.range(0, 0, 9, "FILTER"), q.term("a"),
                                  q.values(1, [3, 5, 8], "FILTER"),
                                  q.set(0, [(LOWEST, -50), (7, 7), (9, HIGHEST)], "SHOULD", 2.5)])
    yield of_plan("plan_sets", "TOP_K of a term, a set of values, and a scored set of ranges",
                  q.plan("TOP_K", root))


def programs():
    def program(name, about, mode, make, live=None, **header):
        q = ColumnQuery()
        return q.program(name, about, mode, make(q), live, **header)

    yield program("count_range", "COUNT of a range", "COUNT", lambda q: q.range(0, 0, 199))
    yield program("docs_range_of_values", "DOCS of a range, several values a doc", "DOCS",
                  lambda q: q.range(1, 10, 12))
    yield program("docs_all_values", "DOCS that have a value", "DOCS",
                  lambda q: q.range(0, LOWEST, HIGHEST), live=set(range(0, 1000, 3)))
    yield program("docs_no_value", "No value is in the range", "DOCS",
                  lambda q: q.range(0, 5000, 6000))
    yield program("count_set", "COUNT of a set of a hundred values, most of no doc", "COUNT",
                  lambda q: q.values(0, range(-150, 450, 6)))
    yield program("docs_set_of_ranges", "DOCS of a set of ranges that go beyond the values", "DOCS",
                  lambda q: q.set(0, [(LOWEST, -90), (-50, -50), (-49, 0), (385, HIGHEST)]))
    yield program("docs_set_of_values", "DOCS of a set, several values a doc", "DOCS",
                  lambda q: q.values(1, [0, 7, 8, 49, 1000]))
    yield program("scored_docs_set", "A set with a score, and one that excludes", "SCORED_DOCS",
                  lambda q: Node("BOOL", children=[
                      q.term("a"), q.values(1, [1, 2, 3, 30], "SHOULD", 0.5),
                      q.values(0, range(-100, 400, 2), "MUST_NOT")]))
    yield program("top_k_filtered", "Terms and a filter", "TOP_K", lambda q: Node(
        "BOOL", children=[q.term("a", "SHOULD"), q.term("b", "SHOULD", 2.25),
                          q.range(0, -100, 50, "FILTER")]))
    yield program("scored_docs_range", "Ranges with scores, and one that excludes", "SCORED_DOCS",
                  lambda q: Node("BOOL", children=[
                      q.term("a"), q.range(1, 0, 20, "SHOULD", 0.5),
                      q.range(0, 100, 200, "MUST_NOT"), q.range(0, -90, 390, weight=0.25)]))


def bad_plans():
    def bad(what, change, status="PLAN_MALFORMED"):
        q = ColumnQuery()
        root = Node("BOOL", children=[q.term("a"), q.range(0, 1, 5, "FILTER")])
        plan = q.plan("COUNT", root)
        change(plan, root.children[1])
        return Vector(f"{status.lower()}_{what}", f"A plan that gives {status}: "
                      f"{what.replace('_', ' ')}", "plan", status).bytes(plan.pack())

    yield bad("column_2_of_2", lambda p, n: setattr(n, "list", 2))
    yield bad("range_1_of_1", lambda p, n: setattr(n, "table", 1))
    for field, value in (("page_count", 0), ("page_count", 911), ("first_page", 2**32 - 1),
                         ("doc_count", 0), ("doc_count", 1001), ("value_count", 5),
                         ("max", -101), ("reserved0", 1), ("reserved1", 1), ("extent_count", 2)):
        yield bad(f"column_{field}_{value}", lambda p, n, f=field, v=value: p.columns[0].update(
            {f: v}))
    yield bad("range_descends", lambda p, n: p.ranges.__setitem__(0, (5, 4)))
    yield bad("65_columns", lambda p, n: p.header.update(column_count=65), "PLAN_TOO_LARGE")
    too_many = C["MAX_PLAN_RANGES"] + 1
    yield bad(f"{too_many}_ranges", lambda p, n: p.header.update(range_count=too_many),
              "PLAN_TOO_LARGE")
    yield bad("range_with_count", lambda p, n: setattr(n, "range_count", 1))

    def bad_set(what, change, status="PLAN_MALFORMED"):
        q = ColumnQuery()
        root = Node("BOOL", children=[q.term("a"), q.set(0, [(1, 5), (6, 6), (9, 12)], "FILTER"),
                                      q.values(1, [1, 4], "FILTER")])
        plan = q.plan("COUNT", root)
        change(plan, root.children[1])
        return Vector(f"{status.lower()}_set_{what}", f"A plan that gives {status}: a set, "
                      f"{what.replace('_', ' ')}", "plan", status).bytes(plan.pack())

    yield bad_set("column_2_of_2", lambda p, n: setattr(n, "list", 2))
    yield bad_set("of_no_ranges", lambda p, n: setattr(n, "range_count", 0))
    yield bad_set("of_6_ranges_of_5", lambda p, n: setattr(n, "range_count", 6))
    yield bad_set("from_range_3", lambda p, n: setattr(n, "table", 3))
    yield bad_set("from_range_highest", lambda p, n: setattr(n, "table", 2**32 - 1))
    yield bad_set("ranges_overlap", lambda p, n: p.ranges.__setitem__(1, (5, 6)))
    yield bad_set("ranges_descend", lambda p, n: setattr(n, "range_count", 4))


def bad_programs():
    def bad(status, what, change):
        q = ColumnQuery()
        plan = q.plan("COUNT", q.range(0, 0, 199))
        pages = dict(q.pages)
        change(q, plan, pages)
        return of_program(f"{status.lower()}_program_{what}", f"A program that gives {status}: "
                          f"{what.replace('_', ' ')}", plan, pages, status=status)

    lba = ColumnQuery.LBA
    yield bad("PAGE_CORRUPT", "column_never_written", lambda q, plan, pages: pages.pop(lba))
    yield bad("PAGE_STALE", "column_page_of_another", lambda q, plan, pages: pages.update(
        {lba: pages[lba + 1]}))
    yield bad("LIST_CORRUPT", "column_values_out_of_bounds",
              lambda q, plan, pages: plan.columns[0].update(max=300))
    yield bad("LIST_CORRUPT", "column_of_posting_pages", lambda q, plan, pages:
              plan.columns[0].update(first_page=1, first_extent=1, page_count=1))
    overlap = encode(numbers(20, range(128, 300), 300), STAMP, ColumnQuery.FIRST_PAGE + 1)
    yield bad("LIST_CORRUPT", "column_pages_overlap",
              lambda q, plan, pages: pages.update({lba + 1: overlap}))
    q = ColumnQuery()
    ref = dict(q.refs[0], first_page=ColumnQuery.FIRST_PAGE, first_extent=2, extent_count=1)
    plan = Plan("DOCS", q.term("a"), [ref], q.extents)
    yield of_program("list_corrupt_program_list_of_column_pages", "A program that gives "
                     "LIST_CORRUPT: list of column pages", plan, q.pages, status="LIST_CORRUPT")


def good_vectors():
    yield from pages()
    yield from plans()
    yield from programs()


def bad_vectors():
    yield from bad_pages()
    yield from bad_plans()
    yield from bad_programs()
