# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
"""The bad vectors, each named after the status that it must give. Each breaks one rule."""
import struct

import model
from good_cases import Query, STAMP, TABLE, postings
from model import C, E, Image, Node, Plan, seal
from vector import Vector, of_program

OP = E["opcode"]


# ---- commands ----------------------------------------------------------------------------------

def command(status, what, **values):
    """A command to a fresh device of 1,000 LBAs without sessions and resources; if `data` is not
    zero, it stands for a buffer of data_bytes zeros."""
    fields = {"command_id": 7, "nsid": 1, **values}
    name = f"{status.lower()}_{what}"
    return Vector(name, f"A command that gives {status}: {what.replace('_', ' ')}", "submission",
                  status).bytes(model.pack("submission", **fields))


def commands():
    data = dict(data=1, data_bytes=4096)
    yield command("INVALID_OPCODE", "opcode_3", opcode=3)
    yield command("INVALID_OPCODE", "opcode_255", opcode=255)
    for field, value in (("flags", 1), ("nsid", 0), ("nsid", 2), ("cdw2", 1), ("cdw3", 1),
                         ("metadata", 1), ("cdw10", 1), ("cdw15", 1), ("data", 1),
                         ("data_bytes", 1)):
        yield command("INVALID_FIELD", f"flush_{field}_{value}", opcode=OP["FLUSH"],
                      **{field: value})
    yield command("INVALID_FIELD", "write_short_buffer", opcode=OP["WRITE"], data=1,
                  data_bytes=4095)
    yield command("INVALID_FIELD", "write_no_buffer", opcode=OP["WRITE"], data_bytes=4096)
    yield command("INVALID_FIELD", "write_cdw13", opcode=OP["WRITE"], cdw13=1, **data)
    yield command("INVALID_FIELD", "read_count_17_bits", opcode=OP["READ"], cdw12=65536, **data)
    yield command("INVALID_FIELD", "read_transfer_too_large", opcode=OP["READ"], cdw12=65535,
                  data=1, data_bytes=65536 * 4096)
    yield command("INVALID_FIELD", "read_idx_256_lbas", opcode=OP["READ_IDX"], cdw12=255, cdw13=1,
                  data=1, data_bytes=1 << 20)
    yield command("INVALID_FIELD", "read_idx_short_buffer", opcode=OP["READ_IDX"], cdw13=1, **data)
    yield command("NO_RESOURCE", "read_idx_rule", opcode=OP["READ_IDX"], cdw13=1, data=1,
                  data_bytes=64 + 4096)
    yield command("INVALID_FIELD", "put_rule_of_48_bytes", opcode=OP["PUT"], cdw10=2, cdw11=48,
                  cdw14=48, **data)
    yield command("OUT_OF_RANGE", "read_lba_1000", opcode=OP["READ"], cdw10=1000, **data)
    yield command("OUT_OF_RANGE", "read_lba_highest", opcode=OP["READ"], cdw10=0xFFFFFFFF,
                  cdw11=0xFFFFFFFF, **data)
    yield command("OUT_OF_RANGE", "write_across_the_end", opcode=OP["WRITE"], cdw10=999, cdw12=1,
                  data=1, data_bytes=8192)
    yield command("INVALID_FIELD", "trim_cdw11_0", opcode=OP["TRIM"], **data)
    yield command("INVALID_FIELD", "trim_257_ranges", opcode=OP["TRIM"], cdw10=256, cdw11=4, **data)
    yield command("INVALID_FIELD", "trim_short_buffer", opcode=OP["TRIM"], cdw10=1, cdw11=4, data=1,
                  data_bytes=31)
    yield command("INVALID_FIELD", "open_grant_too_small", opcode=OP["OPEN"], cdw10=1)
    yield command("INVALID_FIELD", "open_grant_too_large", opcode=OP["OPEN"], cdw10=0xFFFFFFFF)
    yield command("NO_SESSION", "submit_session_1", opcode=OP["SUBMIT"], cdw10=1, cdw11=64, **data)
    yield command("PLAN_TOO_LARGE", "submit_plan_bytes", opcode=OP["SUBMIT"], cdw10=1,
                  cdw11=0xFFFFFFFF, **data)
    yield command("INVALID_FIELD", "submit_short_buffer", opcode=OP["SUBMIT"], cdw10=1, cdw11=4097,
                  **data)
    yield command("NO_SESSION", "fetch_session_1", opcode=OP["FETCH"], cdw10=1, cdw12=64, **data)
    yield command("INVALID_FIELD", "fetch_info_offset_129", opcode=OP["FETCH"], cdw11=129, **data)
    yield command("INVALID_FIELD", "fetch_short_buffer", opcode=OP["FETCH"], cdw12=4097, **data)
    yield command("NO_SESSION", "close_session_0", opcode=OP["CLOSE"])
    yield command("INVALID_FIELD", "put_kind_0", opcode=OP["PUT"], cdw11=8, cdw14=8, **data)
    yield command("INVALID_FIELD", "put_odd_bytes", opcode=OP["PUT"], cdw10=1, cdw11=7, cdw14=8,
                  **data)
    yield command("INVALID_FIELD", "put_beyond_whole", opcode=OP["PUT"], cdw10=1, cdw11=16,
                  cdw14=8, **data)
    yield command("INVALID_FIELD", "put_starts_late", opcode=OP["PUT"], cdw10=1, cdw11=8, cdw13=8,
                  cdw14=16, **data)
    yield command("NO_RESOURCE", "put_resource_5", opcode=OP["PUT"], cdw10=1, cdw11=8, cdw12=5,
                  cdw14=8, **data)
    yield command("INVALID_FIELD", "put_no_bytes", opcode=OP["PUT"], cdw10=1, cdw14=8, **data)
    yield command("INVALID_FIELD", "put_no_whole", opcode=OP["PUT"], cdw10=1, cdw11=8, **data)
    yield command("INVALID_FIELD", "put_odd_bytes_of_resource_5", opcode=OP["PUT"], cdw10=1,
                  cdw11=7, cdw12=5, cdw14=8, **data)
    yield command("NO_RESOURCE", "drop_resource_5", opcode=OP["DROP"], cdw10=5)
    yield command("INVALID_FIELD", "init_tsk_mode_0", opcode=OP["INIT_TSK"], cdw10=1, cdw11=64,
                  **data)
    yield command("PLAN_TOO_LARGE", "init_tsk_plan_bytes", opcode=OP["INIT_TSK"], cdw10=1,
                  cdw11=0xFFFFFFFF, cdw12=1, **data)
    yield command("NO_SESSION", "init_tsk_session_1", opcode=OP["INIT_TSK"], cdw10=1, cdw11=64,
                  cdw12=1, **data)
    yield command("INVALID_FIELD", "read_proc_floor_nan", opcode=OP["READ_PROC"], cdw10=1,
                  cdw12=64, cdw13=0x7FC00000)
    yield command("NO_SESSION", "read_proc_session_1", opcode=OP["READ_PROC"], cdw10=1, cdw12=64)
    yield command("INVALID_FIELD", "read_filt_cdw13", opcode=OP["READ_FILT"], cdw10=1, cdw12=64,
                  cdw13=1)
    yield command("NO_SESSION", "read_filt_session_1", opcode=OP["READ_FILT"], cdw10=1, cdw12=64)
    yield command("INVALID_FIELD", "final_flag_2", opcode=OP["FINAL"], cdw10=1, cdw11=2)
    yield command("NO_SESSION", "final_session_1", opcode=OP["FINAL"], cdw10=1)


