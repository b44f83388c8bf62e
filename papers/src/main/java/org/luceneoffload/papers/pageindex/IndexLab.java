/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.pageindex;

import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.OffloadWire.ModelWork;

/** What kernels, queries of TPC-H and transactions of TPC-C take with each kind of index. */
final class IndexLab implements AutoCloseable {
  /** Queries of a kernel. */
  static final int QUERIES = 16;

  private static final int INSERTS = 64;
  private static final int TRANSACTIONS = 4;
  private static final long SEED = 4;

  /** Items of an order of TPC-C, on average, and the rows that it inserts beside their lines. */
  private static final int ITEMS = 10;

  private static final int ORDER_ROWS = 2;
  private static final Range DISCOUNT = new Range(5, 7);

  /** What is measured. */
  enum Load {
    SCAN("scan"),
    JOIN("join"),
    DELETE("delete"),
    INSERT("insert"),
    NEW_ORDER("NewOrder"),
    PAYMENT("Payment"),
    Q1("Q1"),
    Q4("Q4"),
    Q6("Q6"),
    Q14("Q14"),
    /** Query 6 with its discount as a second key. */
    Q6_TWO_KEYS("Q6, two keys"),
    /** Query 14 with that key, too. */
    Q14_TWO_KEYS("Q14, two keys");

    final String title;

    Load(String title) {
      this.title = title;
    }
  }

  /** The loads of figure 9. */
  static final List<Load> KERNELS = List.of(Load.SCAN, Load.JOIN, Load.DELETE, Load.INSERT);

  /** Those of figures 4, 10 and 11. */
  static final List<Load> DATABASES =
      List.of(Load.NEW_ORDER, Load.PAYMENT, Load.Q1, Load.Q4, Load.Q6, Load.Q14);

  /**
   * What a load took.
   *
   * @param ms of a query, transaction or insert
   * @param dataBytes of data pages that came to the host
   * @param nodeBytes of nodes that came to the host
   * @param updateBytes that UPDATE_HOST_INDEX brought
   * @param commands that the host sent
   */
  record Outcome(double ms, long dataBytes, long nodeBytes, long updateBytes, long commands) {
    long bytes() {
      return dataBytes + nodeBytes + updateBytes;
    }
  }

  private final IndexedStore store;
  private final Tables tables;
  private DeviceProfile profile;
  private int insertRows;
  private long planePages;
  private int planes;
  private int programs;

  /**
   * Writes the tables.
   *
   * @param insertRows work of an insert beside its index, in rows; fitted, and of no profile
   */
  IndexLab(DeviceProfile profile, int insertRows) throws IOException {
    store = new IndexedStore(IndexedStore.MIN_CACHE_BYTES);
    tables = new Tables(store);
    use(profile, insertRows);
  }

  /** Goes on with other numbers. */
  void use(DeviceProfile with, int rows) {
    profile = with;
    insertRows = rows;
    planePages = with.get("device.flash_plane_blocks") * with.get("device.flash_block_pages");
    planes =
        (int)
            (with.get("device.flash_channels")
                * with.get("device.flash_ways")
                * with.get("device.flash_dies")
                * with.get("device.flash_planes"));
  }

  IndexedStore store() {
    return store;
  }

  Tables tables() {
    return tables;
  }

  /** Runs a load. */
  Outcome run(Load load, Kind kind) throws IOException {
    programs = 0;
    int count =
        switch (load) {
          case SCAN, DELETE, JOIN -> QUERIES;
          case INSERT -> 1;
          case NEW_ORDER, PAYMENT -> TRANSACTIONS;
          default -> 1;
        };
    double ms = 0;
    Outcome sum = new Outcome(0, 0, 0, 0, 0);
    for (int query = 0; query < count; query++) {
      if (kind.isCached()) {
        store.cool();
      }
      LookUps ups = new LookUps(kind, store);
      run(load, kind, ups, new SplittableRandom(SEED + query));
      ms += ups.commands().play(profile);
      sum =
          new Outcome(
              0,
              sum.dataBytes() + ups.dataBytes(),
              sum.nodeBytes() + ups.nodeBytes(),
              sum.updateBytes() + ups.updateBytes(),
              sum.commands() + ups.commands().commands());
    }
    double each = ms / (load == Load.INSERT ? INSERTS : count);
    return new Outcome(each, sum.dataBytes, sum.nodeBytes, sum.updateBytes, sum.commands);
  }

