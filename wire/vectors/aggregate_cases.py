# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
"""Vectors of AGGREGATE: its structs, plans and programs, good ones and bad ones."""
from aggregates import NAN, AggregatePlan, bits
from column_cases import HIGHEST, LOWEST, ColumnQuery
from columns import Column
from good_cases import STAMP, noise
from model import E, Node
from vector import Vector, of_plan, of_result, of_struct

KIND, FLAG, TYPE = E["aggregate_kind"], E["aggregate_flag"], E["stats_type"]


def structs():
    yield of_struct("aggregate_header", "Three aggregates", "aggregate_header", aggregate_count=3)
    yield of_struct("aggregate_stats", "Moments of doubles, after 7 values", "aggregate",
                    kind=KIND["STATS"], stats_type=TYPE["SORTABLE_F64"], flags=FLAG["MOMENTS"],
                    column=1, carry_count=7, carry_sum=0x4059000000000000,
                    carry_mean=0x402C924924924925, carry_variance=0x4000000000000000)
    yield of_struct("aggregate_histogram", "Buckets of 86,400,000 from the 20,000th on",
                    "aggregate", kind=KIND["HISTOGRAM"], column=63, width=86400000,
                    **{"from": 20000})
    yield of_struct("aggregate_ranges", "Ranges 5 to 16", "aggregate", kind=KIND["RANGES"],
                    column=2, first_range=5, range_count=12)
    yield of_struct("aggregate_result_stats", "Moments of three doubles, one of them no number",
                    "aggregate_result", kind=KIND["STATS"], doc_count=2, value_count=3, sum=NAN,
                    min=0xBFF0000000000000, max=NAN, mean=NAN, variance=NAN)
    yield of_struct("aggregate_result_more", "1,000 values, and more from -5 on",
                    "aggregate_result", kind=KIND["VALUES"],
                    flags=E["aggregate_result_flag"]["MORE"], entry_count=1000, next=-5,
                    doc_count=4000)


def good_vectors():
    yield from structs()


