# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
"""Vectors of TOP_K_BY_COLUMN: its structs, plans and programs, good ones and bad ones."""
import math
import struct

import model
from column_cases import ColumnQuery, numbers
from columns import Column
from good_cases import STAMP, TABLE, noise
from model import C, E, Node, Plan
from vector import Vector, of_plan, of_program, of_result, of_struct

KIND, TRANSFORM, SELECTOR = E["sort_kind"], E["sort_transform"], E["sort_selector"]
FLAG, REVERSE = E["sort_flag"], E["sort_key_flag"]["REVERSE"]
MIDDLE = 1 << 63  # key of the number 0 as I64


# ---- keys --------------------------------------------------------------------------------------

def float_key(bits, width):
    """Key of the bits of a float: sign and magnitude, NaNs at the top."""
    top = 1 << width - 1
    code = "<f" if width == 32 else "<d"
    value = struct.unpack(code, bits.to_bytes(width // 8, "little"))[0]
    if math.isnan(value):
        bits = (0xFF << 23 | 1 << 22) if width == 32 else (0x7FF << 52 | 1 << 51)
        bits &= top - 1
    return 2 * top - 1 - bits if bits & top else bits + top


def value_key(transform, value):
    name = {v: k for k, v in TRANSFORM.items()}[transform]
    low, bits = value % 2**32, value % 2**64
    if name == "I64":
        return value + MIDDLE
    if name == "I32":
        return (low + 2**31) % 2**32
    if name == "ORD":
        return (value + 1) % 2**64
    width, bits = (32, low) if name.endswith("32") else (64, bits)
    if name.startswith("SORTABLE") and bits >> width - 1:
        bits ^= (1 << width - 1) - 1
    return float_key(bits, width)


class SortPlan(Plan):
    """A plan of TOP_K_BY_COLUMN; a key is the fields of a sort_key."""

    def __init__(self, root, lists, extents, tables, keys, after=None, after_doc=0, bottom=None,
                 ties=False, **header):
        super().__init__("TOP_K_BY_COLUMN", root, lists, extents, tables, **{"k": 10, **header})
        self.keys, self.after, self.bottom = keys, after, bottom
        flags = ((FLAG["HAS_AFTER"] if after else 0) | (FLAG["HAS_BOTTOM"] if bottom else 0)
                 | (FLAG["BOTTOM_TIES"] if ties else 0))
        self.sort = dict(key_count=len(keys), flags=flags, after_doc=after_doc)

    def sort_bytes(self):
        out = model.pack("sort_header", **self.sort)
        out += b"".join(model.pack("sort_key", **key) for key in self.keys)
        return out + b"".join(struct.pack("<Q", key) for key in (self.after or [])
                              + (self.bottom or []))

    def parts_behind(self):
        limits = len(self.after or []) + len(self.bottom or [])
        return [("sort_header", 1), ("sort_key", len(self.keys)), ("u64", limits)]

    def pack(self, **changes):
        more = self.sort_bytes()
        total = len(super().pack()) + len(more)
        return super().pack(**{"total_bytes": total, **changes}) + more

    def key(self, key, doc, score):
        if key["kind"] == KIND["DOC"]:
            return doc + MIDDLE
        if key["kind"] == KIND["SCORE"]:
            return 2**32 - 1 - float_key(model.bits(score), 32)
        values = self.docs[key["column"]].get(doc) if key["kind"] == KIND["COLUMN"] else None
        if values is None:
            return key.get("missing", 0)
        chosen = values[0] if key["selector"] == SELECTOR["MIN"] else values[-1]
        return value_key(key["transform"], chosen)

    def rank(self, keys):
        """What sorts like keys."""
        return [-k if spec.get("flags") else k for spec, k in zip(self.keys, keys)]

    def run(self, live=None):
        h, hits, matches = self.header, [], 0
        scored = any(key["kind"] == KIND["SCORE"] for key in self.keys)
        for doc in range(h["min_doc"], h["limit_doc"]):
            score = self.root.score(doc, self.tables if scored else None)
            if score is None or live is not None and doc not in live:
                continue
            matches += 1
            keys = [self.key(key, doc, score) for key in self.keys]
            place = self.rank(keys)
            if self.after and (place, doc) <= (self.rank(self.after), self.sort["after_doc"]):
                continue
            if self.bottom and place >= self.rank(self.bottom) and not (
                    place == self.rank(self.bottom) and self.sort["flags"] & FLAG["BOTTOM_TIES"]):
                continue
            hits.append((place, doc, score if scored else 0.0, keys))
        hits = sorted(hits)[:h["k"]]
        body = b"".join(struct.pack(f"<If{len(keys)}Q", doc, score, *keys)
                        for _, doc, score, keys in hits)
        return [self.page(hits, matches, body)]


# ---- queries -----------------------------------------------------------------------------------

def by_column(column, transform="I64", selector="MIN", missing=MIDDLE, reverse=False):
    return dict(kind=KIND["COLUMN"], column=column, transform=TRANSFORM[transform],
                selector=SELECTOR[selector], missing=missing, flags=REVERSE if reverse else 0)


def by_doc(reverse=False):
    return dict(kind=KIND["DOC"], flags=REVERSE if reverse else 0)


def by_score(reverse=False):
    return dict(kind=KIND["SCORE"], flags=REVERSE if reverse else 0)


class SortQuery(ColumnQuery):
    """Adds columns: 2 of floats, 3 of several sortable doubles, 4 of ordinals."""

    def __init__(self):
        super().__init__()
        signed = [0, -2**31, 0x3FC00000, 0x3FC00000 - 2**31, 0x7F800000, 0x7F800000 - 2**31,
                  0x7FC00000, 0x7F800001, -1, 1, 1 - 2**31, 0x7F7FFFFF]
        source = noise(31)
        doubles = [struct.unpack("<q", struct.pack("<d", d))[0]
                   for d in (-1e300, -2.5, -0.0, 0.0, 1e-320, 7.0, math.inf, math.nan)]
        doubles = [d if d >= 0 else d ^ 2**63 - 1 for d in doubles]
        more = [{d: [signed[next(source) % 12]] for d in range(1000) if d % 7},
                {d: sorted(doubles[next(source) % 8] for _ in range(1 + d % 2))
                 for d in range(0, 1000, 3)},
                numbers(32, [d for d in range(1000) if d % 5], 40)]
        page, lba = self.FIRST_PAGE + 20, self.LBA + 20
        self.extents.append((page, 10, lba))
        for docs in more:
            column = Column(docs, STAMP, page, 512)
            column.ref.update(first_extent=len(self.extents) - 1, extent_count=1)
            self.columns.append(column)
            self.pages.update({lba + i: p for i, p in enumerate(column.pages)})
            page, lba = page + len(column.pages), lba + len(column.pages)

    def sorted_plan(self, root, keys, **header):
        scored = any(key["kind"] == KIND["SCORE"] for key in keys)
        plan = SortPlan(root, self.refs, self.extents, [TABLE] if scored else [], keys, **header)
        plan.add_columns([c.ref for c in self.columns], self.ranges)
        plan.docs = [c.docs for c in self.columns]
        return plan


def structs():
    yield of_struct("sort_header", "Three keys, after and bottom keys", "sort_header", key_count=3,
                    flags=FLAG["HAS_AFTER"] | FLAG["HAS_BOTTOM"], after_doc=-7)
    yield of_struct("sort_key", "The greatest float of a doc, descending, none as infinity",
                    "sort_key", kind=KIND["COLUMN"], transform=TRANSFORM["SORTABLE_F32"],
                    selector=SELECTOR["MAX"], flags=REVERSE, column=2, missing=0xFF800000)
    yield of_struct("sort_key_constant", "A column that the segment lacks", "sort_key",
                    kind=KIND["CONSTANT"], missing=MIDDLE)


def plans():
    q = SortQuery()
    keys = [by_column(1, "I32", "MAX", 5, True), by_score(), dict(kind=KIND["CONSTANT"], missing=9),
            by_doc(True)]
    root = Node("BOOL", children=[q.term("a"), q.range(0, -50, 99, "FILTER")])
    yield of_plan("plan_sort", "TOP_K_BY_COLUMN with every kind of key", q.sorted_plan(
        root, keys, after=[1, 2, 9, MIDDLE + 7], after_doc=-3, bottom=[0, 2**31 - 1, 9, MIDDLE],
        ties=True, k=25, count_threshold=1000))
    yield of_plan("plan_sort_one_key", "TOP_K_BY_COLUMN with one key alone", q.sorted_plan(
        Node("ALL"), [by_column(0)]))


def programs():
    everything = Node("ALL", weight=1.0)

    def program(name, about, keys, make=lambda q: everything, live=None, **header):
        q = SortQuery()
        if live is not None:
            header["live_docs"] = 1
        plan = q.sorted_plan(make(q), keys, **header)
        return of_program(f"program_sort_{name}", about, plan, q.pages, live)

    def both(q):
        return Node("BOOL", children=[q.term("a", "SHOULD"), q.term("b", "SHOULD", 2.25)])

    number, last = by_column(0), 2**64 - 1
    yield program("all", "The 10 least numbers, none as 0", [number])
    yield program("term", "The 20 greatest numbers of a term's docs", [by_column(0, reverse=True)],
                  lambda q: q.term("a"), k=20)
    yield program("missing_first", "Docs without a number come first",
                  [by_column(0, missing=0), by_doc(True)], both)
    yield program("missing_last", "Fewer docs than are wanted: those without come last",
                  [by_column(0, missing=last)], lambda q: q.term("c"), k=60)
    yield program("several", "By the greatest of several, then by number",
                  [by_column(1, selector="MAX", reverse=True), number], both, k=30)
    yield program("floats", "Floats with NaNs, zeros of both signs and infinities",
                  [by_column(2, "F32", missing=2**31), number], both, k=500)
    yield program("floats_reverse", "The same, the greatest first, none as NaN",
                  [by_column(2, "F32", missing=0xFFC00000, reverse=True)], k=400)
    yield program("doubles", "Sortable doubles, the least of several",
                  [by_column(3, "SORTABLE_F64", missing=MIDDLE)], k=400)
    yield program("low_words", "Of 64 bits the low 32 count", [by_column(3, "I32", "MAX"), number],
                  both, k=100)
    yield program("ordinals", "By ordinal, none last, then by score",
                  [by_column(4, "ORD", missing=last), by_score()], both, k=100)
    yield program("score", "By score, then by number", [by_score(), number], both)
    yield program("score_reverse", "The lowest scores, then by ordinal, descending",
                  [by_score(True), by_column(4, "ORD", reverse=True)], both, k=40)
    yield program("doc", "Docs as they come", [by_doc()], both)
    yield program("doc_reverse", "The last docs", [by_doc(True)], both)
    yield program("constant", "A column that the segment lacks, then a number",
                  [dict(kind=KIND["CONSTANT"], missing=7), number], both)
    yield program("live", "Every third doc is live", [number], both, live=set(range(0, 1000, 3)))
    yield program("part", "Docs 333 to 665", [number], both, min_doc=333, limit_doc=666)
    first = SortQuery().sorted_plan(everything, [by_column(4, "ORD", missing=0), number]).run()[0]
    doc, _, *keys = struct.unpack("<IfQQ", first[-24:])
    two = [by_column(4, "ORD", missing=0), number]
    yield program("after", "The 10 hits after the best 10", two, after=keys, after_doc=doc)
    yield program("after_all_of_a_key", "After all hits with a first key: later docs", two,
                  after=[keys[0], last], after_doc=2**31 - 1)
    ordinals = by_column(4, "ORD", missing=last)
    yield program("bottom", "Only ordinals below 1", [ordinals], bottom=[2], k=50)
    yield program("bottom_ties", "Ordinals up to 1", [ordinals], bottom=[2], ties=True, k=100)
    yield program("bottom_reverse", "Only ordinals above 37",
                  [by_column(4, "ORD", missing=0, reverse=True)], bottom=[38], k=100)
    yield program("no_match", "Nothing to sort", [number], lambda q: Node("NONE"))


def results():
    q = SortQuery()
    plan = q.sorted_plan(q.term("a"), [by_column(0), by_score(True)])
    yield of_result("result_top_k_by_column", "A result page of TOP_K_BY_COLUMN", plan.run()[0])


def bad_plans():
    def bad(what, change, status="PLAN_MALFORMED"):
        q = SortQuery()
        plan = q.sorted_plan(q.term("a"), [by_column(0), by_doc(True)], bottom=[1, 2])
        change(plan)
        return Vector(f"{status.lower()}_sort_{what}", f"A plan that gives {status}: sort "
                      f"{what.replace('_', ' ')}", "plan", status).bytes(plan.pack())

    for field, value in (("key_count", 0), ("key_count", 5), ("flags", 8), ("reserved0", 1),
                         ("reserved1", 1)):
        yield bad(f"{field}_{value}", lambda p, f=field, v=value: p.sort.update({f: v}))
    yield bad("ties_without_bottom", lambda p: p.sort.update(flags=FLAG["BOTTOM_TIES"]))
    yield bad("bottom_keys_missing", lambda p: setattr(p, "bottom", None))
    yield bad("after_keys_missing", lambda p: p.sort.update(
        flags=FLAG["HAS_AFTER"] | FLAG["HAS_BOTTOM"]))
    for field, value in (("kind", 0), ("kind", 5), ("transform", 0), ("transform", 9),
                         ("selector", 0), ("selector", 3), ("flags", 2), ("column", 5)):
        yield bad(f"key_{field}_{value}", lambda p, f=field, v=value: p.keys[0].update({f: v}))
    for field in ("transform", "selector", "column", "missing"):
        yield bad(f"key_of_doc_with_{field}", lambda p, f=field: p.keys[1].update({f: 1}))
    yield bad("plan_flag", lambda p: p.header.update(flags=1))
    yield bad("k_0", lambda p: p.header.update(k=0))
    yield bad("k_beyond_result_page", lambda p: p.header.update(
        k=(65536 - 64) // 24 + 1), "PLAN_TOO_LARGE")
    q = SortQuery()
    plan = q.sorted_plan(q.term("a"), [by_column(0)])
    cut = plan.pack()[:-1]
    yield Vector("plan_truncated_sort_key", "A plan that gives PLAN_TRUNCATED: sort key", "plan",
                 "PLAN_TRUNCATED").bytes(cut)
    plain = Plan("TOP_K_BY_COLUMN", q.term("a"), q.refs, q.extents, k=10)
    yield Vector("plan_malformed_sort_part_missing", "A plan that gives PLAN_MALFORMED: sort part "
                 "missing", "plan", "PLAN_MALFORMED").bytes(plain.pack())


def bad_programs():
    q = SortQuery()
    plan = q.sorted_plan(Node("ALL"), [by_column(0)])
    pages = dict(q.pages)
    pages.pop(q.LBA + 1)
    yield of_program("page_corrupt_program_sort_never_written", "A program that gives "
                     "PAGE_CORRUPT: a page of the column was never written", plan, pages,
                     status="PAGE_CORRUPT")


def good_vectors():
    yield from structs()
    yield from plans()
    yield from programs()
    yield from results()


def bad_vectors():
    yield from bad_plans()
    yield from bad_programs()