# ---- pages -------------------------------------------------------------------------------------

def patch(data, at, kind, value):
    out = bytearray(data)
    struct.pack_into("<" + model.FORMATS[kind], out, at, value)
    return bytes(out)


def at_field(name, field):
    return next((offset, kind) for f, offset, kind, _ in model.fields(name) if f == field)


def pages():
    image = Image(STAMP)
    for seed, count in ((1, 300), (2, 5), (3, 130)):
        image.add(postings(seed, count, 40))
    image.finish()
    page, blocks = image.pages[0], 6
    used = model.unpack("page_header", page)["used_bytes"]

    def bad(what, data, status="PAGE_CORRUPT", sealed=True):
        return Vector(f"{status.lower()}_{what}", f"A page that breaks a rule: "
                      f"{what.replace('_', ' ')}", "page", status).bytes(
                          seal(data) if sealed else data)

    def header(what, field, value, **kwargs):
        offset, kind = at_field("page_header", field)
        return bad(what, patch(page, offset, kind, value), **kwargs)

    def entry(what, block, field, value):
        offset, kind = at_field("block_entry", field)
        return bad(what, patch(page, 64 + 4 * blocks + 8 * block + offset, kind, value))

    yield header("magic", "magic", 0)
    yield header("version_1", "version", 1, status="UNSUPPORTED_VERSION")
    yield header("version_3", "version", 3, status="UNSUPPORTED_VERSION")
    yield header("crc", "crc32c", 1, sealed=False)
    yield bad("one_bit", patch(page, 700, "u8", page[700] ^ 1), sealed=False)
    yield bad("all_zeros", bytes(4096), sealed=False)
    yield header("flags", "flags", 1)
    yield header("reserved0", "reserved0", 1)
    yield header("reserved2", "reserved2", 1)
    yield header("no_blocks", "block_count", 0)
    yield header("201_blocks", "block_count", 201)
    yield header("used_bytes_4097", "used_bytes", 4097)
    yield header("used_bytes_short", "used_bytes", used - 1)
    yield header("used_bytes_long", "used_bytes", used + 1)
    yield header("lead_blocks", "lead_blocks", 2)
    yield header("lead_first_doc", "lead_first_doc", 0)
    yield header("lead_last_doc", "lead_last_doc", 1)
    yield header("lead_impacts_too_low", "lead_impacts", 0xFF01)
    yield header("lead_impacts_norm_without_freq", "lead_impacts", 0x0100)
    yield entry("count_0", 3, "count", 0)
    yield entry("count_129", 0, "count", 129)
    yield entry("short_block_inside_list", 1, "count", 127)
    yield entry("doc_bits_32", 0, "doc_bits", 32)
    yield entry("freq_bits_32", 0, "freq_bits", 32)
    yield entry("norm_bits_9", 0, "norm_bits", 9)
    yield entry("norm_above_255", 0, "norm_base", 240)
    yield entry("8_freq_exceptions", 0, "flags", 1 + (8 << 3))
    yield entry("freq_exceptions_of_a_whole_list", 3, "flags", 3 + (1 << 3))
    yield entry("first_block_not_flagged", 0, "flags", 0)
    yield entry("list_ends_too_early", 1, "flags", 2)
    yield entry("list_does_not_end", 2, "flags", 0)
    yield header("lead_base_doc_of_a_first_block", "lead_base_doc", 1)
    yield entry("offset_outside", 0, "offset", 65535)
    yield entry("offset_overlaps", 1, "offset", 64)
    yield entry("offset_behind_the_page", 5, "offset", 4096)
    word = 64 + (4 + 8) * blocks
    yield bad("impacts_too_low", patch(page, word + 8 * 2, "u64", 0xFF01))
    yield bad("impacts_behind_a_whole_list_too_low", patch(page, word + 8 * 3, "u64", 0xFF01))
    yield bad("impacts_norm_without_freq", patch(page, word + 8 * 4, "u64", 0x0100))
    yield bad("last_doc_wrong", patch(page, 64, "u32", 1))
    yield bad("last_doc_too_high", patch(page, 64 + 4 * 5, "u32", C["MAX_DOC"]))
    yield bad("byte_behind_columns", patch(page, 4095, "u8", 1))
    yield from bitmaps(bad)
    yield from freq_exceptions(bad)


