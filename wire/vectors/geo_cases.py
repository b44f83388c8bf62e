# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
"""Vectors of areas and distances: plans and programs, good ones and bad ones."""
import pathlib
import struct

import model
import sort_cases
from column_cases import ColumnQuery
from columns import Column
from good_cases import STAMP, noise
from model import Node
from vector import Vector, of_plan, of_program

TABLE = [float.fromhex(number) for number in (
    pathlib.Path(__file__).parents[2] / "device-sim/src/core/geo/cos_table.inc"
).read_text(encoding="utf-8").split("*/\n", 2)[2].replace("\n", "").rstrip(",").split(",")]
RADIANS = float.fromhex("0x1.1df46a2529d39p-6")


# ---- distances: SloppyMath ---------------------------------------------------------------------

def cosine(angle):
    a = abs(angle)
    index = int(a * float.fromhex("0x1.45f306dc9c883p8") + 0.5)
    delta = ((a - index * float.fromhex("0x1.921fb544p-9"))
             - index * float.fromhex("0x1.0b4611a626331p-43"))
    cos, sin = TABLE[2 * (index % 2048):][:2]
    return cos + delta * (-sin + delta * (-cos * (1 / 2) + delta * (
        sin * (1 / 6) + delta * cos * (1 / 24))))


def encoded(degrees, around):
    return int(degrees // (around / 2**32))


def point(lat, lon):
    """The value of a point, in degrees."""
    return encoded(lat, 180) << 32 | encoded(lon, 360) % 2**32


def parts(value):
    """Encoded latitude and longitude."""
    lon = value % 2**32
    return value >> 32, lon - (lon >> 31 << 32)


def key(lat, lon, value):
    """Key of the distance of a value from a point in degrees."""
    lat2, lon2 = parts(value)
    x1, x2 = lat * RADIANS, lat2 * (180 / 2**32) * RADIANS
    h = (1 - cosine(x1 - x2)) + cosine(x1) * cosine(x2) * (
        1 - cosine((lon - lon2 * (360 / 2**32)) * RADIANS))
    return struct.unpack("<d", (int.from_bytes(struct.pack("<d", h), "little") & ~7).to_bytes(
        8, "little"))[0]


# ---- areas -------------------------------------------------------------------------------------

def in_box(box, value):
    lat, lon = parts(value)
    west, east = box["min_lon"], box["max_lon"]
    return box["min_lat"] <= lat <= box["max_lat"] and (
        west <= lon <= east if west <= east else lon >= west or lon <= east)


def in_grid(grid, rows, value, exactly):
    """Whether the cell of a value is inside, or crossed by an edge that it is within exactly."""
    lat, lon = parts(value)
    r = (lat + 2**31 >> grid["lat_shift"]) - grid["lat_base"]
    c = ((lon + 2**31 >> grid["lon_shift"]) - grid["lon_base"]) % 2**(32 - grid["lon_shift"])
    if not 0 <= r < len(rows) or c >= grid["columns"]:
        return False
    return bool(rows[r]["inside"] >> c & 1) or bool(rows[r]["crossed"] >> c & 1) and exactly(value)


def in_circle(box, circle, value):
    return in_box(box, value) and (
        key(circle["lat"], circle["lon"], value) <= circle["max_key"])


def between(v, a, b):
    return (a >= v >= b) != (a <= v <= b)


def in_ring(points, value):
    lat, lon = parts(value)
    y, x = lat * (180 / 2**32), lon * (360 / 2**32)
    if not min(p[1] for p in points) <= x <= max(p[1] for p in points):
        return False
    crossings = 0
    for (y1, x1), (y2, x2) in zip(points, points[1:]):
        if not (y == y1 == y2 or between(y, y1, y2)):
            continue
        if x == x1 == x2 or between(x, x1, x2) and (
                (x2 - x1) * (y - y1) == (x - x1) * (y2 - y1)):
            return True
        crossings += (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1
    return crossings % 2 == 1


def in_polygons(polygons, value):
    """Whether a value is in one of some polygons: the outline of each, and holes in it."""
    return any(in_ring(outline, value) and not any(in_ring(hole, value) for hole in holes)
               for outline, *holes in polygons)


def entries(data):
    """Bytes as what a plan has of value ranges."""
    return [*struct.iter_unpack("<qq", data)]


def box_of(south, north, west, east):
    return dict(min_lat=encoded(south, 180), max_lat=encoded(north, 180),
                min_lon=encoded(west, 360), max_lon=encoded(east, 360))


class GeoQuery(ColumnQuery):
    """Query over the scene and a column of points: around 52 N 13 E, and at the date line."""

    def __init__(self):
        super().__init__()
        source = noise(40)

        def any_point():
            lat, lon = ((52, 13), (-17, 179.5))[next(source) % 2]
            return point(lat + next(source) % 2000 / 1000,
                         (lon + next(source) % 1000 / 1000 + 180) % 360 - 180)

        page, lba = self.FIRST_PAGE + 20, self.LBA + 20
        points = Column({doc: sorted(any_point() for _ in range(1 + doc % 2))
                         for doc in range(1000) if doc % 5}, STAMP, page, 256)
        self.extents.append((page, len(points.pages), lba))
        points.ref.update(first_extent=len(self.extents) - 1, extent_count=1)
        self.columns.append(points)
        self.pages.update({lba + i: p for i, p in enumerate(points.pages)})

    def area(self, op, data, wants, occur, weight):
        first = len(self.ranges)
        self.ranges += entries(data)
        return Node(op, occur, weight=weight, list=2, table=first, values=self.columns[2].docs,
                    value_ranges=entries(data), wants=wants)

    def box(self, south, north, west, east, occur="MUST", weight=0.0):
        box = box_of(south, north, west, east)
        return self.area("GEO_BOX", model.pack("geo_box", **box), lambda v: in_box(box, v), occur,
                         weight)

    def circle(self, occur="MUST", weight=0.0, **changes):
        """About 50 km around 52.9 N 13.6 E, in a grid of 3 by 4 cells."""
        box = box_of(52.4, 53.4, 12.8, 14.4)
        shift = 24
        lat_base, lon_base = box["min_lat"] + 2**31 >> shift, box["min_lon"] + 2**31 >> shift
        circle = dict(lat=52.9, lon=13.6, max_key=6e-5, lat_base=lat_base, lon_base=lon_base,
                      lat_shift=shift, lon_shift=shift - 1, columns=4)
        circle["lon_base"] = box["min_lon"] + 2**31 >> shift - 1
        circle.update(changes)
        rows = [dict(inside=0b0100, crossed=0b1111), dict(inside=0, crossed=0b1110)]
        data = model.pack("geo_box", **box) + model.pack("geo_circle", **circle)
        data += b"".join(model.pack("geo_row", **row) for row in rows)
        return self.area("GEO_DISTANCE", data, lambda v: in_grid(
            circle, rows, v, lambda v: in_circle(box, circle, v)), occur, weight)

    def polygons(self, *polygons, occur="MUST", weight=0.0, grid=(), ring=()):
        """Polygons, each an outline and holes, in a grid of a cell that they cross."""
        head = dict(lat_base=0, lon_base=0, lat_shift=31, lon_shift=31, rows=2, columns=2)
        head.update(grid)
        rows = [dict(inside=0, crossed=0b11)] * 2
        data = model.pack("geo_polygon", **head)
        data += b"".join(model.pack("geo_row", **row) for row in rows)
        for polygon in polygons:
            for i, points in enumerate(polygon):
                spec = dict(points=len(points), hole=int(i > 0))
                spec.update(ring)
                data += model.pack("geo_ring", **spec)
                data += b"".join(struct.pack("<dd", *p) for p in points)
        return self.area("GEO_POLYGON", data, lambda v: in_grid(
            head, rows, v, lambda v: in_polygons(polygons, v)), occur, weight)


OUTLINE = [(52, 13), (53.7, 13.1), (53.1, 13.5), (53.9, 14), (52.2, 13.9), (52, 13)]
HOLE = [(52.8, 13.3), (53.2, 13.3), (53.2, 13.7), (52.8, 13.7), (52.8, 13.3)]
AT_DATE_LINE = [(-17, 179), (-15.5, 179.7), (-16, 180), (-17, 180), (-17, 179)]


class NearestPlan(sort_cases.SortPlan):
    """A plan that sorts by distance from the point that `missing` names."""

    def key(self, key_, doc, score):
        if key_.get("transform") != sort_cases.TRANSFORM["DISTANCE"]:
            return super().key(key_, doc, score)
        lat, lon = struct.unpack("<dd", struct.pack("<qq", *self.ranges[key_["missing"]]))
        nearest = min((key(lat, lon, v) for v in self.docs[key_["column"]].get(doc, ())),
                      default=float("inf"))
        return sort_cases.float_key(int.from_bytes(struct.pack("<d", nearest), "little"), 64)


def nearest(root_of, lat=52.9, lon=13.6, reverse=False, **header):
    q = GeoQuery()
    root = root_of(q)
    q.ranges += entries(model.pack("geo_point", lat=lat, lon=lon))
    spec = dict(kind=sort_cases.KIND["COLUMN"], transform=sort_cases.TRANSFORM["DISTANCE"],
                selector=sort_cases.SELECTOR["MIN"], column=2, missing=len(q.ranges) - 1,
                flags=sort_cases.REVERSE if reverse else 0)
    plan = NearestPlan(root, q.refs, q.extents, [], [spec], **header)
    plan.add_columns([c.ref for c in q.columns], q.ranges)
    plan.docs = [c.docs for c in q.columns]
    return q, plan


def good_vectors():
    q = GeoQuery()
    root = Node("BOOL", children=[q.term("a"), q.box(52, 53, 13, 13.5, "FILTER"),
                                  q.circle("SHOULD", 0.5)])
    yield of_plan("plan_areas", "TOP_K of a term, a box and a scored circle",
                  q.plan("TOP_K", root))

    def program(name, about, mode, make):
        q = GeoQuery()
        return q.program(name, about, mode, make(q))

    yield program("docs_box", "DOCS of a box", "DOCS", lambda q: q.box(52.5, 53, 13.2, 13.7))
    yield program("docs_box_across", "DOCS of a box across the date line", "DOCS",
                  lambda q: q.box(-16.5, -15.5, 179.9, -179.8))
    yield program("docs_circle", "DOCS of a circle", "DOCS", lambda q: q.circle())
    yield program("docs_polygon", "DOCS of a polygon with a hole", "DOCS",
                  lambda q: q.polygons((OUTLINE, HOLE)))
    yield program("docs_polygons", "DOCS of polygons on both sides of the globe", "DOCS",
                  lambda q: q.polygons((HOLE,), (AT_DATE_LINE,)))
    yield program("scored_docs_polygon", "A polygon with a score, and one that excludes",
                  "SCORED_DOCS", lambda q: Node("BOOL", children=[
                      q.term("a"), q.polygons((OUTLINE,), occur="SHOULD", weight=0.5),
                      q.polygons((AT_DATE_LINE,), occur="MUST_NOT")]))
    yield program("scored_docs_areas", "A circle with a score, and a box that excludes",
                  "SCORED_DOCS", lambda q: Node("BOOL", children=[
                      q.term("a"), q.circle("SHOULD", 0.5),
                      q.box(-17, 0, -180, 179.9, "MUST_NOT")]))
    q, plan = nearest(lambda q: q.term("a"))
    yield of_program("top_k_nearest", "The nearest docs of a term", plan, q.pages)
    q, plan = nearest(lambda q: Node("ALL"), -90, 180, True, k=20)
    yield of_program("top_k_farthest", "The farthest docs from the pole, those of no point first",
                     plan, q.pages)


def bad_vectors():
    def bad(what, make, change=lambda plan, node: None, status="PLAN_MALFORMED"):
        q = GeoQuery()
        root = make(q)
        plan = q.plan("COUNT", root)
        change(plan, root)
        return Vector(f"{status.lower()}_area_{what}", f"A plan that gives {status}: an area, "
                      f"{what.replace('_', ' ')}", "plan", status).bytes(plan.pack())

    nan, inf = float("nan"), float("inf")
    yield bad("box_descends", lambda q: q.box(53, 52, 13, 14))
    yield bad("box_of_2_entries", lambda q: q.circle(), lambda p, n: setattr(n, "op", "GEO_BOX"))
    yield bad("circle_of_4_entries", lambda q: q.circle(),
              lambda p, n: setattr(n, "range_count", 4))
    yield bad("circle_of_7_entries_of_6", lambda q: q.circle(),
              lambda p, n: setattr(n, "range_count", 7))
    for field, value in (("lat", 90.5), ("lat", nan), ("lon", -inf), ("max_key", nan),
                         ("lat_shift", 0), ("lat_shift", 32), ("lon_shift", 0), ("lon_shift", 32),
                         ("columns", 0), ("columns", 65), ("lat_base", 255), ("lon_base", 512),
                         ("reserved0", 1), ("reserved1", 1), ("reserved2", 1)):
        yield bad(f"circle_{field}_{value}".replace("-", "minus_").replace(".", "_"),
                  lambda q, f=field, v=value: q.circle(**{f: v}))

    for field, value in (("lat_shift", 0), ("lon_shift", 32), ("rows", 0), ("rows", 1),
                         ("rows", 9), ("rows", 65), ("columns", 0), ("columns", 65),
                         ("lat_base", 1), ("lon_base", 2), ("reserved0", 1)):
        yield bad(f"polygon_{field}_{value}",
                  lambda q, f=field, v=value: q.polygons((HOLE,), grid={f: v}))
    for field, value in (("points", 0), ("points", 3), ("points", 4), ("points", 6),
                         ("points", 2**32 - 1), ("hole", 1), ("hole", 2), ("reserved0", 1)):
        yield bad(f"ring_{field}_{value}",
                  lambda q, f=field, v=value: q.polygons((HOLE,), ring={f: v}))
    for what, end in (("lat_91", (91, 13)), ("lat_nan", (nan, 13)), ("lon_inf", (52, inf))):
        yield bad(f"ring_through_{what}",
                  lambda q, e=end: q.polygons(([HOLE[0], e, *HOLE[1:]],)))
    yield bad("ring_is_open", lambda q: q.polygons((HOLE[:-1],)))

    def bad_sort(what, change):
        _, plan = nearest(lambda q: q.term("a"))
        change(plan)
        return Vector(f"plan_malformed_nearest_{what}", "A plan that gives PLAN_MALFORMED: a "
                      f"distance, {what.replace('_', ' ')}", "plan", "PLAN_MALFORMED").bytes(
                          plan.pack())

    yield bad_sort("point_1_of_1", lambda p: p.keys[0].update(missing=1))
    yield bad_sort("of_max", lambda p: p.keys[0].update(
        selector=sort_cases.SELECTOR["MAX"]))
    yield bad_sort("from_nowhere", lambda p: p.ranges.__setitem__(0, entries(
        model.pack("geo_point", lat=91, lon=0))[0]))
