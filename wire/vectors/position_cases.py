# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
"""Vectors of positions: pages, plans and programs, good ones and bad ones."""
import struct

import model
from good_cases import Query, STAMP, TABLE, noise
from model import C, E, Image, Node, Plan
from positions import Block, Positions, encode, of_position_page
from vector import Vector, of_plan, of_program

FIRST, LAST = E["position_flag"]["FIRST_OF_LIST"], E["position_flag"]["LAST_OF_LIST"]


def positions(seed, docs, most, below):
    """A list of (doc, positions): up to `most` positions a doc, below `below`."""
    source, out = noise(seed), []
    for doc in docs:
        out.append((doc, sorted(next(source) % below for _ in range(1 + next(source) % most))))
    return out


def page_of(name, about, lists, page=0):
    image = Positions(STAMP, 9)
    for docs in lists:
        image.add(docs)
    image.finish()
    return of_position_page(f"position_{name}", about, image.pages[page], image.page_blocks[page])


def pages():
    yield page_of("worked_example", "The worked example of WIRE.md: 4 docs",
                  [[(3, [7]), (4, [0, 9]), (10, [120]), (11, [3, 4, 4, 20, 21])]])
    yield page_of("zeros", "Positions 0 only: values of no bits",
                  [[(doc, [0] * (1 + doc % 3)) for doc in range(200)]])
    yield page_of("three_lists", "Lists of 300, 5 and 130 docs share a page",
                  [positions(1, range(0, 900, 3), 3, 200), positions(2, range(5), 4, 90),
                   positions(3, range(130), 2, 50)])
    yield page_of("exceptions", "A few high values over narrow ones",
                  [[(doc, [doc % 4 + (doc % 20 == 7) * 900]) for doc in range(300)]])
    yield page_of("widest", "The last doc, the highest position",
                  [[(0, [2**31 - 1]), (C["MAX_DOC"] - 1, [0, 2**31 - 1])]])
    yield page_of("inside", "More positions in a posting block than a position block may have",
                  [positions(4, range(100), 60, 5000)])
    giant = sorted(v % 70000 for v, _ in zip(noise(5), range(2500)))
    yield page_of("one_doc_in_parts", "2500 positions in a doc, between others",
                  [[(4, [1, 5]), (6, giant), (9, [77])]])
    yield page_of("goes_on", "The page ends within a list", [positions(6, range(4000), 6, 900)])
    yield page_of("inside_long_list", "Every block is of a list that began before",
                  [positions(6, range(4000), 6, 900)], 1)
    yield page_of("256_blocks", "As many blocks as a page may have",
                  [[(i, [1]), (i + 1, [0])] for i in range(300)])


def patched(data, offset, kind, value):
    out = bytearray(data)
    struct.pack_into("<" + model.FORMATS[kind], out, offset, value)
    return bytes(out)


def bad_pages():
    def bad(what, data, status="PAGE_CORRUPT", sealed=True):
        about = f"A position page that breaks a rule: {what.replace('_', ' ')}"
        return Vector(f"{status.lower()}_position_{what}", about, "position_page", status).bytes(
            model.seal(data) if sealed else data)

    image = Positions(STAMP, 9)
    image.add(positions(1, range(0, 900, 3), 3, 200))
    image.add(positions(2, range(5), 4, 90))
    image.finish()
    good, blocks = image.pages[0], image.page_blocks[0]
    head = model.unpack("position_page_header", good)
    offsets = {f: (o, k) for f, o, k, _ in model.fields("position_page_header")}
    yield bad("crc", patched(good, 60, "u8", good[60] ^ 1), sealed=False)
    yield bad("version", patched(good, *offsets["version"], 1), "UNSUPPORTED_VERSION")
    for field, value in (("flags", 1), ("reserved0", 1), ("reserved1", 1), ("block_count", 0),
                         ("block_count", 257), ("used_bytes", head["used_bytes"] + 1),
                         ("used_bytes", 60), ("lead_blocks", 2),
                         ("lead_first_doc", blocks[0].last_doc + 1),
                         ("lead_last_doc", head["lead_last_doc"] - 1)):
        yield bad(f"{field}_{value}", patched(good, *offsets[field], value))
    yield bad("byte_behind", good[:-1] + b"\1")
    last_docs = model.size("position_page_header")
    entries = last_docs + 4 * len(blocks)
    fields = {f: (o, k) for f, o, k, _ in model.fields("position_entry")}

    def entry(b, field, value):
        offset, kind = fields[field]
        return patched(good, entries + 8 * b + offset, kind, value)

    yield bad("last_doc_too_high", patched(good, last_docs + 12, "u32", C["MAX_DOC"]))
    yield bad("last_doc_descends", patched(good, last_docs + 4, "u32", blocks[0].last_doc - 1))
    for field, value in (("value_count", 0), ("value_count", 1025), ("value_bits", 32),
                         ("exceptions", 16), ("flags", 9), ("flags", FIRST), ("reserved0", 1),
                         ("offset", 0)):
        yield bad(f"entry_{field}_{value}", entry(1, field, value))
    yield bad("two_lists_open", entry(3, "flags", LAST))
    yield bad("begins_inside", encode([flagged(Block(0, 5, 9, [1, 2]), FIRST | LAST)], STAMP, 9))
    inside = [flagged(Block(0, 5, 0, [1, 2]), FIRST), flagged(Block(5, 8, 2, [3]), LAST)]
    page = encode(inside, STAMP, 9)
    at = model.unpack("position_entry", page, last_docs + 8 + 8)["offset"]
    yield bad("inside_rank_0", patched(page, at, "u32", 0))
    page = encode([flagged(Block(0, 5, 0, [1, 2, 3]), FIRST | LAST)], STAMP, 9)
    yield bad("padding", patched(page, last_docs + 12, "u8", 0xB9))
    values = [1, 900, 1, 1, 901]
    page = encode([flagged(Block(0, 5, 0, values, exceptions=2), FIRST | LAST)], STAMP, 9)
    at = model.unpack("position_page_header", page)["used_bytes"] - 6
    yield bad("exceptions_descend", patched(page, at, "u16", 4))
    yield bad("exception_behind", patched(page, at + 3, "u16", 5))
    yield bad("exception_of_nothing", patched(page, at + 2, "u8", 0))
    page = encode([flagged(Block(0, 5, 0, [2**31 - 1] + 40 * [2**24 - 1]), FIRST | LAST)], STAMP, 9)
    at = model.unpack("position_page_header", page)["used_bytes"] - 1
    yield bad("exception_beyond_31_bits", patched(page, at, "u8", 0x80))