def freq_exceptions(bad):
    """Rules about freq exceptions: a list of 140 postings, every fortieth doc, whose freqs are 1
    but for those of the postings 3, 50 and 127."""
    high = {3: 2, 50: 9, 127: 101}
    image = Image(STAMP)
    image.add([(40 * i, high.get(i, 1), 9) for i in range(140)])
    image.finish()
    page, first = image.pages[0], 64 + (4 + 8 + 8) * 2 + 128 * 6 // 8
    flags = 64 + 4 * 2 + at_field("block_entry", "flags")[0]
    assert page[first:first + 6] == bytes([3, 1, 50, 8, 127, 100]) and page[flags] == 1 + (3 << 3)
    yield bad("freq_exceptions_of_one_posting", patch(page, first, "u8", 50))
    yield bad("freq_exceptions_descend", patch(page, first, "u8", 51))
    yield bad("freq_exception_outside_block", patch(page, first + 4, "u8", 128))
    yield bad("freq_exception_of_nothing", patch(page, first + 1, "u8", 0))
    yield bad("freq_exception_above_impacts", patch(page, first + 5, "u8", 101))
    yield bad("freq_exceptions_too_few", patch(page, flags, "u8", 1 + (2 << 3)))
    wide = at_field("block_entry", "freq_bits")[0] + 64 + 4 * 2
    yield bad("freq_exceptions_over_9_bits", patch(page, wide, "u8", 9))