  private void run(Load load, Kind kind, LookUps ups, SplittableRandom random) throws IOException {
    PagedTable lineitem = tables.lineitem;
    Range quarter = Tables.months(1993, 7, 3);
    Range month = Tables.months(1995, 9, 1);
    Range year = Tables.months(1994, 1, 12);
    switch (load) {
      case SCAN -> ups.ranges(lineitem, days(random, RANGES));
      case DELETE -> delete(kind, ups, days(random, RANGES));
      case JOIN -> ups.join(lineitem, days(random, RANGES), null, tables.part);
      case INSERT -> {
        for (int i = 0; i < INSERTS; i++) {
          insert(kind, ups, lineitem, random);
        }
      }
      case NEW_ORDER -> newOrder(kind, ups, random);
      case PAYMENT -> payment(kind, ups, random);
      case Q1 -> ups.ranges(lineitem, List.of(Tables.until(1998, 9, 2)));
      case Q4 -> ups.join(tables.orders, List.of(quarter), null, tables.lineitemByOrder);
      case Q6 -> ups.ranges(lineitem, List.of(year));
      case Q14 -> ups.join(lineitem, List.of(month), null, tables.part);
      case Q6_TWO_KEYS -> ups.twoKeys(lineitem, year, DISCOUNT);
      case Q14_TWO_KEYS -> ups.join(lineitem, List.of(month), DISCOUNT, tables.part);
    }
  }

  /** Days that a query of the kernels asks for: one in a hundred. */
  private static final int RANGES = 25;

  /** Returns some days on which rows were shipped. */
  private List<Range> days(SplittableRandom random, int count) {
    TreeSet<Long> days = new TreeSet<>();
    while (days.size() < count) {
      days.add(tables.lineitem.key(random.nextInt(tables.lineitem.rowCount())));
    }
    List<Range> ranges = new ArrayList<>();
    days.forEach(day -> ranges.add(new Range(day, day)));
    return ranges;
  }

  /** Counts the rows of the first scan by one plan of the engine, under its timing model. */
  IndexPlan plan() throws IOException {
    List<Range> ranges = days(new SplittableRandom(SEED), RANGES);
    return IndexPlan.run(store, tables.lineitem.keyColumn(), ranges, profile);
  }

  /** Returns how many rows the first scan has. */
  long scanned() {
    long rows = 0;
    for (Range range : days(new SplittableRandom(SEED), RANGES)) {
      rows += tables.lineitem.endRow(range.high()) - tables.lineitem.firstRow(range.low());
    }
    return rows;
  }

  private void delete(Kind kind, LookUps ups, List<Range> ranges) throws IOException {
    ups.ranges(tables.lineitem, ranges);
    BitSet pages = new BitSet();
    BitSet leaves = new BitSet();
    for (Range range : ranges) {
      pages.or(tables.lineitem.exact(range));
      leaves.or(tables.lineitem.leaves(range));
    }
    for (int page = pages.nextSetBit(0); page >= 0; page = pages.nextSetBit(page + 1)) {
      tables.lineitem.rewrite(page);
      write(kind, ups);
      updateHost(kind, ups);
    }
    for (int i = 0; i < leaves.cardinality(); i++) {
      changeLeaf(kind, ups);
    }
    ups.commands().barrier();
  }