def flagged(block, flags):
    block.flags |= flags
    return block


class PhraseQuery(Query):
    """Query over lists like the scene's, of one field and with positions, at LBA 600 on."""

    FIRST_PAGE, LBA = 200, 600

    def __init__(self):
        super().__init__()
        lists = Image(STAMP)
        self.lists = {name: [(doc, freq, 10 + doc * 7 % 50) for doc, freq, _ in part]
                      for name, part in self.lists.items()}
        self.refs = [lists.add(part) for part in self.lists.values()]
        lists.finish()
        self.pages = {40 + i: page for i, page in enumerate(lists.pages)}
        self.extents = [(0, 1, 30), (1, len(lists.pages), 40)]
        image = Positions(STAMP, self.FIRST_PAGE)
        source = noise(31)
        self.docs, self.places = {}, {}
        for name, part in self.lists.items():
            self.docs[name] = {
                doc: (freq, norm, sorted(next(source) % 9 for _ in range(freq)))
                for doc, freq, norm in part}
            found = [(doc, positions) for doc, (_, _, positions) in self.docs[name].items()]
            self.places[name] = image.add(found)
        image.finish()
        self.first_extent = len(self.extents)
        self.extents.append((self.FIRST_PAGE, len(image.pages), self.LBA))
        self.pages.update({self.LBA + i: page for i, page in enumerate(image.pages)})

    def positions(self, name, place):
        """The POSITIONS ref of a list."""
        page, slot, count = self.places[name]
        return dict(kind=E["list_kind"]["POSITIONS"], first_page=page, slot=slot, page_count=count,
                    posting_count=len(self.lists[name]), stamp=STAMP, inline_doc=place,
                    inline_norm=1,
                    first_extent=self.first_extent, extent_count=1)

    def phrase(self, *words, occur="MUST", weight=1.5):
        """A PHRASE of lists, or of (list, place)."""
        words = [w if isinstance(w, tuple) else (w, i) for i, w in enumerate(words)]
        first = len(self.refs)
        for name, place in words:
            self.refs += [self.refs[self.names.index(name)], self.positions(name, place)]
        return Node("PHRASE", occur, weight=weight, list=first,
                    terms=[(place, self.docs[name]) for name, place in words])


    def multi_phrase(self, *places, slop=0, occur="MUST", weight=1.5):
        """A MULTI_PHRASE of strings of lists' names, one for each place."""
        first = len(self.refs)
        for place, names in enumerate(places):
            for i, name in enumerate(names):
                at = self.positions(name, place)
                uses = E["position_use"]
                at["inline_norm"] = uses["EQUAL"] | (uses["ALTERNATIVE"] if i > 0 else 0)
                self.refs += [self.refs[self.names.index(name)], at]
        return Node("MULTI_PHRASE", occur, weight=weight, list=first, min_should=slop,
                    places=[[(place, self.docs[name]) for name in names]
                            for place, names in enumerate(places)])


    def near(self, op, *names, limit=0, occur="MUST", weight=1.5):
        """Lists near each other."""
        node = self.phrase(*[(name, 0) for name in names], occur=occur, weight=weight)
        node.op, node.min_should = op, limit
        return node


