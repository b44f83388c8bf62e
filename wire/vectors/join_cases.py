# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
"""Vectors of JOIN: plans and programs, good ones and bad ones."""
from good_cases import Query
from bad_cases import plan_vector
from model import Node
from vector import of_plan


def good_vectors():
    q = Query()

    def term(name, score):
        return q.term(name, "SHOULD", score)

    def join(*terms, occur="MUST"):
        return Node("JOIN", occur, children=[term(*one) for one in terms])

    three = [("b", 0.75), ("a", 2.5), ("c", 1.25)]
    one = [("one", 7.0)]
    yield of_plan("plan_join", "TOP_K of a JOIN of three terms",
                  q.plan("TOP_K", join(*three)))
    yield q.program("docs_join", "Docs of a JOIN: those of a OR b OR c", "DOCS", join(*three))
    yield q.program("scored_docs_join", "The first term of a doc scores it", "SCORED_DOCS",
                    join(*three))
    yield q.program("scored_docs_join_reversed", "The first one of other terms is the last here",
                    "SCORED_DOCS", join(*three[::-1], *one))
    yield q.program("scored_docs_join_zero", "A score may be zero", "SCORED_DOCS",
                    join(("a", 0.0), ("b", 1.0)))
    yield q.program("scored_docs_join_in_bool", "A JOIN required, optional, prohibited",
                    "SCORED_DOCS", Node("BOOL", children=[
                        join(*three), join(("c", 0.5), ("a", 4.0), occur="SHOULD"),
                        join(*one, occur="MUST_NOT")]))
    yield q.program("top_k_join", "The 10 best of a JOIN", "TOP_K", join(*three))
    yield q.program("top_k_join_in_dis_max", "The 10 best of a JOIN and a term", "TOP_K",
                    Node("DIS_MAX", weight=0.5, children=[
                        join(*three, occur="SHOULD"), q.term("c", "SHOULD", 3.0)]))


def bad_vectors():
    q = Query()

    def bad(what, root, mode="DOCS"):
        return plan_vector("PLAN_MALFORMED", what, q.plan(mode, root).pack())

    def join(*children, **fields):
        return Node("JOIN", children=[*children], **fields)

    good = q.term("a", "SHOULD", 1.0)
    yield bad("join_without_child", join())
    yield bad("join_must", join(good, q.term("b", "MUST")))
    yield bad("join_of_all", join(good, Node("ALL", "SHOULD", weight=1.0)))
    yield bad("join_of_join", join(good, Node("JOIN", "SHOULD", children=[good])))
    yield bad("join_min_should", join(good, min_should=1))
    yield bad("join_list", join(good, list=1))
    yield bad("join_table", join(good, table=1), mode="TOP_K")
    yield bad("join_score_negative", join(good, q.term("b", "SHOULD", -1.0)))
    yield bad("join_score_infinite", join(q.term("b", "SHOULD", float("inf"))), mode="TOP_K")
    yield bad("join_score_nan", join(q.term("b", "SHOULD", float("nan"))), mode="TOP_K")
