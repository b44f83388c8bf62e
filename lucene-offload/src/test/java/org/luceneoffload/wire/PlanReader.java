/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.luceneoffload.wire.aggregate.Aggregate;
import org.luceneoffload.wire.aggregate.AggregatePartReader;
import org.luceneoffload.wire.layout.ColumnRefLayout;
import org.luceneoffload.wire.layout.ExtentLayout;
import org.luceneoffload.wire.layout.ListRefLayout;
import org.luceneoffload.wire.layout.PlanHeaderLayout;
import org.luceneoffload.wire.layout.PlanNodeLayout;
import org.luceneoffload.wire.layout.ResultHeaderLayout;
import org.luceneoffload.wire.layout.ValueRangeLayout;
import org.luceneoffload.wire.plan.NormTable;
import org.luceneoffload.wire.plan.PlanRequest;
import org.luceneoffload.wire.plan.PlanWriter;
import org.luceneoffload.wire.sort.SortPart;
import org.luceneoffload.wire.sort.SortPartReader;

/**
 * Decodes and checks an encoded plan: the counterpart of {@link PlanWriter} for people who look at
 * plans and for tests. Nothing of the plan is trusted.
 */
public final class PlanReader {
  private final ByteBuffer b;
  private final int bytes;
  private final PlanRequest request = new PlanRequest();
  private Plan plan;
  private SortPart sort;
  private List<Aggregate> aggregates = List.of();
  private final Map<OperatorRule.Target, Integer> referred =
      new EnumMap<>(OperatorRule.Target.class);
  private final List<PlanNode> scoredByTables = new ArrayList<>();
  private int nodesLeft;
  private int listCount;
  private int tableCount;
  private int columnCount;
  private int rangeCount;
  private int at;

  /**
   * Reads a plan.
   *
   * @param b little-endian; the plan starts at byte 0
   * @param bytes bytes of the plan
   * @throws OffloadException with status PLAN_TRUNCATED, PLAN_MALFORMED, PLAN_TOO_LARGE or
   *     UNSUPPORTED_VERSION, and a message that names the field
   */
  public PlanReader(ByteBuffer b, int bytes) throws OffloadException {
    this.b = b;
    this.bytes = bytes;
    read();
  }

  /** The tree and its lists. */
  public Plan plan() {
    return plan;
  }

  /** Returns the result that the plan asks for. */
  public PlanRequest request() {
    return request;
  }

  /** The aggregates; empty but in mode AGGREGATE. */
  public List<Aggregate> aggregates() {
    return aggregates;
  }

  /** The sort part; null if the plan has none. */
  public SortPart sort() {
    return sort;
  }

