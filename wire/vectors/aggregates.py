# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
"""Plans of mode AGGREGATE, evaluated value by value: written from WIRE.md, as model.py is."""
import struct

import model
from model import E, Plan

KIND = E["aggregate_kind"]
PAGED = (KIND["TERMS"], KIND["VALUES"], KIND["HISTOGRAM"])
NAN = 0x7FF8000000000000


def double(bits):
    return struct.unpack("<d", struct.pack("<Q", bits % 2**64))[0]


def single(bits):
    return struct.unpack("<f", struct.pack("<I", bits % 2**32))[0]


def bits(value):
    return NAN if value != value else struct.unpack("<Q", struct.pack("<d", value))[0]


def number(stats_type, v):
    """What a stored number is to STATS."""
    low = v % 2**32
    return {"I64": lambda: v,
            "F32": lambda: single(low),
            "F64": lambda: double(v),
            "SORTABLE_F32": lambda: single(low ^ 0x7FFFFFFF if low >> 31 else low),
            "SORTABLE_F64": lambda: double(v ^ (2**63 - 1) if v < 0 else v)}[stats_type]()


def order(value):
    """A key that sorts as Double.compare does."""
    image = bits(value)
    return -(image - 2**63) - 1 if image >> 63 else image


def stats(a, values):
    name = {v: k for k, v in E["stats_type"].items()}[a["stats_type"]]
    numbers = [number(name, v) for v in values]
    ints = name == "I64"
    out = dict(value_count=len(values))
    if ints:
        out["sum"] = (a.get("carry_sum", 0) + sum(numbers)) % 2**64
    else:
        total = double(a.get("carry_sum", 0))
        for v in numbers:
            total = total + v
        out["sum"] = bits(total)
    if values:
        low, high = (min(numbers), max(numbers)) if ints else (
            min(numbers, key=order), max(numbers, key=order))
        out.update(min=low % 2**64 if ints else bits(low), max=high % 2**64 if ints else bits(high))
    if a.get("flags", 0):
        n, m, q = a.get("carry_count", 0), double(a.get("carry_mean", 0)), double(
            a.get("carry_variance", 0))
        for v in map(float, numbers):
            n += 1
            d = v - m
            m = m + d / n
            q = q + (v - m) * d
        out.update(mean=bits(m), variance=bits(q))
    return out


def keys_of(a, values):
    """The keys that a doc of these values adds 1 to."""
    if a["kind"] == KIND["TERMS"]:
        keys = values
    elif a["kind"] == KIND["VALUES"]:
        keys = set(values)
    else:
        keys = {v // a["width"] for v in values}
    return [k for k in keys if k >= a.get("from", 0)]


def least_bytes(a):
    return 16 if a["kind"] in PAGED else (4 * a.get("range_count", 0) + 7) // 8 * 8


class AggregatePlan(Plan):
    """A plan with aggregates: fields of the struct; `values` are {doc: [values]} by column."""

    def __init__(self, plan, aggregates, values):
        self.__dict__.update(plan.__dict__)
        self.aggregates, self.values = aggregates, values
        self.aggregate_header = dict(aggregate_count=len(aggregates))

    def pack(self, **changes):
        part = model.pack("aggregate_header", **self.aggregate_header)
        part += b"".join(model.pack("aggregate", **a) for a in self.aggregates)
        total = len(super().pack()) + len(part)
        return super().pack(**{"total_bytes": total, **changes}) + part

    def run(self, live=None):
        h = self.header
        docs = [d for d in range(h["min_doc"], h["limit_doc"])
                if self.root.score(d, self.tables) is not None and (live is None or d in live)]
        at = model.size("result_header") + len(self.aggregates) * model.size("aggregate_result")
        results, data = b"", b""
        for i, a in enumerate(self.aggregates):
            room = h["max_result_bytes"] - at - len(data) - sum(
                map(least_bytes, self.aggregates[i + 1:]))
            fields, own = self.aggregate(a, docs, room // 8 * 8)
            results += model.pack("aggregate_result", kind=a["kind"], **fields)
            data += own.ljust((len(own) + 7) // 8 * 8, b"\0")
        return [self.page(self.aggregates, len(docs), results + data)]

    def aggregate(self, a, docs, room):
        """Fields of the aggregate_result, and the data."""
        column = self.values[a["column"]]
        found = [column[d] for d in docs if d in column]
        out = dict(doc_count=len(found))
        if a["kind"] == KIND["STATS"]:
            return {**out, **stats(a, [v for values in found for v in values])}, b""
        if a["kind"] == KIND["RANGES"]:
            ranges = self.ranges[a["first_range"]:a["first_range"] + a["range_count"]]
            hits = [[any(lo <= v <= hi for v in values) for lo, hi in ranges] for values in found]
            counts = [sum(hit[r] for hit in hits) for r in range(len(ranges))]
            out.update(entry_count=len(counts), value_count=sum(map(any, hits)))
            return out, struct.pack(f"<{len(counts)}I", *counts)
        counts = {}
        for values in found:
            for key in keys_of(a, values):
                counts[key] = counts.get(key, 0) + 1
        if a["kind"] == KIND["TERMS"]:
            out["value_count"] = sum(map(len, found))
            keys, width = list(range(a.get("from", 0), self.columns[a["column"]]["max"] + 1)), 4
        else:
            keys, width = sorted(counts), 12
        given = keys[:room // width]
        out["entry_count"] = len(given)
        if len(given) < len(keys):
            out.update(flags=E["aggregate_result_flag"]["MORE"], next=keys[len(given)])
        own = b"" if width == 4 else struct.pack(f"<{len(given)}q", *given)
        return out, own + struct.pack(f"<{len(given)}I", *(counts.get(k, 0) for k in given))