class AggregateQuery(ColumnQuery):
    """ColumnQuery and a column `d` of doubles."""

    def __init__(self):
        super().__init__()
        source = noise(31)
        special = [0.0, -0.0, 1e300, -1e-300, float("inf")]
        doubles = {doc: [signed(special[doc // 7 % 5] if doc % 7 == 0 else
                                (next(source) % 2000 - 1000) / 8)] for doc in range(3, 990, 2)}
        d = Column(doubles, STAMP, 200, 300)
        d.ref.update(first_extent=len(self.extents), extent_count=1)
        self.extents.append((200, len(d.pages), 600))
        self.columns.append(d)
        self.pages.update({600 + i: p for i, p in enumerate(d.pages)})
        self.aggregates = []

    def add(self, kind, column, **values):
        self.aggregates.append(dict(kind=KIND[kind], column=column, **values))

    def add_ranges(self, column, *ranges):
        self.add("RANGES", column, first_range=len(self.ranges), range_count=len(ranges))
        self.ranges += ranges

    def plan(self, mode, root, **header):
        return AggregatePlan(super().plan(mode, root, **header), self.aggregates,
                             [c.docs for c in self.columns])


def signed(value):
    """The bits of a double, as a stored number."""
    image = bits(value)
    return image - 2**64 if image >> 63 else image


def add_all_kinds(q):
    q.add("STATS", 0, stats_type=TYPE["I64"], flags=FLAG["MOMENTS"])
    q.add("TERMS", 1)
    q.add("VALUES", 1, **{"from": 7})
    q.add("HISTOGRAM", 0, width=50, **{"from": LOWEST})
    q.add_ranges(0, (-100, 0), (0, 99), (50, 399), (LOWEST, HIGHEST), (1000, 2000))
    q.add("STATS", 2, stats_type=TYPE["F64"], flags=FLAG["MOMENTS"])


def programs():
    def program(name, about, add, make, live=None, **header):
        q = AggregateQuery()
        root = make(q)
        add(q)
        return q.program(name, about, "AGGREGATE", root, live, **header)

    every = Node("ALL", weight=1.0)
    yield program("aggregate_all", "Every kind over all docs", add_all_kinds, lambda q: every)
    yield program("aggregate_none", "Every kind over no doc", add_all_kinds,
                  lambda q: Node("NONE"))
    yield program("aggregate_query", "Every kind over terms and a range, docs 100 to 899, a third"
                  " of them deleted", add_all_kinds, lambda q: Node("BOOL", children=[
                      q.term("a", "SHOULD"), q.term("b", "SHOULD"),
                      q.range(0, -100, 250, "FILTER")], min_should=1),
                  live={d for d in range(1000) if d % 3}, min_doc=100, limit_doc=900)

    def several(q):
        q.add("HISTOGRAM", 1, width=10, **{"from": LOWEST})
        q.add_ranges(1, (0, 9), (5, 24), (20, 49), (10, 10))
        q.add("STATS", 1, stats_type=TYPE["I64"])

    yield program("aggregate_several_values", "A doc counts once in a bucket and in a range",
                  several, lambda q: every, limit_doc=60)

    def paged(q):
        q.add("VALUES", 0, **{"from": LOWEST})
        q.add_ranges(0, (0, 10))
        q.add("TERMS", 1, **{"from": 3})
        q.add("HISTOGRAM", 0, width=7, **{"from": -4})

    yield program("aggregate_more", "A page without room: MORE and next", paged, lambda q: every,
                  max_result_bytes=64 + 4 * 72 + 1000)

    def carried(q):
        for kind in ("F64", "F32", "SORTABLE_F32", "SORTABLE_F64", "I64"):
            q.add("STATS", 2, stats_type=TYPE[kind], flags=FLAG["MOMENTS"], carry_count=3,
                  carry_sum=bits(12.125), carry_mean=bits(4.5), carry_variance=bits(0.75))

    yield program("aggregate_types", "Every type of STATS, with a carry", carried,
                  lambda q: q.term("a"))


def plans():
    q = AggregateQuery()
    add_all_kinds(q)
    yield of_plan("plan_aggregate", "AGGREGATE with every kind",
                  q.plan("AGGREGATE", Node("ALL", weight=1.0)))
    page = q.plan("AGGREGATE", Node("ALL", weight=1.0)).run()[0]
    yield of_result("result_aggregate", "A result page of AGGREGATE", page)


def good_vectors():
    yield from structs()
    yield from plans()
    yield from programs()


def bad_vectors():
    def bad(what, change, status="PLAN_MALFORMED"):
        q = AggregateQuery()
        add_all_kinds(q)
        plan = q.plan("AGGREGATE", Node("ALL", weight=1.0))
        change(plan)
        about = f"A plan that gives {status}: {what.replace('_', ' ')}"
        name = f"{status.lower()}_aggregate_{what}"
        return Vector(name, about, "plan", status).bytes(plan.pack())

    def field(number, name, value):
        return bad(f"{number}_{name}_{value}",
                   lambda plan: plan.aggregates[number].update({name: value}))

    yield bad("none", lambda plan: plan.aggregate_header.update(aggregate_count=0))
    yield bad("33", lambda plan: plan.aggregate_header.update(aggregate_count=33), "PLAN_TOO_LARGE")
    yield bad("header_reserved", lambda plan: plan.aggregate_header.update(reserved2=1))
    yield bad("one_missing", lambda plan: plan.aggregates.pop())
    yield bad("page_too_small", lambda plan: plan.header.update(max_result_bytes=567),
              "PLAN_TOO_LARGE")
    yield bad("ordinals_from_column_0", lambda plan: plan.aggregates[1].update(column=0))
    for number, name, value in ((0, "kind", 0), (0, "kind", 6), (0, "stats_type", 0),
                                (0, "stats_type", 6), (0, "flags", 2), (0, "column", 3),
                                (0, "reserved0", 1), (0, "carry_count", 2**62), (0, "from", 1),
                                (1, "stats_type", 1), (1, "from", -1), (1, "flags", 1),
                                (2, "carry_sum", 1), (2, "width", 1), (3, "width", 0),
                                (3, "width", -5), (4, "range_count", 0), (4, "range_count", 6),
                                (4, "first_range", 1), (5, "range_count", 1)):
        yield field(number, name, value)