  private void read() throws OffloadException {
    if (bytes < PlanHeaderLayout.BYTES || bytes > b.capacity()) {
      throw new OffloadException(
          OffloadWire.Status.PLAN_TRUNCATED, "the plan has " + bytes + " bytes, no whole header");
    }
    int magic = PlanHeaderLayout.magic(b, 0);
    check(magic == OffloadWire.PLAN_MAGIC, "magic", magic);
    int version = PlanHeaderLayout.version(b, 0);
    if (version != OffloadWire.VERSION) {
      throw new OffloadException(
          OffloadWire.Status.UNSUPPORTED_VERSION,
          "the plan has version " + version + ", expected " + OffloadWire.VERSION);
    }
    int nodes = PlanHeaderLayout.nodeCount(b, 0);
    int lists = PlanHeaderLayout.listCount(b, 0);
    int extents = PlanHeaderLayout.extentCount(b, 0);
    int tables = PlanHeaderLayout.tableCount(b, 0);
    limit("node_count", nodes, OffloadWire.MAX_PLAN_NODES);
    limit("list_count", lists, OffloadWire.MAX_PLAN_LISTS);
    limit("extent_count", extents, OffloadWire.MAX_PLAN_EXTENTS);
    limit("table_count", tables, OffloadWire.MAX_PLAN_TABLES);
    columnCount = PlanHeaderLayout.columnCount(b, 0);
    rangeCount = PlanHeaderLayout.rangeCount(b, 0);
    limit("column_count", columnCount, OffloadWire.MAX_PLAN_COLUMNS);
    limit("range_count", rangeCount, OffloadWire.MAX_PLAN_RANGES);
    checkSize(nodes, lists, extents, tables);
    readHeader();
    nodesLeft = nodes;
    at = PlanHeaderLayout.BYTES;
    boolean scoredMode =
        request.mode == OffloadWire.Mode.SCORED_DOCS
            || request.mode == OffloadWire.Mode.TOP_K
            || (sort != null && sort.scores());
    listCount = lists;
    tableCount = tables;
    PlanNode root = node(1, scoredMode);
    check(nodesLeft == 0, "node_count", nodes);
    check(root.occur() == OffloadWire.Occur.MUST, "occur of the root", root.occur());
    List<ListRef> listRefs = new ArrayList<>(lists);
    for (int i = 0; i < lists; i++, at += ListRefLayout.BYTES) {
      listRefs.add(list(i, extents));
    }
    List<PlanExtent> planExtents = new ArrayList<>(extents);
    for (int i = 0; i < extents; i++, at += ExtentLayout.BYTES) {
      planExtents.add(extent(i));
    }
    for (int i = 0; i < lists; i++) {
      checkCovered(i, listRefs.get(i), planExtents);
    }
    List<NormTable> normTables = new ArrayList<>(tables);
    for (int i = 0; i < tables; i++, at += OffloadWire.NORM_TABLE_BYTES) {
      float[] values = new float[OffloadWire.NORM_TABLE_ENTRIES];
      for (int j = 0; j < values.length; j++) {
        values[j] = b.getFloat(at + j * Float.BYTES);
        check(values[j] >= 0f, "value " + j + " of table " + i, Float.floatToIntBits(values[j]));
      }
      normTables.add(new NormTable(values));
    }
    for (PlanNode node : scoredByTables) {
      checkScores(node, normTables);
    }
    List<ColumnRef> columns = new ArrayList<>(columnCount);
    for (int i = 0; i < columnCount; i++, at += ColumnRefLayout.BYTES) {
      columns.add(column(i, planExtents));
    }
    List<WireRange> ranges = new ArrayList<>(rangeCount);
    for (int i = 0; i < rangeCount; i++, at += ValueRangeLayout.BYTES) {
      ranges.add(new WireRange(ValueRangeLayout.lo(b, at), ValueRangeLayout.hi(b, at)));
    }
    checkSets(root, ranges);
    PlanAreas.check(root, ranges);
    if (sort != null) {
      PlanAreas.checkOrigins(sort.keys(), ranges);
    }
    checkKinds(root, listRefs);
    int maxDoc = PlanHeaderLayout.maxDoc(b, 0);
    plan = new Plan(root, listRefs, planExtents, normTables, columns, ranges, maxDoc);
    if (request.mode == OffloadWire.Mode.AGGREGATE) {
      long room = Integer.toUnsignedLong(request.maxResultBytes);
      aggregates = AggregatePartReader.read(b, at, plan, room);
    }
  }

  /** No score of a TABLE_TERM or FEATURE_TERM is above its weight, or -0. */
  private static void checkScores(PlanNode node, List<NormTable> tables) throws OffloadException {
    for (NormTable table : tables.subList(node.table(), node.table() + node.ranges())) {
      for (int norm = 0; norm < OffloadWire.NORM_TABLE_ENTRIES; norm++) {
        int bits = Float.floatToRawIntBits(table.get(norm));
        check(bits >= 0 && table.get(norm) <= node.weight(), "a score (bits)", bits);
      }
    }
  }

