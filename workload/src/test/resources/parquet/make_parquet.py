# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
"""Writes the Parquet files beside it, with PyPI's pyarrow (26.0.1), which the tests only read."""
import datetime
import decimal
import pathlib

import pyarrow as pa
import pyarrow.parquet as pq

HERE = pathlib.Path(__file__).parent
NOON = datetime.datetime(2024, 5, 31, 12, 0, 0, 250000)

ROWS = pa.table({
    "id": ["1", "2"],
    "body": pa.array(["two words", "größer"]).dictionary_encode(),
    "long": pa.array([-(2**63), None], pa.int64()),
    "byte": pa.array([200, 1], pa.uint8()),
    "u32": pa.array([2**32 - 1, 1], pa.uint32()),
    "u64": pa.array([2**64 - 1, 1], pa.uint64()),
    "real": pa.array([0.1, float("nan")], pa.float32()),
    "price": [decimal.Decimal("1.50"), None],
    "is": [True, None],
    "day": [NOON.date(), None],
    "local": pa.array([NOON, None], pa.timestamp("ns")),
    "instant": pa.array([NOON, None], pa.timestamp("us", tz="Europe/Berlin")),
    "list": [["a", None], []],
    "counts": pa.array([[2**32 - 1], None], pa.list_(pa.uint32())),
    "place": [{"lat": 48.85, "lon": 2.35}, None],
    "a.b": ["dot", None],
})
OTHERS = pa.table({
    "id": ["1"],
    "body": ["b"],
    "map": pa.array([[("k", 1)]], pa.map_(pa.string(), pa.int32())),
    "raw": [[b"\xff"]],
})

for table, name, codec in (
    (ROWS, "none", "none"),
    (ROWS, "snappy", "snappy"),
    (ROWS, "gzip", "gzip"),
    (ROWS, "zstd", "zstd"),
    (OTHERS, "others", "none"),
    (OTHERS, "lz4", "lz4"),
):
    pq.write_table(table, HERE / f"{name}.parquet", compression=codec, store_schema=False,
                   write_statistics=False)
