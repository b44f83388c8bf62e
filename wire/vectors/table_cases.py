# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
"""Vectors of TABLE_TERM: plans and programs, good ones and bad ones."""
from good_cases import Query, TABLE
from bad_cases import plan_vector
from model import C, Node, Plan, f32
from vector import of_plan, of_program

WEIGHT = 4.0
NORMS = range(C["NORM_TABLE_ENTRIES"])
# The scores of frequencies 1, 2 and 3.
SCORES = [[f32(WEIGHT * freq / (freq + 1 + norm / 32)) for norm in NORMS] for freq in (1, 2, 3)]


def term(q, name, occur="MUST", table=1, tables=3, weight=WEIGHT):
    node = q.term(name, occur, weight)
    node.op, node.table, node.range_count = "TABLE_TERM", table, tables
    return node


def plan(q, mode, root, scores=None, **header):
    scored = mode in ("SCORED_DOCS", "TOP_K")
    tables = [TABLE] + (SCORES if scores is None else scores) if scored else []
    return Plan(mode, root, q.refs, q.extents, tables, **header)


def good_vectors():
    q = Query()

    def program(name, about, mode, root, scores=None, **header):
        made = plan(q, mode, root, scores, **header)
        return of_program(f"program_{name}", about, made, q.pages)

    either = [term(q, "a", "SHOULD"), q.term("b", "SHOULD", 2.25), term(q, "c", "SHOULD", 2, 2)]
    yield of_plan("plan_table_term", "TOP_K of TABLE_TERMs that share tables",
                  plan(q, "TOP_K", Node("BOOL", children=either)))
    yield program("docs_table_term", "Docs of a TABLE_TERM, which names no table that is there",
                  "DOCS", term(q, "b", table=9))
    yield program("scored_docs_table_term", "Frequencies from 3 on score as 3 does",
                  "SCORED_DOCS", term(q, "a"))
    yield program("scored_docs_table_term_rising",
                  "The scores of frequency 2 are the highest, and those of high norms",
                  "SCORED_DOCS", Node("BOOL", children=[term(q, "a"), term(q, "b", "SHOULD")]),
                  [SCORES[0], SCORES[2][::-1], SCORES[1]])
    yield program("top_k_table_term", "The 10 best of a TABLE_TERM", "TOP_K", term(q, "a"))
    yield program("top_k_table_terms", "The 10 best of a OR b OR c, two by tables", "TOP_K",
                  Node("BOOL", children=either))
    yield program("top_k_table_term_dis_max", "The 10 best of a DIS_MAX of both kinds", "TOP_K",
                  Node("DIS_MAX", weight=0.25, children=either))


def bad_vectors():
    q = Query()

    def bad(what, root, scores=None, mode="TOP_K", status="PLAN_MALFORMED"):
        return plan_vector(status, what, plan(q, mode, root, scores).pack())

    def changed(freq, norm, value):
        scores = [[*row] for row in SCORES]
        scores[freq - 1][norm] = value
        return scores

    yield bad("table_term_without_tables", term(q, "a", tables=0))
    yield bad("table_term_tables", term(q, "a", tables=4))
    yield bad("table_term_first_table", term(q, "a", table=4, tables=1))
    yield bad("table_term_last_table", term(q, "a", table=2**32 - 1, tables=2))
    yield bad("table_term_above_weight", term(q, "a"), changed(2, 30, WEIGHT * 1.001))
    yield bad("table_term_negative", term(q, "a"), changed(3, 255, -1.0))
    yield bad("table_term_negative_zero", term(q, "a"), changed(1, 255, -0.0))
    yield bad("table_term_infinite", term(q, "a"), changed(3, 0, float("inf")))
    yield bad("table_term_nan", term(q, "a"), changed(1, 77, float("nan")))
    list_4 = term(q, "a")
    list_4.list = 4
    yield bad("table_term_list", list_4)
    yield bad("table_term_in_synonym", Node("SYNONYM", weight=1.0, children=[
        term(q, "a", "SHOULD", 0, 1, 1.0)]), mode="DOCS")
    yield bad("table_term_too_many_tables",
              term(q, "a", tables=C["MAX_PLAN_TABLES"] + 1), mode="DOCS", status="PLAN_TOO_LARGE")