  /** Ranges go from a value to one that is not below it; those of a set do not overlap. */
  private static void checkSets(PlanNode node, List<WireRange> ranges) throws OffloadException {
    OperatorRule.Reference table = node.operator().rule().table();
    if (table.to() == OperatorRule.Target.RANGES) {
      checkRanges(ranges, node.table(), table.each() > 0 ? node.ranges() : 1);
    }
    boolean ascends = table.ascends();
    for (int i = 1; ascends && i < node.ranges(); i++) {
      long lo = ranges.get(node.table() + i).lo();
      long before = ranges.get(node.table() + i - 1).hi();
      check(lo > before, "lo of range " + (node.table() + i), lo);
    }
    for (PlanNode child : node.children()) {
      checkSets(child, ranges);
    }
  }

  private static void checkRanges(List<WireRange> ranges, int first, int count)
      throws OffloadException {
    for (int i = first; i < first + count; i++) {
      check(ranges.get(i).lo() <= ranges.get(i).hi(), "lo of range " + i, ranges.get(i).lo());
    }
  }

  /** Lists are of the kinds that their nodes ask for. */
  private static void checkKinds(PlanNode node, List<ListRef> lists) throws OffloadException {
    OperatorRule rule = node.operator().rule();
    boolean phrase = rule.positions().arePaired();
    if (phrase) {
      PhrasePlaces.check(node, lists);
    } else if (rule.list().to() == OperatorRule.Target.LISTS) {
      int kind = lists.get(node.list()).kind();
      check(kind != OffloadWire.ListKind.POSITIONS, "kind of list " + node.list(), kind);
    }
    for (int i = 0; phrase && i < node.ranges(); i++) {
      int at = node.list() + 2 * i;
      ListRef list = lists.get(at);
      ListRef positions = lists.get(at + 1);
      check(list.kind() != OffloadWire.ListKind.POSITIONS, "kind of list " + at, list.kind());
      check(
          positions.kind() == OffloadWire.ListKind.POSITIONS
              && positions.postingCount() == list.postingCount(),
          "kind of list " + (at + 1),
          positions.kind());
      boolean one = list.kind() == OffloadWire.ListKind.INLINE && list.inlineFreq() == 1;
      check(positions.pageCount() != 0 || one, "page_count of list " + (at + 1), 0);
    }
    for (PlanNode child : node.children()) {
      checkKinds(child, lists);
    }
  }

  private void checkSize(int nodes, int lists, int extents, int tables) throws OffloadException {
    long expected =
        PlanHeaderLayout.BYTES
            + (long) nodes * PlanNodeLayout.BYTES
            + (long) lists * ListRefLayout.BYTES
            + (long) extents * ExtentLayout.BYTES
            + (long) tables * OffloadWire.NORM_TABLE_BYTES
            + (long) columnCount * ColumnRefLayout.BYTES
            + (long) rangeCount * ValueRangeLayout.BYTES;
    int total = PlanHeaderLayout.totalBytes(b, 0);
    if (Integer.compareUnsigned(total, bytes) > 0) {
      throw new OffloadException(
          OffloadWire.Status.PLAN_TRUNCATED,
          "the plan has " + bytes + " bytes, its header says " + Integer.toUnsignedLong(total));
    }
    if (PlanHeaderLayout.mode(b, 0) == OffloadWire.Mode.TOP_K_BY_COLUMN) {
      check(expected < bytes, "total_bytes", total);
      sort = SortPartReader.read(b, (int) expected, bytes, columnCount);
      expected += sort.bytes();
    }
    if (PlanHeaderLayout.mode(b, 0) == OffloadWire.Mode.AGGREGATE) {
      check(expected < bytes, "total_bytes", total);
      expected += AggregatePartReader.bytes(b, (int) expected, bytes);
    }
    check(bytes == expected && total == bytes, "total_bytes", Integer.toUnsignedLong(total));
  }

