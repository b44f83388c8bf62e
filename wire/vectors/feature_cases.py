# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
"""Vectors of FEATURE_TERM and LINEAR_TERM: plans and programs, good ones and bad ones."""
from good_cases import Query, TABLE
from bad_cases import plan_vector
from model import C, Image, Node, Plan, f32
from vector import of_plan, of_program

WEIGHT = 2.5
STAMP = 0x0FEA70FEA70FEA70


def feature(freq):
    """The score of a frequency: it rises, and stays below the weight."""
    return f32(WEIGHT * freq / (freq + 0x7F80))


def tables(first, count):
    return [[feature((first + t) << 8 | 255 - entry) for entry in range(C["NORM_TABLE_ENTRIES"])]
            for t in range(count)]


class Features(Query):
    """Two lists of features beside one of words."""

    def __init__(self):
        super().__init__()
        image = Image(STAMP)
        words = self.lists["a"]
        self.lists = {
            "a": words,
            "rank": [(doc, 0x7D00 + 37 * i % 0x500, 1) for i, (doc, _, _) in enumerate(words)],
            "far": [(3 * i, (0x0100, 0x7F43, 0xFEFF)[i % 3], 1) for i in range(40)],
            "one": [(501, 0x7E12, 1)]}
        refs = {name: image.add(part) for name, part in self.lists.items()}
        image.finish()
        self.names, self.refs = list(refs), list(refs.values())
        self.pages = {40 + i: page for i, page in enumerate(image.pages)}
        self.extents = [(0, 1, 30), (1, len(image.pages), 40)]

    def feature(self, name, occur="MUST", table=1, count=8, first=0x7B, weight=WEIGHT):
        node = self.term(name, occur, weight)
        node.op, node.table, node.range_count, node.min_should = "FEATURE_TERM", table, count, first
        return node

    def linear(self, name, occur="MUST", most=0x81FF, weight=WEIGHT):
        node = self.term(name, occur, weight)
        node.op, node.table, node.min_should = "LINEAR_TERM", 0, most
        return node

    def plan_of(self, mode, root, rows=None, **header):
        scored = mode in ("SCORED_DOCS", "TOP_K")
        rows = [TABLE] + (tables(0x7B, 8) if rows is None else rows) if scored else []
        return Plan(mode, root, self.refs, self.extents, rows, **header)


def good_vectors():
    q = Features()

    def program(name, about, mode, root, rows=None, **header):
        made = q.plan_of(mode, root, rows, **header)
        return of_program(f"program_{name}", about, made, q.pages)

    both = Node("BOOL", children=[q.term("a"), q.feature("rank", "SHOULD")])
    yield of_plan("plan_feature_term", "TOP_K of a word and a FEATURE_TERM",
                  q.plan_of("TOP_K", both))
    yield program("docs_feature_term", "Docs of a FEATURE_TERM, which names no table that is there",
                  "DOCS", q.feature("rank", table=99))
    yield program("scored_docs_feature_term", "Each frequency has a score of its own",
                  "SCORED_DOCS", q.feature("rank"))
    yield program("scored_docs_feature_term_outside",
                  "Frequencies outside the tables score as the nearest one within",
                  "SCORED_DOCS", q.feature("far"))
    yield program("scored_docs_feature_term_inline", "A feature of one doc", "SCORED_DOCS",
                  q.feature("one"))
    yield program("scored_docs_feature_term_all", "Tables up to the highest high byte",
                  "SCORED_DOCS", q.feature("far", count=4, first=0xFC), tables(0xFC, 4))
    yield program("top_k_feature_term", "The 10 best of a FEATURE_TERM", "TOP_K",
                  q.feature("rank"))
    yield program("top_k_feature_term_and_word", "The 10 best of a word with a feature", "TOP_K",
                  both)

    both = Node("BOOL", children=[q.term("a", "SHOULD"), q.linear("rank", "SHOULD", 0x81FF, 0.3),
                                  q.linear("one", "SHOULD", 0x7E12)])
    yield of_plan("plan_linear_term", "TOP_K of a word and two LINEAR_TERMs",
                  q.plan_of("TOP_K", both))
    yield program("scored_docs_linear_term", "The weight times each value", "SCORED_DOCS",
                  q.linear("rank"))
    yield program("scored_docs_linear_term_above", "Those above `min_should` score as it does",
                  "SCORED_DOCS", q.linear("far", most=0x7F43))
    yield program("top_k_linear_terms_and_word", "The 10 best of a word with two features", "TOP_K",
                  both)


def bad_vectors():
    q = Features()

    def bad(what, root, rows=None, mode="TOP_K", status="PLAN_MALFORMED"):
        return plan_vector(status, what, q.plan_of(mode, root, rows).pack())

    yield bad("feature_term_without_tables", q.feature("rank", count=0))
    yield bad("feature_term_tables", q.feature("rank", count=9))
    yield bad("feature_term_high_byte", q.feature("rank", first=256))
    yield bad("feature_term_last_high_byte", q.feature("rank", first=249))
    yield bad("feature_term_above_weight", q.feature("rank", weight=1.0))
    yield bad("feature_term_negative", q.feature("rank"), [[-1.0] * 256] + tables(0x7B, 7))
    yield bad("linear_term_frequency", q.linear("rank", most=0xFF00))
    yield bad("linear_term_infinite", q.linear("rank", most=0xFE80))
    yield bad("feature_term_too_many_tables", q.feature("rank", count=257, first=0), mode="DOCS")