  /** Writes a page, which the device indexes meanwhile if it can. */
  private void write(Kind kind, LookUps ups) {
    Commands commands = ups.commands();
    if (kind.isFlixr()) {
      commands.device(ModelWork.TUPLE_READ, PagedTable.ROWS).device(ModelWork.INDEX_CHECK, 1);
    }
    commands.ask(0).program(nextProgram());
  }

  /**
   * Tells the host the least key of the page just written, which a row that came or went changes.
   */
  private void updateHost(Kind kind, LookUps ups) {
    if (kind.isHs()) {
      Commands commands = ups.commands();
      commands.device(ModelWork.INDEX_CHECK, 1).ask(OffloadWire.LBA_BYTES);
      commands.host(ModelWork.TREE_NODE, 2).barrier();
      ups.updated(OffloadWire.LBA_BYTES);
    }
  }

  /** Changes a leaf of a tree and writes it. */
  private void changeLeaf(Kind kind, LookUps ups) {
    Commands commands = ups.commands();
    if (kind == Kind.DEVICE_TREE) {
      commands.device(ModelWork.TREE_NODE, 2).program(nextProgram());
    } else if (kind.isTree()) {
      commands.ask(0).host(ModelWork.TREE_NODE, 2).program(nextProgram());
    }
  }

  /** Returns the next page to program; pages go round the planes. */
  private long nextProgram() {
    int number = programs++;
    return (number % planes) * planePages + number / planes % planePages;
  }

  /** Inserts a row into a page that is in memory. */
  private void insert(Kind kind, LookUps ups, PagedTable table, SplittableRandom random) {
    Commands commands = ups.commands();
    write(kind, ups);
    updateHost(kind, ups);
    commands.host(ModelWork.TUPLE_READ, insertRows).barrier();
    if (kind.isTree()) {
      int steps = PagedTable.LEVELS - 1;
      if (kind == Kind.DEVICE_TREE) {
        commands.device(ModelWork.TREE_NODE, steps);
      } else {
        commands.host(ModelWork.TREE_NODE, steps);
      }
      ups.leaf(table, random.nextInt(table.leaves()));
      changeLeaf(kind, ups);
      commands.barrier();
    }
  }

  private void lookUp(LookUps ups, PagedTable table, SplittableRandom random) throws IOException {
    long key = table.key(random.nextInt(table.rowCount()));
    ups.ranges(table, List.of(new Range(key, key)));
  }

  /** Changes a row, but not its key: no index changes. */
  private void update(Kind kind, LookUps ups, PagedTable table, SplittableRandom random)
      throws IOException {
    lookUp(ups, table, random);
    write(kind, ups);
    ups.commands().barrier();
  }

  private void newOrder(Kind kind, LookUps ups, SplittableRandom random) throws IOException {
    lookUp(ups, tables.warehouse, random);
    lookUp(ups, tables.customer, random);
    update(kind, ups, tables.district, random);
    for (int i = 0; i < ITEMS; i++) {
      lookUp(ups, tables.item, random);
      update(kind, ups, tables.stock, random);
    }
    for (int i = 0; i < ITEMS + ORDER_ROWS; i++) {
      insert(kind, ups, tables.stock, random);
    }
  }

  private void payment(Kind kind, LookUps ups, SplittableRandom random) throws IOException {
    update(kind, ups, tables.warehouse, random);
    update(kind, ups, tables.district, random);
    update(kind, ups, tables.customer, random);
    insert(kind, ups, tables.customer, random);
  }

  /**
   * Programs pages inside the device, and builds the index entries of each while it is being
   * programmed, or does not.
   *
   * @return milliseconds
   */
  double writes(boolean indexed, int pages) throws IOException {
    programs = 0;
    Commands commands = new Commands();
    for (int i = 0; i < pages; i++) {
      if (indexed) {
        commands.device(ModelWork.TUPLE_READ, PagedTable.ROWS).device(ModelWork.INDEX_CHECK, 1);
      }
      commands.program(nextProgram());
    }
    return commands.play(profile);
  }

  @Override
  public void close() throws IOException {
    store.close();
  }
}