  private void readHeader() throws OffloadException {
    request.mode = PlanHeaderLayout.mode(b, 0);
    request.flags = PlanHeaderLayout.flags(b, 0);
    request.minDoc = PlanHeaderLayout.minDoc(b, 0);
    request.limitDoc = PlanHeaderLayout.limitDoc(b, 0);
    request.k = PlanHeaderLayout.k(b, 0);
    request.countThreshold = PlanHeaderLayout.countThreshold(b, 0);
    request.liveDocs = PlanHeaderLayout.liveDocs(b, 0);
    request.maxResultBytes = PlanHeaderLayout.maxResultBytes(b, 0);
    request.minScore = PlanHeaderLayout.minScore(b, 0);
    request.afterScore = PlanHeaderLayout.afterScore(b, 0);
    request.afterDoc = PlanHeaderLayout.afterDoc(b, 0);
    boolean byScore = request.mode == OffloadWire.Mode.TOP_K;
    boolean topK = byScore || sort != null;
    check(
        request.mode >= OffloadWire.Mode.COUNT && request.mode <= OffloadWire.Mode.TOP_K_BY_COLUMN,
        "mode",
        request.mode);
    int knownFlags =
        OffloadWire.PlanFlag.HAS_AFTER
            | OffloadWire.PlanFlag.HAS_MIN_SCORE
            | OffloadWire.PlanFlag.MIN_SCORE_TIES
            | OffloadWire.PlanFlag.FOLLOWS;
    check((request.flags & ~knownFlags) == 0, "flags", request.flags);
    check(byScore || request.flags == 0, "flags", request.flags);
    check(
        (request.flags & OffloadWire.PlanFlag.MIN_SCORE_TIES) == 0
            || (request.flags & OffloadWire.PlanFlag.HAS_MIN_SCORE) != 0,
        "flags",
        request.flags);
    int maxDoc = PlanHeaderLayout.maxDoc(b, 0);
    check(maxDoc >= 0 && maxDoc <= OffloadWire.MAX_DOC, "max_doc", Integer.toUnsignedLong(maxDoc));
    check(
        request.limitDoc >= 0 && request.limitDoc <= maxDoc,
        "limit_doc",
        Integer.toUnsignedLong(request.limitDoc));
    check(
        request.minDoc >= 0 && request.minDoc <= request.limitDoc,
        "min_doc",
        Integer.toUnsignedLong(request.minDoc));
    check(
        Integer.compareUnsigned(request.maxResultBytes, PlanRequest.MIN_RESULT_BYTES) >= 0,
        "max_result_bytes",
        Integer.toUnsignedLong(request.maxResultBytes));
    check(topK ? request.k != 0 : request.k == 0, "k", Integer.toUnsignedLong(request.k));
    int entryBytes = sort != null ? sort.entryBytes() : 8;
    long hitBytes = ResultHeaderLayout.BYTES + entryBytes * Integer.toUnsignedLong(request.k);
    if (topK && hitBytes > Integer.toUnsignedLong(request.maxResultBytes)) {
      throw new OffloadException(
          OffloadWire.Status.PLAN_TOO_LARGE,
          "k hits take " + hitBytes + " bytes, the result page has " + request.maxResultBytes);
    }
    boolean hasAfter = (request.flags & OffloadWire.PlanFlag.HAS_AFTER) != 0;
    check(!hasAfter || !Float.isNaN(request.afterScore), "after_score (NaN)", 1);
    boolean hasMinScore = (request.flags & OffloadWire.PlanFlag.HAS_MIN_SCORE) != 0;
    check(!hasMinScore || !Float.isNaN(request.minScore), "min_score (NaN)", 1);
    check(
        topK || request.countThreshold == OffloadWire.EXACT_COUNT,
        "count_threshold",
        Integer.toUnsignedLong(request.countThreshold));
  }