def bitmaps(bad):
    """Rules about doc bitmaps: a list of 140 postings, every third doc from 1 on, in two blocks."""
    image = Image(STAMP)
    image.add([(1 + 3 * i, 1, 9) for i in range(140)])
    image.finish()
    page, entries, column = image.pages[0], 64 + 4 * 2, 64 + 20 * 2
    flag = E["block_flag"]["DOC_BITMAP"]
    assert all(b.flags & flag for b in image.blocks or image.page_blocks[0])

    def entry(what, block, field, value):
        offset, kind = at_field("block_entry", field)
        return bad(what, patch(page, entries + 8 * block + offset, kind, value))

    def bit(what, bits, data=page):
        for b in bits:
            data = patch(data, column + b // 8, "u8", data[column + b // 8] ^ 1 << b % 8)
        return bad(what, data)

    yield entry("bitmap_with_doc_bits", 0, "doc_bits", 1)
    yield entry("bitmap_not_flagged", 0, "flags", 1)
    yield entry("bitmap_offset", 0, "offset", column + 1)
    yield bad("bitmap_base_not_below_last_doc", patch(page, 64, "u32", 1 + 3 * 139))
    yield bit("bitmap_bit_too_many", [2])
    yield bit("bitmap_bit_too_few", [4])
    yield bit("bitmap_ends_too_early", [1 + 3 * 127, 2])
    yield bit("bitmap_ends_too_late", [1 + 3 * 127, 1 + 3 * 127 + 1])
    yield bit("bitmap_first_doc_not_lead_first_doc", [1, 0])
    long = Image(STAMP, bitmaps=True)
    long.add([(7, 1, 1), (8 * C["MAX_BITMAP_BYTES"], 2, 3)])
    long.finish()
    yield bad("bitmap_too_long", long.pages[0])
    data = patch(page, 64 + 4 * 2 + at_field("block_entry", "flags")[0], "u8", flag)
    base = at_field("page_header", "lead_base_doc")[0]
    yield bad("bitmap_base_above_last_doc", patch(data, base, "u32", 0xFFFFFFFE))


# ---- plans -------------------------------------------------------------------------------------

def plan_vector(status, what, data):
    return Vector(f"{status.lower()}_{what}", f"A plan that gives {status}: "
                  f"{what.replace('_', ' ')}", "plan", status).bytes(data)


def plan_sizes(q):
    good = q.plan("TOP_K", q.term("a")).pack()
    large = "PLAN_TOO_LARGE"
    yield plan_vector("PLAN_TRUNCATED", "empty", b"")
    yield plan_vector("PLAN_TRUNCATED", "in_header", good[:63])
    yield plan_vector("PLAN_TRUNCATED", "in_lists", good[:120])
    yield plan_vector("PLAN_TRUNCATED", "in_table", good[:-1])
    yield plan_vector("UNSUPPORTED_VERSION", "plan_version_1", patch(good, 4, "u16", 1))
    yield plan_vector("PLAN_MALFORMED", "byte_behind", good + b"\1")
    yield plan_vector("PLAN_MALFORMED", "total_bytes_low", patch(good, 8, "u32", len(good) - 1))
    yield plan_vector(large, "4097_nodes", patch(good, 12, "u16", C["MAX_PLAN_NODES"] + 1))
    yield plan_vector(large, "2049_lists", patch(good, 14, "u16", C["MAX_PLAN_LISTS"] + 1))
    yield plan_vector(large, "4097_extents", patch(good, 16, "u16", C["MAX_PLAN_EXTENTS"] + 1))
    yield plan_vector(large, "513_tables", patch(good, 18, "u16", C["MAX_PLAN_TABLES"] + 1))
    deep = Node("NONE")
    for _ in range(C["MAX_PLAN_DEPTH"]):
        deep = Node("BOOL", children=[deep])
    yield plan_vector(large, "depth_33", q.plan("COUNT", deep).pack())
    yield plan_vector(large, "k_beyond_result_page", q.plan("TOP_K", q.term("a"), k=8185).pack())


def plan_rules(q):
    def bad(what, mode, root, **header):
        return plan_vector("PLAN_MALFORMED", what, q.plan(mode, root, **header).pack())

    def patched(what, at, kind, value):
        return plan_vector("PLAN_MALFORMED", what, patch(good, at, kind, value))

    a, nan = q.term("a"), float("nan")
    good = q.plan("TOP_K", a).pack()
    yield patched("magic", 0, "u32", C["PAGE_MAGIC"])
    yield patched("mode_0", 6, "u8", 0)
    yield patched("mode_5", 6, "u8", 5)
    yield bad("flag_8", "TOP_K", a, flags=8)
    yield bad("reserved0", "TOP_K", a, column_count=1)
    yield bad("max_doc_too_high", "COUNT", a, max_doc=C["MAX_DOC"] + 1)
    yield bad("limit_doc_above_max_doc", "COUNT", a, limit_doc=1001)
    yield bad("min_doc_above_limit_doc", "COUNT", a, min_doc=501, limit_doc=500)
    yield bad("k_0", "TOP_K", a, k=0)
    yield bad("k_in_docs", "DOCS", a, k=10)
    yield bad("flags_in_count", "COUNT", a, flags=1)
    yield bad("count_threshold_in_docs", "DOCS", a, count_threshold=1000)
    yield bad("ties_without_min_score", "TOP_K", a, flags=4)
    yield bad("min_score_nan", "TOP_K", a, flags=2, min_score=nan)
    yield bad("after_score_nan", "TOP_K", a, flags=1, after_score=nan)
    yield bad("max_result_bytes_0", "DOCS", a, max_result_bytes=0)
    yield patched("no_nodes", 12, "u16", 0)
    yield from node_rules(q, bad, patched)
    yield from list_rules(q)


def node_rules(q, bad, patched):
    node = model.size("plan_header")
    yield patched("op_0", node, "u8", 0)
    yield patched("op_6", node, "u8", 6)
    yield patched("root_not_must", node + 1, "u8", E["occur"]["FILTER"])
    yield patched("term_with_child", node + 2, "u16", 1)
    yield patched("term_min_should", node + 4, "u16", 1)
    yield patched("node_reserved0", node + 6, "u16", 1)
    yield patched("list_index", node + 8, "u32", 4)
    yield patched("table_index", node + 12, "u32", 1)
    yield patched("weight_negative", node + 16, "f32", -1.0)
    yield patched("weight_nan", node + 16, "f32", float("nan"))
    yield patched("weight_infinite", node + 16, "f32", float("inf"))
    yield patched("node_reserved1", node + 20, "u32", 1)
    two = Node("BOOL", children=[q.term("a"), q.term("b")])
    data = q.plan("DOCS", two).pack()
    malformed = "PLAN_MALFORMED"
    yield plan_vector(malformed, "bool_without_child", q.plan("DOCS", Node("BOOL")).pack())
    yield plan_vector(malformed, "children_missing", patch(data, node + 2, "u16", 3))
    yield plan_vector(malformed, "second_root", patch(data, node + 2, "u16", 1))
    yield plan_vector(malformed, "occur_4", patch(data, node + 24 + 1, "u8", 4))
    yield bad("const_of_two", "DOCS", Node("CONST", children=[q.term("a"), q.term("b")]))
    either = [q.term("a", "SHOULD"), q.term("b", "SHOULD")]
    yield patched("op_255", node, "u8", 255)
    yield bad("dis_max_without_child", "DOCS", Node("DIS_MAX"))
    yield bad("dis_max_factor_above_1", "DOCS", Node("DIS_MAX", weight=1.001, children=either))
    yield bad("dis_max_min_should", "DOCS", Node("DIS_MAX", min_should=1, children=either))
    yield bad("synonym_without_child", "DOCS", Node("SYNONYM"))
    yield bad("synonym_factor_above_1", "DOCS",
              Node("SYNONYM", children=[q.term("a", "SHOULD", 1.5)]))
    yield bad("synonym_factor_0", "DOCS", Node("SYNONYM", children=[q.term("a", "SHOULD", 0.0)]))
    yield bad("synonym_must", "DOCS", Node("SYNONYM", children=[q.term("a", "MUST", 1.0)]))
    yield bad("synonym_of_none", "DOCS",
              Node("SYNONYM", children=[Node("NONE", "SHOULD", weight=1.0)]))
    yield bad("synonym_min_should", "DOCS",
              Node("SYNONYM", min_should=1, children=[q.term("a", "SHOULD", 1.0)]))
    yield bad("synonym_table_index", "SCORED_DOCS",
              Node("SYNONYM", table=1, children=[q.term("a", "SHOULD", 1.0)]))
    yield bad("synonym_term_table", "SCORED_DOCS",
              Node("SYNONYM", children=[Node("TERM", "SHOULD", weight=1.0, table=1)]))
    yield bad("combined_without_resource", "DOCS",
              Node("COMBINED", children=[q.term("a", "SHOULD", 1.0)]))
    yield bad("combined_factor_below_1", "DOCS",
              Node("COMBINED", list=1, children=[q.term("a", "SHOULD", 0.5)]))
    yield bad("combined_of_all", "DOCS",
              Node("COMBINED", list=1, children=[Node("ALL", "SHOULD", weight=1.0)]))
    for occur in ("MUST", "FILTER", "MUST_NOT"):
        yield bad(f"dis_max_of_{occur.lower()}", "DOCS",
                  Node("DIS_MAX", children=[q.term("a", "SHOULD"), q.term("b", occur)]))


def list_rules(q):
    paged, inline = dict(q.refs[0], first_extent=0, extent_count=2), q.refs[3]

    def bad(what, ref, extents=None, table=None):
        plan = Plan("TOP_K", Node("TERM"), [ref], q.extents if extents is None else extents,
                    [TABLE if table is None else table])
        return plan_vector("PLAN_MALFORMED", what, plan.pack())

    yield bad("list_kind_0", {**paged, "kind": 0, "first_extent": 0, "extent_count": 2})
    yield bad("list_kind_3", {**paged, "kind": 3})
    yield bad("list_reserved0", {**paged, "reserved0": 1})
    yield bad("list_reserved1", {**paged, "reserved1": b"\0\0\1"})
    yield bad("list_without_posting", {**paged, "posting_count": 0})
    yield bad("list_longer_than_max_doc", {**paged, "posting_count": 1001})
    yield bad("list_without_page", {**paged, "page_count": 0})
    yield bad("list_more_pages_than_blocks", {**paged, "page_count": 5})
    yield bad("list_slot_200", {**paged, "slot": 200})
    yield bad("list_extents_outside", {**paged, "first_extent": 1})
    yield bad("inline_list_extents_outside", {**inline, "first_extent": 2, "extent_count": 1})
    yield bad("extent_ends_at_file_page_2_to_32", paged, [(0, 1, 30), (2**32 - 1, 1, 40)])
    yield bad("list_page_not_covered", {**paged, "first_page": 2})
    yield bad("extent_without_page", paged, [(0, 1, 30), (1, 0, 40)])
    yield bad("extents_descend", paged, [(1, 1, 40), (0, 1, 30)])
    yield bad("extent_beyond_lbas", paged, [(0, 1, 30), (1, 9, 2**64 - 1)])
    yield bad("inline_of_two", {**inline, "posting_count": 2})
    yield bad("inline_doc_at_max_doc", {**inline, "inline_doc": 1000})
    yield bad("inline_freq_0", {**inline, "inline_freq": 0})
    yield bad("table_nan", paged, table=[float("nan")] + TABLE[1:])
    yield bad("table_negative", paged, table=TABLE[:255] + [-1.0])


# ---- programs ----------------------------------------------------------------------------------

def programs(q):
    def bad(status, what, pages, refs=None, mode="COUNT", root=None, **header):
        root = root or Node("BOOL", children=[q.term("a"), Node("ALL", weight=1.0)])
        plan = Plan(mode, root, refs or q.refs, q.extents, **header)
        return of_program(f"{status.lower()}_program_{what}", f"A program that gives {status}: "
                          f"{what.replace('_', ' ')}", plan, pages, status=status)

    page, ref = q.pages[40], q.refs[0]
    later = Image(STAMP, first_page=2)
    later.add(q.lists["a"])
    later.finish()
    other = Image(STAMP + 5)
    other.add(q.lists["a"])
    other.finish()
    yield bad("PAGE_CORRUPT", "never_written", {})
    yield bad("PAGE_CORRUPT", "bit_flipped", {40: patch(page, 900, "u8", page[900] ^ 4)})
    yield bad("UNSUPPORTED_VERSION", "page_version", {40: seal(patch(page, 4, "u16", 1))})
    yield bad("PAGE_STALE", "other_file", {40: other.pages[0]})
    yield bad("PAGE_STALE", "other_page", {40: later.pages[0]})
    yield bad("NO_RESOURCE", "live_docs_9", q.pages, live_docs=9)
    yield bad("NO_RESOURCE", "doc_set_9", q.pages, root=Node("DOC_SET", list=9))
    yield bad("PLAN_MALFORMED", "doc_set_0", q.pages, root=Node("DOC_SET"))
    yield bad("LIST_CORRUPT", "starts_in_mid_list", q.pages, [dict(ref, slot=1)] + q.refs[1:])
    yield bad("LIST_CORRUPT", "too_many_postings", q.pages,
              [dict(ref, posting_count=500)] + q.refs[1:])
    yield bad("LIST_CORRUPT", "too_few_postings", q.pages,
              [dict(ref, posting_count=300)] + q.refs[1:])
    yield bad("LIST_CORRUPT", "slot_outside_page", q.pages, [dict(ref, slot=100)] + q.refs[1:])
    long = Image(STAMP)
    long_ref = dict(long.add(postings(31, 9000, 6)))
    long.finish()
    swapped = Image(STAMP)
    swapped.add(postings(32, 9000, 7))
    swapped.finish()
    root = Node("BOOL", children=[Node("TERM"), Node("ALL", weight=1.0)])
    plan = Plan("COUNT", root, [long_ref], [(1, len(long.pages), 40)], max_doc=60000)
    mixed = {40 + i: p for i, p in enumerate([long.pages[0]] + swapped.pages[1:])}
    yield of_program("list_corrupt_program_next_page_continues_another_list",
                     "A program that gives LIST_CORRUPT: page 2 is of another list with the same "
                     "stamp", plan, mixed, status="LIST_CORRUPT")


def vectors():
    q = Query()
    yield from commands()
    yield from pages()
    yield from plan_sizes(q)
    yield from plan_rules(q)
    yield from programs(q)