def plans():
    q = PhraseQuery()
    root = Node("BOOL", children=[q.multi_phrase("a", "bc", slop=3), q.term("c", "SHOULD")])
    yield of_plan("plan_multi_phrase", "TOP_K of alternatives that may move, and a term",
                  q.plan("TOP_K", root))
    q = PhraseQuery()
    root = Node("BOOL", children=[q.phrase("a", "b"), q.term("c", "SHOULD")])
    yield of_plan("plan_phrase", "TOP_K of a phrase and a term", q.plan("TOP_K", root))


def programs():
    def program(name, about, mode, make, live=None, **header):
        q = PhraseQuery()
        return q.program(name, about, mode, make(q), live, **header)

    yield program("count_phrase", "COUNT of a phrase", "COUNT", lambda q: q.phrase("a", "b"))
    yield program("docs_phrase", "DOCS of a phrase of three", "DOCS",
                  lambda q: q.phrase("a", "b", "a"), live=set(range(0, 1000, 3)))
    yield program("docs_phrase_of_one_doc", "One of the lists is inline, with three positions",
                  "DOCS", lambda q: q.phrase("one", "a"))
    yield program("scored_docs_phrase", "A phrase with a gap, in any order of places",
                  "SCORED_DOCS", lambda q: q.phrase(("b", 4), ("a", 1)))
    yield program("scored_docs_phrase_of_one_term", "A term after itself", "SCORED_DOCS",
                  lambda q: q.phrase("a", "a"))
    yield program("scored_docs_phrase_at_one_place", "Equal positions of the first count each",
                  "SCORED_DOCS", lambda q: q.phrase(("a", 2), ("b", 2)))
    yield program("top_k_phrase", "The 10 best of a phrase", "TOP_K", lambda q: q.phrase("b", "a"))
    yield program("scored_docs_phrases_in_bool", "Phrases required, optional and prohibited",
                  "SCORED_DOCS", lambda q: Node("BOOL", children=[
                      q.term("a"), q.phrase("a", "b", occur="SHOULD", weight=2.0),
                      q.phrase("b", "c", occur="MUST_NOT"),
                      q.phrase(("a", 0), ("a", 1), occur="FILTER")]))
    yield program("count_multi_phrase", "COUNT of a phrase of alternatives", "COUNT",
                  lambda q: q.multi_phrase("ab", "c"))
    yield program("scored_docs_multi_phrase", "Alternatives at three places", "SCORED_DOCS",
                  lambda q: q.multi_phrase("ab", "c", "ca"))
    yield program("scored_docs_sloppy_phrase", "Two terms that may move", "SCORED_DOCS",
                  lambda q: q.multi_phrase("a", "b", slop=2))
    yield program("top_k_sloppy_phrase", "The 10 best of alternatives that may move", "TOP_K",
                  lambda q: q.multi_phrase("ab", "c", slop=4))
    for op in model.NEAR:
        name = op.lower()
        yield program(f"scored_docs_{name}", f"Two lists near each other: {op}", "SCORED_DOCS",
                      lambda q, op=op: q.near(op, "a", "b", limit=2))
        yield program(f"top_k_{name}", f"The 10 best of {op} without limit", "TOP_K",
                      lambda q, op=op: q.near(op, "b", "a", limit=0xFFFF))
        yield program(f"count_{name}", f"COUNT of {op} side by side", "COUNT",
                      lambda q, op=op: q.near(op, "a", "c"))
    yield program("scored_docs_near_of_three", "Intervals of three lists, and spans, in a BOOL",
                  "SCORED_DOCS", lambda q: Node("BOOL", children=[
                      q.near("ORDERED_INTERVALS", "a", "b", "a", limit=9),
                      q.near("UNORDERED_INTERVALS", "a", "c", "b", limit=9, occur="SHOULD"),
                      q.near("ORDERED_SPANS", "b", "a", "b", limit=9, occur="SHOULD")]))
    q = PhraseQuery()
    refs = [dict(kind=E["list_kind"]["INLINE"], posting_count=1, inline_doc=7, inline_freq=1,
                 inline_norm=9),
            dict(kind=E["list_kind"]["POSITIONS"], posting_count=1, page_count=0, inline_freq=3)]
    terms = [(0, {7: (1, 9, [3])}), (1, {7: (1, 9, [4])})]
    refs += [refs[0], dict(refs[1], inline_doc=1, inline_freq=4)]
    plan = Plan("TOP_K", Node("PHRASE", list=0, weight=2.5, terms=terms), refs, [], [TABLE])
    yield of_program("program_top_k_phrase_without_pages", "Two lists of one position each", plan,
                     {})