  /** Reads a subtree; {@code parentScored} says whether its score may matter to its parent. */
  private PlanNode node(int depth, boolean parentScored) throws OffloadException {
    limit("depth", depth, OffloadWire.MAX_PLAN_DEPTH);
    check(nodesLeft > 0, "child_count", 0);
    nodesLeft--;
    int nodeAt = at;
    at += PlanNodeLayout.BYTES;
    int op = PlanNodeLayout.op(b, nodeAt);
    check(Operator.of(op) != null, "op", op);
    int childCount = PlanNodeLayout.childCount(b, nodeAt);
    check(b.getShort(nodeAt + PlanNodeLayout.RESERVED0) == 0, "reserved0", 1);
    PlanNode own =
        new PlanNode(
            op,
            PlanNodeLayout.occur(b, nodeAt),
            PlanNodeLayout.minShould(b, nodeAt),
            PlanNodeLayout.list(b, nodeAt),
            PlanNodeLayout.table(b, nodeAt),
            PlanNodeLayout.rangeCount(b, nodeAt),
            PlanNodeLayout.weight(b, nodeAt),
            List.of());
    check(own.occur() <= OffloadWire.Occur.MUST_NOT, "occur", own.occur());
    boolean counts =
        own.occur() == OffloadWire.Occur.MUST || own.occur() == OffloadWire.Occur.SHOULD;
    boolean scored = parentScored && counts;
    checkRule(own, childCount, scored);
    OperatorRule.Children rule = own.operator().rule().children();
    List<PlanNode> children = new ArrayList<>(childCount);
    for (int i = 0; i < childCount; i++) {
      PlanNode child = node(depth + 1, scored && rule.scored());
      check(rule.take(child.operator(), child.occur()), "op of a child", child.op());
      boolean factor =
          child.table() == 0
              && child.weight() > 0f
              && child.weight() >= rule.minFactor()
              && child.weight() <= rule.maxFactor();
      check(!rule.areFactors() || factor, "factor", Float.floatToIntBits(child.weight()));
      children.add(child);
    }
    return own.with(children);
  }

  /** Checks the fields of a node by the rules of its operator. */
  private void checkRule(PlanNode node, int childCount, boolean scored) throws OffloadException {
    OperatorRule rule = node.operator().rule();
    OperatorRule.Children children = rule.children();
    check(childCount >= children.min() && childCount <= children.max(), "child_count", childCount);
    check(node.minShould() <= rule.maxMinShould(), "min_should", node.minShould());
    long ranges = Integer.toUnsignedLong(node.ranges());
    check(
        ranges >= rule.count().min()
            && ranges <= rule.count().max()
            && node.minShould() + ranges <= rule.count().maxEnd(),
        "range_count",
        ranges);
    float weight = node.weight();
    check(weight >= 0f && weight <= rule.maxWeight(), "weight", Float.floatToIntBits(weight));
    checkReference("list", node.list(), rule.list(), ranges, scored);
    checkReference("table", node.table(), rule.table(), ranges, scored);
    addReferences(rule.list(), ranges);
    addReferences(rule.table(), ranges);
    if (scored && rule.table().to() == OperatorRule.Target.TABLES && rule.table().each() > 0) {
      scoredByTables.add(node);
    }
    if (scored && node.op() == OffloadWire.Op.LINEAR_TERM) {
      float most = node.weight() * Float.intBitsToFloat(node.minShould() << 15);
      check(Float.isFinite(most), "the greatest score (bits)", Float.floatToIntBits(most));
    }
  }

  private void checkReference(
      String name, int field, OperatorRule.Reference reference, long ranges, boolean scored)
      throws OffloadException {
    long value = Integer.toUnsignedLong(field);
    int entries =
        switch (reference.to()) {
          case NOTHING, RESOURCE -> 0;
          case LISTS -> listCount;
          case TABLES -> tableCount;
          case COLUMNS -> columnCount;
          case RANGES, AREAS -> rangeCount;
        };
    boolean there =
        switch (reference.to()) {
          case NOTHING -> value == 0;
          case RESOURCE -> value != 0;
          default -> value + reference.entries(ranges) <= entries;
        };
    check(there || (reference.scored() && !scored), name, value);
  }

