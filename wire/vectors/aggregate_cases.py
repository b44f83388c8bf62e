# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
"""Vectors of AGGREGATE: its structs, plans and programs, good ones and bad ones."""
from model import E
from vector import of_struct

KIND, FLAG, TYPE = E["aggregate_kind"], E["aggregate_flag"], E["stats_type"]
NAN = 0x7FF8000000000000


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
