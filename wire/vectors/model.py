# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
"""A second implementation of the wire, for the vectors: written from WIRE.md, shares no code with
the engine or the plugin, and goes for plainness. Pages are encoded bit by bit, plans are evaluated
doc by doc."""
import pathlib
import struct
import tomllib

WIRE = tomllib.loads((pathlib.Path(__file__).resolve().parent.parent / "offload_wire.toml")
                     .read_text(encoding="utf-8"))
VERSION = WIRE["wire"]["version"]
C = {name: c["value"] for name, c in WIRE["constants"].items()}
E = {enum: {k: v["value"] for k, v in members.items() if isinstance(v, dict)}
     for enum, members in WIRE["enums"].items()}
E["op"] = {name: op["value"] for name, op in WIRE["ops"].items()}
FORMATS = {"u8": "B", "u16": "H", "u32": "I", "i32": "i", "f32": "f", "f64": "d",
           "i64": "q", "u64": "Q"}
PAGE_BYTES, BLOCK, NO_DOC = C["PAGE_BYTES"], C["BLOCK_POSTINGS"], C["NO_DOC"]


# ---- structs -----------------------------------------------------------------------------------

def fields(name):
    """(field, offset, type, count) of a struct; count is 0 for a scalar."""
    offset, out = 0, []
    for field in WIRE["structs"][name]["fields"]:
        kind, _, rest = field["type"].partition("[")
        count = int(rest.rstrip("]")) if rest else 0
        out.append((field["name"], offset, kind, count))
        offset += struct.calcsize("<" + FORMATS[kind]) * max(count, 1)
    return out


def pack(name, /, **values):
    """Bytes of a struct; what is not given is zero."""
    out = bytearray(WIRE["structs"][name]["size"])
    known = {f[0] for f in fields(name)}
    assert set(values) <= known, f"{name} has no {set(values) - known}"
    for field, offset, kind, count in fields(name):
        value = values.get(field, bytes(count) if count else 0)
        if count and kind != "u8":
            assert len(value) <= count
            struct.pack_into(f"<{len(value)}{FORMATS[kind]}", out, offset, *value)
        elif count:
            out[offset:offset + count] = value.ljust(count, b"\0")
        else:
            struct.pack_into("<" + FORMATS[kind], out, offset, value)
    return bytes(out)


def unpack(name, data, at=0):
    out = {}
    for field, offset, kind, count in fields(name):
        if count and kind != "u8":
            out[field] = struct.unpack_from(f"<{count}{FORMATS[kind]}", data, at + offset)
        elif count:
            out[field] = bytes(data[at + offset:at + offset + count])
        else:
            out[field] = struct.unpack_from("<" + FORMATS[kind], data, at + offset)[0]
    return out


def size(name):
    return WIRE["structs"][name]["size"]


def crc32c_of_byte(crc):
    for _ in range(8):
        crc = (crc >> 1) ^ (0x82F63B78 if crc & 1 else 0)
    return crc


CRC32C = [crc32c_of_byte(byte) for byte in range(256)]


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = (crc >> 8) ^ CRC32C[(crc ^ byte) & 0xFF]
    return crc ^ 0xFFFFFFFF


# ---- floats ------------------------------------------------------------------------------------

def f32(x):
    """Rounds to float. One operation on floats done in double and rounded is the float result."""
    return struct.unpack("<f", struct.pack("<f", x))[0]


def bits(x):
    return struct.unpack("<I", struct.pack("<f", x))[0]


def term_score(weight, freq, inverse):
    return f32(weight - f32(weight / f32(1.0 + f32(f32(freq) * inverse))))


def bm25_table(average):
    """A norm table as BM25 makes it: k1 1.2, b 0.75; lengths up to 39 are exact, then coarse."""
    lengths = [n if n < 40 else 40 + (n - 40) * (n - 40) for n in range(256)]
    return [f32(1.0 / f32(1.2 * (0.25 + 0.75 * length / average))) for length in lengths]


# ---- pages -------------------------------------------------------------------------------------