  /** Adds what a field refers to: all nodes together are limited, however they share it. */
  private void addReferences(OperatorRule.Reference reference, long ranges)
      throws OffloadException {
    int limit =
        switch (reference.to()) {
          case NOTHING -> 0;
          case LISTS -> OffloadWire.MAX_PLAN_LISTS;
          case TABLES -> OffloadWire.MAX_PLAN_TABLES;
          case COLUMNS -> OffloadWire.MAX_PLAN_COLUMNS;
          case RANGES, AREAS -> OffloadWire.MAX_PLAN_RANGES;
          case RESOURCE -> OffloadWire.MAX_PLAN_DOC_SETS;
        };
    boolean resource = reference.to() == OperatorRule.Target.RESOURCE;
    long added = resource ? 1 : reference.each() > 0 ? Math.min(ranges, 1 << 20) : 0;
    int sum = referred.merge(reference.to(), (int) added, Integer::sum);
    limit("references of all nodes to " + reference.to(), sum, limit);
  }

  private ListRef list(int index, int extents) throws OffloadException {
    ListRef list =
        new ListRef(
            ListRefLayout.kind(b, at),
            ListRefLayout.slot(b, at),
            ListRefLayout.firstPage(b, at),
            ListRefLayout.pageCount(b, at),
            ListRefLayout.postingCount(b, at),
            ListRefLayout.stamp(b, at),
            ListRefLayout.impacts(b, at),
            ListRefLayout.firstExtent(b, at),
            ListRefLayout.extentCount(b, at),
            ListRefLayout.inlineDoc(b, at),
            ListRefLayout.inlineFreq(b, at),
            ListRefLayout.inlineNorm(b, at));
    String of = " of list " + index;
    check(b.get(at + ListRefLayout.RESERVED0) == 0, "reserved0" + of, 1);
    for (int i = 0; i < 3; i++) {
      check(b.get(at + ListRefLayout.RESERVED1 + i) == 0, "reserved1" + of, 1);
    }
    int maxDoc = PlanHeaderLayout.maxDoc(b, 0);
    check(
        list.postingCount() > 0 && list.postingCount() <= maxDoc,
        "posting_count" + of,
        Integer.toUnsignedLong(list.postingCount()));
    check(
        list.firstExtent() + list.extentCount() <= extents,
        "first_extent" + of,
        list.firstExtent());
    switch (list.kind()) {
      case OffloadWire.ListKind.INLINE -> {
        check(list.postingCount() == 1, "posting_count" + of, list.postingCount());
        check(
            list.inlineDoc() >= 0 && list.inlineDoc() < maxDoc,
            "inline_doc" + of,
            Integer.toUnsignedLong(list.inlineDoc()));
        check(list.inlineFreq() >= 1, "inline_freq" + of, list.inlineFreq());
      }
      case OffloadWire.ListKind.PAGED -> {
        int blocks = (list.postingCount() - 1) / OffloadWire.BLOCK_POSTINGS + 1;
        check(list.slot() < OffloadWire.MAX_BLOCKS_PER_PAGE, "slot" + of, list.slot());
        check(
            list.pageCount() >= 1 && list.pageCount() <= blocks,
            "page_count" + of,
            Integer.toUnsignedLong(list.pageCount()));
        check(
            list.pageCount() > 1 || list.slot() + blocks <= OffloadWire.MAX_BLOCKS_PER_PAGE,
            "slot" + of,
            list.slot());
      }
      case OffloadWire.ListKind.POSITIONS -> {
        check(list.slot() < OffloadWire.MAX_POSITION_BLOCKS, "slot" + of, list.slot());
        check(list.inlineDoc() >= 0, "inline_doc" + of, list.inlineDoc());
        check(list.inlineNorm() <= 7, "inline_norm" + of, list.inlineNorm());
        check(
            list.pageCount() != 0 || list.inlineFreq() >= 0, "inline_freq" + of, list.inlineFreq());
      }
      default -> check(false, "kind" + of, list.kind());
    }
    return list;
  }