def bad_plans():
    def bad(what, change, status="PLAN_MALFORMED"):
        q = PhraseQuery()
        root = q.phrase("a", "b")
        plan = q.plan("TOP_K", root)
        change(plan, root)
        return Vector(f"{status.lower()}_phrase_{what}", f"A plan that gives {status}: a phrase, "
                      f"{what.replace('_', ' ')}", "plan", status).bytes(plan.pack())

    yield bad("of_one_term", lambda p, n: setattr(n, "range_count", 1))
    yield bad("of_three_terms_of_two", lambda p, n: setattr(n, "range_count", 3))
    yield bad("of_65537_terms", lambda p, n: setattr(n, "range_count", 65537))
    yield bad("list_behind", lambda p, n: setattr(n, "list", 2**32 - 1))
    yield bad("table_1_of_1", lambda p, n: setattr(n, "table", 1))
    yield bad("begins_with_positions", lambda p, n: setattr(n, "list", 3))
    yield bad("without_positions", lambda p, n: setattr(n, "list", 0))
    yield bad("min_should", lambda p, n: setattr(n, "min_should", 1))
    yield bad("of_other_postings", lambda p, n: p.lists[5].update(posting_count=399))
    for field, value in (("slot", 256), ("inline_doc", 2**31), ("reserved0", 1), ("inline_norm", 2),
                         ("first_page", 2**32 - 1), ("extent_count", 0)):
        yield bad(f"positions_{field}_{value}", lambda p, n, f=field, v=value: p.lists[5].update(
            {f: v}))
    for op in model.NEAR:
        name = op.lower()
        yield bad(f"{name}_at_places", lambda p, n, op=op: setattr(n, "op", op))
        yield bad(f"{name}_with_alternatives", lambda p, n, op=op: (
            setattr(n, "op", op), p.lists[5].update(inline_doc=0, inline_norm=2),
            p.lists[7].update(inline_doc=0)))
    yield bad("intervals_with_table", lambda p, n: (
        setattr(n, "op", "ORDERED_INTERVALS"), setattr(n, "table", 1),
        p.lists[7].update(inline_doc=0)))
    yield bad("one_position_of_many", lambda p, n: p.lists[5].update(page_count=0))
    yield bad("one_position_too_high", lambda p, n: p.lists[5].update(
        page_count=0, inline_freq=2**31))
    q = PhraseQuery()
    q.phrase("a", "b")
    plan = q.plan("COUNT", Node("TERM", list=5))
    yield Vector("plan_malformed_term_of_positions", "A plan that gives PLAN_MALFORMED: a TERM of "
                 "positions", "plan", "PLAN_MALFORMED").bytes(plan.pack())
    q = PhraseQuery()
    children = [q.phrase(*["a"] * 400) for _ in range(2)]
    for child in children:
        child.list = 4
    # 6 of 400 terms, over the lists of one.
    plan = q.plan("COUNT", Node("BOOL", children=children * 3))
    yield Vector("plan_too_large_2400_terms_of_phrases", "A plan that gives PLAN_TOO_LARGE: 2400 "
                 "terms of phrases", "plan", "PLAN_TOO_LARGE").bytes(plan.pack())


def bad_programs():
    def bad(status, what, change):
        q = PhraseQuery()
        plan = q.plan("COUNT", q.phrase("a", "b"))
        held = dict(q.pages)
        change(q, plan, held)
        return of_program(f"{status.lower()}_program_{what}", f"A program that gives {status}: "
                          f"{what.replace('_', ' ')}", plan, held, status=status)

    lba = PhraseQuery.LBA
    yield bad("PAGE_CORRUPT", "positions_never_written", lambda q, plan, held: held.pop(lba))
    yield bad("PAGE_STALE", "positions_of_another_file", lambda q, plan, held: plan.lists[5].update(
        stamp=STAMP + 1))
    yield bad("LIST_CORRUPT", "positions_in_posting_pages", lambda q, plan, held:
              plan.lists[5].update(first_page=1, first_extent=1, page_count=1, slot=0))
    yield bad("LIST_CORRUPT", "positions_of_another_list", lambda q, plan, held:
              plan.lists[5].update({f: v for f, v in q.positions("c", 0).items()
                                    if f != "posting_count"}))
    yield bad("LIST_CORRUPT", "positions_begin_inside", lambda q, plan, held:
              plan.lists[5].update(slot=1))


def good_vectors():
    yield from pages()
    yield from plans()
    yield from programs()


def bad_vectors():
    yield from bad_pages()
    yield from bad_plans()
    yield from bad_programs()