def impacts(postings):
    """Impacts word of (doc, freq, norm) postings."""
    points = {}
    for _, freq, norm in postings:
        freq = min(freq, C["IMPACT_FREQ_UNBOUNDED"])
        points[freq] = min(points.get(freq, 256), norm)
    frontier = []
    for freq in sorted(points, reverse=True):
        if not frontier or points[freq] < frontier[0][1]:
            frontier.insert(0, (freq, points[freq]))
    while len(frontier) > C["IMPACT_PAIRS"]:
        costs = [(b[0] - a[0]) * (b[1] - a[1]) for a, b in zip(frontier, frontier[1:])]
        i = costs.index(min(costs))
        frontier[i:i + 2] = [(frontier[i + 1][0], frontier[i][1])]
    return sum((f | n << 8) << 16 * i for i, (f, n) in enumerate(frontier))


def column(values):
    """(bytes, width) of a column."""
    width = max(values).bit_length()
    word = sum(v << i * width for i, v in enumerate(values))
    return word.to_bytes((len(values) * width + 7) // 8, "little"), width


def freq_column(freqs, exceptions):
    """(bytes, width, exceptions) of the freq column and its exceptions, the fewest bytes."""
    values = [freq - 1 for freq in freqs]
    width = max(values).bit_length()
    best = (column(values)[0], width, [])
    for low in reversed(range(width if exceptions else 0)):
        high = [(i, v >> low) for i, v in enumerate(values) if v >> low]
        if (low <= C["MAX_EXCEPTION_BITS"] and width - low <= 8
                and len(high) <= C["MAX_FREQ_EXCEPTIONS"]):
            word = sum(v % 2**low << i * low for i, v in enumerate(values))
            data = word.to_bytes((len(values) * low + 7) // 8, "little") + b"".join(
                bytes(exception) for exception in high)
            if len(data) < len(best[0]):
                best = data, low, high
    return best


def bitmap(docs, base):
    """Bytes of a doc bitmap behind doc `base`."""
    word = sum(1 << doc - base - 1 for doc in docs)
    return word.to_bytes((docs[-1] - base + 63) // 64 * 8, "little")


class Block:
    """A posting block; its docs become a bitmap as WIRE.md says, or if and only if `as_bitmap`."""

    def __init__(self, postings, base, flags, as_bitmap=None):
        self.postings, self.base, self.flags = postings, base, flags
        docs = [-1 if base == NO_DOC else base] + [p[0] for p in postings]
        self.norm_base = min(p[2] for p in postings)
        packed = column([b - a - 1 for a, b in zip(docs, docs[1:])])
        if as_bitmap is None:
            bitmap_bytes = (docs[-1] - docs[0] + 63) // 64 * 8
            as_bitmap = bitmap_bytes <= min(C["MAX_BITMAP_BYTES"],
                                            max(len(packed[0]), len(postings) * 3 // 2))
        if as_bitmap:
            packed = bitmap(docs[1:], docs[0]), 0
            self.flags |= E["block_flag"]["DOC_BITMAP"]
        freqs = freq_column([p[1] for p in postings], not self.whole_list())
        self.exceptions = freqs[2]
        self.columns = [packed, freqs, column([p[2] - self.norm_base for p in postings])]
        self.impacts = impacts(postings)

    def whole_list(self):
        both = E["block_flag"]["FIRST_OF_LIST"] | E["block_flag"]["LAST_OF_LIST"]
        return self.flags & both == both

    def directory_bytes(self):
        return 4 + size("block_entry") + (0 if self.whole_list() else 8)

    def bytes(self):
        return self.directory_bytes() + sum(len(c[0]) for c in self.columns)


def seal(page):
    """Sets the checksum of a page."""
    page = bytearray(page)
    struct.pack_into("<I", page, 8, crc32c(page[12:]))
    return bytes(page)


def encode_page(blocks, stamp, file_page):
    lead = next((i + 1 for i, b in enumerate(blocks)
                 if b.flags & E["block_flag"]["LAST_OF_LIST"]), len(blocks))
    at = size("page_header") + sum(b.directory_bytes() for b in blocks)
    directory = b"".join(struct.pack("<I", b.postings[-1][0]) for b in blocks)
    columns = b""
    for b in blocks:
        flags = b.flags | len(b.exceptions) << C["EXCEPTIONS_SHIFT"]
        directory += pack("block_entry", offset=at + len(columns), count=len(b.postings) & 0xFF,
                          doc_bits=b.columns[0][1], freq_bits=b.columns[1][1],
                          norm_bits=b.columns[2][1], norm_base=b.norm_base, flags=flags)
        columns += b"".join(c[0] for c in b.columns)
    directory += b"".join(struct.pack("<Q", b.impacts) for b in blocks if not b.whole_list())
    header = pack("page_header", magic=C["PAGE_MAGIC"], version=VERSION, file_page=file_page,
                  stamp=stamp, block_count=len(blocks), lead_blocks=lead,
                  used_bytes=at + len(columns), lead_first_doc=blocks[0].postings[0][0],
                  lead_last_doc=blocks[lead - 1].postings[-1][0],
                  lead_base_doc=blocks[0].base,
                  lead_impacts=impacts([p for b in blocks[:lead] for p in b.postings]))
    return seal((header + directory + columns).ljust(PAGE_BYTES, b"\0"))


class Image:
    """A file of posting pages: add lists, then take `pages` (after finish)."""

    def __init__(self, stamp, first_page=1, bitmaps=None):
        """`bitmaps`: False for none, True for nothing else, None for what the rule says."""
        self.stamp, self.first_page, self.bitmaps = stamp, first_page, bitmaps
        self.pages, self.page_blocks, self.blocks = [], [], []

    def add(self, postings, paged=False):
        """Adds a list of (doc, freq, norm); returns the fields of its list_ref but the extents."""
        if len(postings) == 1 and not paged:
            doc, freq, norm = postings[0]
            return dict(kind=E["list_kind"]["INLINE"], posting_count=1, impacts=impacts(postings),
                        inline_doc=doc, inline_freq=freq, inline_norm=norm)
        base, first = NO_DOC, None
        for start in range(0, len(postings), BLOCK):
            part = postings[start:start + BLOCK]
            flags = (E["block_flag"]["FIRST_OF_LIST"] if start == 0 else 0) | (
                E["block_flag"]["LAST_OF_LIST"] if start + BLOCK >= len(postings) else 0)
            block = Block(part, base, flags, self.bitmaps)
            used = size("page_header") + sum(b.bytes() for b in self.blocks)
            if self.blocks and (used + block.bytes() > PAGE_BYTES
                                or len(self.blocks) == C["MAX_BLOCKS_PER_PAGE"]):
                self.finish()
            self.blocks.append(block)
            base = part[-1][0]
            if first is None:
                first = (self.next_page(), len(self.blocks) - 1)
        return dict(kind=E["list_kind"]["PAGED"], slot=first[1], first_page=first[0],
                    page_count=self.next_page() - first[0] + 1, posting_count=len(postings),
                    stamp=self.stamp, impacts=impacts(postings))

    def next_page(self):
        return self.first_page + len(self.pages)

    def finish(self):
        if self.blocks:
            self.pages.append(encode_page(self.blocks, self.stamp, self.next_page()))
            self.page_blocks.append(self.blocks)
            self.blocks = []


# ---- terms near each other ----------------------------------------------------------------------

def add_weights(weights):
    freq = 0.0
    for weight in weights:
        freq = f32(freq + weight)
    return freq


def after(positions, low):
    """The first position above `low`, or None."""
    return None if low is None else next((p for p in positions if p > low), None)


def before(positions, high):
    """The last position below `high`."""
    return [p for p in positions if p < high][-1]


def chain(places, start):
    """Where the terms end that follow each other from `start` on, or None."""
    for place in places[1:]:
        start = after(place, start)
    return start


def ordered_spans(places, slop):
    found = [(start, chain(places, start)) for start in places[0]]
    widths = [end - start + 1 - len(places) for start, end in found if end is not None]
    return add_weights(1 / (1 + width) for width in widths if width <= slop)


def unordered_spans(places, slop):
    """Of two terms: the one that is behind moves on; of equal ones that which has not moved."""
    at, heap, widths = [0, 0], [0, 1] if places[0][0] <= places[1][0] else [1, 0], []
    while True:
        own = [place[i] for place, i in zip(places, at)]
        widths.append(max(own) - min(own) + 1)
        first = heap[0]
        at[first] += 1
        if at[first] == len(places[first]):
            return add_weights(1 / (1 + w) for w in widths if w - len(places) <= slop)
        if places[first][at[first]] > places[heap[1]][at[heap[1]]]:
            heap.reverse()


def intervals(found, count, limit):
    gaps = [end - start + 1 - count for start, end in found]
    return add_weights(1 / max(gap + 1, 1) for gap in gaps if limit in (0xFFFF, max(gap, limit)))


def ordered_intervals(places, limit):
    found = []
    for start in sorted({*places[0]}):
        end = chain(places, start)
        latest = end
        for place in places[-2::-1]:
            latest = None if latest is None else before(place, latest)
        if latest == start:
            found.append((start, end))
    return intervals(found, len(places), limit)


def unordered_intervals(places, limit):
    found = []
    for start in sorted({p for place in places for p in place}):
        ends = [after(place, start - 1) for place in places]
        if None not in ends and min(before(place, max(ends) + 1) for place in places) == start:
            found.append((start, max(ends)))
    return intervals(found, len(places), limit)


NEAR = {"ORDERED_SPANS": ordered_spans, "UNORDERED_SPANS": unordered_spans,
        "ORDERED_INTERVALS": ordered_intervals, "UNORDERED_INTERVALS": unordered_intervals}


# ---- plans -------------------------------------------------------------------------------------

class Node:
    """A plan node. `postings` of a TERM is what its list holds, for the evaluation."""

    def __init__(self, op, occur="MUST", children=(), weight=0.0, min_should=0, list=0, table=0,
                 postings=(), values=None, value_ranges=(), terms=(), places=(), docs=(),
                 norms=None, wants=None):
        self.op, self.occur, self.children = op, occur, list_of(children)
        self.weight, self.min_should = f32(weight), min_should
        self.list, self.table, self.postings = list, table, {p[0]: p for p in postings}
        # Of what looks at columns: {doc: [values]}, [(lo, hi)], of an area a function of a value.
        self.values, self.value_ranges, self.wants = values, [*value_ranges], wants
        self.docs = {*docs}  # of DOC_SET
        self.norms = norms  # of COMBINED, by doc
        # Of PHRASE: of each term its place and {doc: (freq, norm, [positions])}.
        self.terms = [*terms]
        # Of MULTI_PHRASE: of each place its terms.
        self.places = [[*alternatives] for alternatives in places]
        self.terms += [term for alternatives in self.places for term in alternatives]
        counts_ranges = op == "COLUMN_IN" or wants is not None
        self.range_count = len(self.value_ranges) if counts_ranges else len(self.terms)

    def pack(self):
        own = pack("plan_node", op=E["op"][self.op], occur=E["occur"][self.occur],
                   child_count=len(self.children), min_should=self.min_should, list=self.list,
                   table=self.table, weight=self.weight, range_count=self.range_count)
        return own + b"".join(c.pack() for c in self.children)

    def count(self):
        return 1 + sum(c.count() for c in self.children)

    def score(self, doc, tables):
        """Score of a doc, or None if it does not match."""
        if self.op == "NONE":
            return None
        if self.op == "ALL":
            return self.weight
        if self.op == "CONST":
            return None if self.children[0].score(doc, tables) is None else self.weight
        if self.op in ("COLUMN_RANGE", "COLUMN_IN"):
            found = any(low <= v <= high for v in self.values.get(doc, ())
                        for low, high in self.value_ranges)
            return self.weight if found else None
        if self.wants is not None:
            return self.weight if any(map(self.wants, self.values.get(doc, ()))) else None
        if self.op == "DOC_SET":
            return self.weight if doc in self.docs else None
        if self.op == "TERM":
            if doc not in self.postings:
                return None
            _, freq, norm = self.postings[doc]
            return term_score(self.weight, freq, tables[self.table][norm]) if tables else 0.0
        if self.op == "TABLE_TERM":
            if doc not in self.postings:
                return None
            _, freq, norm = self.postings[doc]
            last = self.range_count - 1
            return tables[self.table + min(freq - 1, last)][norm] if tables else 0.0
        if self.op == "FEATURE_TERM":
            if doc not in self.postings:
                return None
            return self.feature_score(self.postings[doc][1], tables) if tables else 0.0
        if self.op == "LINEAR_TERM":
            if doc not in self.postings:
                return None
            bits = min(self.postings[doc][1], self.min_should) << 15
            return f32(self.weight * struct.unpack("<f", struct.pack("<I", bits))[0])
        if self.op == "PHRASE":
            return self.phrase_score(doc, tables)
        if self.op == "MULTI_PHRASE":
            return self.multi_phrase_score(doc, tables)
        if self.op in NEAR:
            return self.near_score(doc, tables)
        if self.op in ("SYNONYM", "COMBINED"):
            return self.synonym_score(doc, tables)
        if self.op == "JOIN":
            return next((c.weight for c in self.children if doc in c.postings), None)
        if self.op == "DIS_MAX":
            scores = sorted(s for s in (c.score(doc, tables) for c in self.children)
                            if s is not None)
            return f32(scores[-1] + sum(scores[:-1]) * self.weight) if scores else None
        return self.bool_score(doc, tables)

    def feature_score(self, freq, tables):
        lowest = self.min_should * 256
        within = min(max(freq, lowest), lowest + self.range_count * 256 - 1)
        table, low = divmod(within - lowest, 256)
        return tables[self.table + table][255 - low]

    def phrase_score(self, doc, tables):
        if not all(doc in docs for _, docs in self.terms):
            return None
        first, docs = self.terms[0]
        freq = sum(all(p + place - first in others[doc][2] for place, others in self.terms)
                   for p in docs[doc][2])
        if freq == 0:
            return None
        return term_score(self.weight, freq, tables[self.table][docs[doc][1]]) if tables else 0.0

    def multi_phrase_score(self, doc, tables):
        """Of places, each with its alternatives; with slop of two of them, of different terms."""
        places, norm = [], None
        for alternatives in self.places:
            found = [docs[doc] for _, docs in alternatives if doc in docs]
            if not found:
                return None
            norm = found[0][1]
            places.append(sorted(p - alternatives[0][0] for _, _, own in found for p in own))
        freq = self.sloppy(places) if self.min_should else float(
            sum(all(p in other for other in places) for p in places[0]))
        if freq == 0:
            return None
        return term_score(self.weight, freq, tables[self.table][norm]) if tables else 0.0

    def near_score(self, doc, tables):
        if not all(doc in docs for _, docs in self.terms):
            return None
        norm = self.terms[0][1][doc][1]
        freq = NEAR[self.op]([docs[doc][2] for _, docs in self.terms], self.min_should)
        if freq == 0:
            return None
        if self.op.endswith("INTERVALS"):
            return f32(self.weight * f32(1.0 - f32(1.0 / f32(1.0 + freq))))
        return term_score(self.weight, freq, tables[self.table][norm]) if tables else 0.0

    def sloppy(self, places):
        """The place that is behind moves on past the other one: the shortest length is a match."""
        freq, at = 0.0, [0, 0]
        behind = 0 if places[0][0] <= places[1][0] else 1
        while True:
            own, other = places[behind], places[1 - behind][at[1 - behind]]
            length = abs(other - own[at[behind]])
            while at[behind] + 1 < len(own) and own[at[behind] + 1] <= other:
                at[behind] += 1
                length = other - own[at[behind]]
            at[behind] += 1
            if length <= self.min_should:
                freq = f32(freq + f32(1.0 / f32(1.0 + length)))
            if at[behind] == len(own):
                return freq
            behind = 1 - behind

    def synonym_score(self, doc, tables):
        found = [(c.postings[doc], c.weight) for c in self.children if doc in c.postings]
        if not found or not tables:
            return 0.0 if found else None
        freq = 0.0
        for (_, own, norm), factor in found:
            freq = f32(freq + f32(own * factor))
        norm = norm if self.norms is None else self.norms[doc]
        return term_score(self.weight, freq, tables[self.table][norm])

    def bool_score(self, doc, tables):
        must, should, matching, required = 0.0, 0.0, 0, 0
        for child in self.children:
            score = child.score(doc, tables)
            if child.occur == "MUST_NOT":
                if score is not None:
                    return None
            elif child.occur == "SHOULD":
                if score is not None:
                    matching += 1
                    should += score
            else:
                required += 1
                if score is None:
                    return None
                must += score if child.occur == "MUST" else 0.0
        if matching < max(self.min_should, 0 if required else 1):
            return None
        if not required:
            return f32(should)
        return f32(must) if not matching else f32(f32(must) + f32(should))


def list_of(children):
    return [*children]


class Plan:
    """A plan: root, list_ref fields, extents (file_page, page_count, lba), tables, header; columns
    and ranges are added."""

    def __init__(self, mode, root, lists=(), extents=(), tables=(), **header):
        self.root, self.tables, self.extents = root, list_of(tables), list_of(extents)
        self.lists = [dict(ref) for ref in lists]
        self.columns, self.ranges = [], []
        for ref in self.lists:
            if ref["kind"] != E["list_kind"]["INLINE"] and ref["page_count"] > 0:
                ref.setdefault("first_extent", 0)
                ref.setdefault("extent_count", len(self.extents))
        exact = header.get("count_threshold", C["EXACT_COUNT"])
        self.header = dict(magic=C["PLAN_MAGIC"], version=VERSION, mode=E["mode"][mode],
                           node_count=root.count(), list_count=len(self.lists),
                           extent_count=len(self.extents), table_count=len(self.tables),
                           max_doc=1000, min_doc=0, k=10 if mode == "TOP_K" else 0,
                           max_result_bytes=65536)
        self.header.update(header, count_threshold=exact)
        self.header.setdefault("limit_doc", self.header["max_doc"])

    def add_columns(self, columns, ranges):
        """Adds the fields of column_refs, and (lo, hi) for the ranges."""
        self.columns, self.ranges = [dict(ref) for ref in columns], [*ranges]
        self.header.update(column_count=len(columns), range_count=len(ranges))

    def pack(self, **changes):
        body = self.root.pack()
        body += b"".join(pack("list_ref", **ref) for ref in self.lists)
        body += b"".join(pack("extent", file_page=f, page_count=n, lba=lba)
                         for f, n, lba in self.extents)
        for table in self.tables:
            body += struct.pack("<256f", *table)
        body += b"".join(pack("column_ref", **ref) for ref in self.columns)
        body += b"".join(pack("value_range", lo=lo, hi=hi) for lo, hi in self.ranges)
        header = {**self.header, "total_bytes": size("plan_header") + len(body), **changes}
        return pack("plan_header", **header) + body

    def parts_behind(self):
        """(struct or type, count) of what stands behind the ranges in some modes."""
        return []

    def run(self, live=None):
        """Result pages, one after the other as continuation gives them; work counters are zero."""
        h = self.header
        matches = []
        for doc in range(h["min_doc"], h["limit_doc"]):
            score = self.root.score(doc, self.tables)
            if score is not None and (live is None or doc in live):
                matches.append((doc, score))
        mode = {v: k for k, v in E["mode"].items()}[h["mode"]]
        if mode == "COUNT":
            return [self.page([], len(matches), b"")]
        if mode == "TOP_K":
            hits = sorted((m for m in matches if self.enters(*m)), key=lambda m: (-m[1], m[0]))
            hits = hits[:h["k"]]
            body = b"".join(struct.pack("<If", doc, score) for doc, score in hits)
            return [self.page(hits, len(matches), body)]
        width = 4 if mode == "DOCS" else 8
        room = (h["max_result_bytes"] - size("result_header")) // width
        pages = []
        for start in range(0, max(len(matches), 1), room):
            part = matches[start:start + room]
            body = b"".join(struct.pack("<I", doc) for doc, _ in part)
            if mode == "SCORED_DOCS":
                body += b"".join(struct.pack("<f", score) for _, score in part)
            rest = matches[start + room:]
            pages.append(self.page(part, len(part), body, rest[0][0] if rest else None))
        return pages

    def enters(self, doc, score):
        flags, h = E["plan_flag"], self.header
        chosen = h.get("flags", 0)
        if chosen & flags["HAS_MIN_SCORE"]:
            low = f32(h["min_score"])
            if score < low or (score == low and not chosen & flags["MIN_SCORE_TIES"]):
                return False
        if chosen & flags["HAS_AFTER"]:
            after = f32(h["after_score"])
            return score < after or (score == after and doc > h["after_doc"])
        return True

    def page(self, entries, match_count, body, more_from=None):
        more = more_from is not None
        return pack("result_header", magic=C["RESULT_MAGIC"], version=VERSION,
                    mode=self.header["mode"], flags=E["result_flag"]["MORE"] if more else 0,
                    total_bytes=size("result_header") + len(body), entry_count=len(entries),
                    match_count=match_count,
                    next_doc=more_from if more else self.header["limit_doc"]) + body