  private ColumnRef column(int index, List<PlanExtent> extents) throws OffloadException {
    ColumnRef column =
        new ColumnRef(
            ColumnRefLayout.firstPage(b, at),
            ColumnRefLayout.pageCount(b, at),
            ColumnRefLayout.docCount(b, at),
            ColumnRefLayout.stamp(b, at),
            ColumnRefLayout.valueCount(b, at),
            ColumnRefLayout.min(b, at),
            ColumnRefLayout.max(b, at),
            ColumnRefLayout.firstExtent(b, at),
            ColumnRefLayout.extentCount(b, at));
    String of = " of column " + index;
    check(b.getInt(at + ColumnRefLayout.RESERVED0) == 0, "reserved0" + of, 1);
    check(b.getInt(at + ColumnRefLayout.RESERVED1) == 0, "reserved1" + of, 1);
    int docs = column.docCount();
    check(docs > 0 && docs <= PlanHeaderLayout.maxDoc(b, 0), "doc_count" + of, docs);
    check(column.pageCount() > 0 && column.pageCount() <= docs, "page_count" + of, docs);
    check(
        Long.compareUnsigned(column.valueCount(), docs) >= 0,
        "value_count" + of,
        column.valueCount());
    check(column.min() <= column.max(), "min" + of, column.min());
    check(
        column.firstExtent() + column.extentCount() <= extents.size(),
        "first_extent" + of,
        column.firstExtent());
    checkCovered(
        of,
        column.firstPage(),
        column.pageCount(),
        extents.subList(column.firstExtent(), column.firstExtent() + column.extentCount()));
    return column;
  }

  private PlanExtent extent(int index) throws OffloadException {
    PlanExtent extent =
        new PlanExtent(
            ExtentLayout.filePage(b, at), ExtentLayout.pageCount(b, at), ExtentLayout.lba(b, at));
    long pages = Integer.toUnsignedLong(extent.pageCount());
    long filePage = Integer.toUnsignedLong(extent.filePage());
    check(pages != 0, "page_count of extent " + index, pages);
    check(filePage + pages <= 0xFFFFFFFFL, "file_page of extent " + index, filePage);
    check(Long.compareUnsigned(extent.lba(), -1L - pages) <= 0, "lba of extent " + index, filePage);
    return extent;
  }

  private void checkCovered(int index, ListRef list, List<PlanExtent> extents)
      throws OffloadException {
    boolean paged =
        list.kind() == OffloadWire.ListKind.PAGED
            || list.kind() == OffloadWire.ListKind.POSITIONS && list.pageCount() != 0;
    if (paged) {
      checkCovered(
          " of list " + index,
          list.firstPage(),
          list.pageCount(),
          extents.subList(list.firstExtent(), list.firstExtent() + list.extentCount()));
    }
  }

  /** Extents ascend, do not overlap, and cover every page. */
  private static void checkCovered(
      String of, int firstPage, int pageCount, List<PlanExtent> extents) throws OffloadException {
    long end = -1;
    long page = Integer.toUnsignedLong(firstPage);
    long last = page + Integer.toUnsignedLong(pageCount);
    for (PlanExtent extent : extents) {
      long from = Integer.toUnsignedLong(extent.filePage());
      check(from >= end, "file_page of an extent" + of, from);
      end = from + Integer.toUnsignedLong(extent.pageCount());
      if (page >= from && page < end) {
        page = Math.min(last, end);
      }
    }
    check(page == last, "extents" + of + ": first page that none covers", page);
  }

  private static void limit(String what, int count, int limit) throws OffloadException {
    if (count > limit) {
      throw new OffloadException(
          OffloadWire.Status.PLAN_TOO_LARGE, what + " is " + count + ", the most is " + limit);
    }
  }

  private static void check(boolean holds, String field, long got) throws OffloadException {
    if (!holds) {
      throw new OffloadException(
          OffloadWire.Status.PLAN_MALFORMED, "plan: " + field + " is " + got);
    }
  }
}
