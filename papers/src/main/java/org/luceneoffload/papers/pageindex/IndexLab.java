/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.pageindex;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.ModelReport;
import org.luceneoffload.model.ProfileException;
import org.luceneoffload.papers.classic.EventLog;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.OffloadWire.ModelSide;
import org.luceneoffload.wire.OffloadWire.ModelWork;

/** What kernels take on a host with each kind of index, played by the model. */
final class IndexLab {
  /** Queries, or batches of inserts, of an experiment. */
  static final int QUERIES = 16;

  private static final int INSERTS = 64;
  private static final int LBAS = PageTable.PAGE_BYTES / OffloadWire.LBA_BYTES;
  private static final int TREE_LBA = PageTable.PAGES * LBAS;
  private static final int INNER_LBA = TREE_LBA + PageTable.LEAVES * LBAS;
  private static final int INDEX_LBA = INNER_LBA + PageTable.LEAVES * LBAS;
  private static final int PPM = 1_000_000;
  private static final int NODES_APART = 100_000;

  /** Units of work of a node of the tree. */
  private static final int STEPS = 100;

  /** Keys of the entries that lie apart in flash: 24 bytes a page. */
  private static final int KEYS = 3;

  private static final int ENTRIES = OffloadWire.LBA_BYTES / (KEYS * RedoIndex.ENTRY_BYTES);

  /** Where the index is. */
  enum Kind {
    /** Nowhere: all pages are read. */
    NONE,
    /** A tree over the rows on the host, whose leaves are partly in its memory. */
    TREE,
    /** The same, all of it in memory. */
    IDEAL_TREE,
    /** Nothing but the pages that the tree names: no index at all, to see what it takes. */
    ORACLE,
    /** Intervals of 4,096 rows in the host's memory, as Lucene's DocValuesSkipper has them. */
    SKIPPER,
    /** In the device: FLIXR-S. */
    S,
    /** In the device, and the least keys on the host: FLIXR-HS. */
    HS,
    /** S whose entries lie apart in flash, and are partly cached. */
    S_CACHED,
    /** HS with the same cache. */
    HS_CACHED,
    /** HS with a second key, which the lower half of its values matches. */
    HS_TWO_KEYS
  }

  /**
   * Numbers that are fitted and belong to no profile.
   *
   * @param treePpm share of the tree's leaves in the host's memory
   * @param hostSteps work of a search in the host's least keys; a node of the tree has 100
   * @param insertRows work of an insert beside its index, in rows
   * @param cachePpm share of the index pages in the device's cache
   */
  record Settings(int treePpm, int hostSteps, int insertRows, int cachePpm) {}

  /**
   * What an experiment took.
   *
   * @param ms on average
   * @param dataReads data pages that came to the host
   * @param indexReads nodes that came to the host
   */
  record Outcome(double ms, long dataReads, long indexReads) {
    double indexShare() {
      return (double) indexReads / (indexReads + dataReads);
    }
  }

  private final PageTable table = new PageTable();
  private final byte[] profile;
  private final long planePages;
  private final int planes;
  private final Settings settings;
  private long dataReads;
  private long indexReads;
  private int programs;
  private int query;

  /** Index pages that the query has looked at. */
  private final Set<Integer> looked = new HashSet<>();

  IndexLab(DeviceProfile profile, Settings settings) {
    this.profile = profile.wireArray();
    this.settings = settings;
    planePages = profile.get("device.flash_plane_blocks") * profile.get("device.flash_block_pages");
    planes =
        (int)
            (profile.get("device.flash_channels")
                * profile.get("device.flash_ways")
                * profile.get("device.flash_dies")
                * profile.get("device.flash_planes"));
  }

  /** Runs queries of several ranges. */
  Outcome scan(Kind kind) throws ProfileException {
    return run(kind, false);
  }

  /** Runs the same, and writes every page with a match, and leaves, again. */
  Outcome delete(Kind kind) throws ProfileException {
    return run(kind, true);
  }

  private Outcome run(Kind kind, boolean deletes) throws ProfileException {
    dataReads = 0;
    indexReads = 0;
    programs = 0;
    double ms = 0;
    for (int i = 0; i < QUERIES; i++) {
      looked.clear();
      query = i; // what is in memory changes from query to query
      EventLog.Builder events = new EventLog.Builder();
      TreeSet<Integer> pages = new TreeSet<>();
      TreeSet<Integer> leaves = new TreeSet<>();
      List<PageTable.Range> ranges = PageTable.query(i);
      ask(kind, ranges, events);
      for (PageTable.Range range : ranges) {
        leaves.addAll(PageTable.leaves(range));
        find(kind, range, events, pages);
      }
      read(kind == Kind.NONE ? allPages() : pages, events);
      if (deletes) {
        TreeSet<Integer> changed = new TreeSet<>();
        ranges.forEach(range -> changed.addAll(table.exact(range)));
        write(kind, changed.size(), leaves.size(), events);
      }
      ms += play(events);
    }
    return new Outcome(ms / QUERIES, dataReads, indexReads);
  }

  private static TreeSet<Integer> allPages() {
    TreeSet<Integer> all = new TreeSet<>();
    for (int page = 0; page < PageTable.PAGES; page++) {
      all.add(page);
    }
    return all;
  }

  /** Has S ask for every page, in order; commands follow each other closely. */
  private void ask(Kind kind, List<PageTable.Range> ranges, EventLog.Builder events) {
    if (kind != Kind.S && kind != Kind.S_CACHED) {
      return;
    }
    events.ask(0, 0).work(ModelWork.INDEX_CHECK, PageTable.PAGES);
    if (kind == Kind.S_CACHED) {
      for (int page = 0; page < PageTable.PAGES; page += ENTRIES) {
        indexPage(page / ENTRIES, events);
      }
    }
  }

  private void indexPage(int number, EventLog.Builder events) {
    if (!kept(number + query * NODES_APART, settings.cachePpm())) {
      events.ask(INDEX_LBA + number, OffloadWire.LBA_BYTES);
    }
  }

  private void find(
      Kind kind, PageTable.Range range, EventLog.Builder events, TreeSet<Integer> pages) {
    switch (kind) {
      case NONE -> {}
      case ORACLE -> pages.addAll(table.exact(range));
      case TREE, IDEAL_TREE -> {
        TreeSet<Integer> leaves = PageTable.leaves(range);
        events.work(ModelWork.TREE_NODE, STEPS); // the root
        int inner = leaves.first() / PageTable.INNER_LEAVES;
        node(kind, inner, INNER_LBA + (long) inner * LBAS, events);
        for (int leaf : leaves) {
          node(kind, PageTable.LEAVES + leaf, TREE_LBA + (long) leaf * LBAS, events);
        }
        pages.addAll(table.exact(range));
      }
      case SKIPPER -> {
        events.work(ModelWork.TREE_NODE, settings.hostSteps());
        pages.addAll(table.skipper(range));
      }
      case S, S_CACHED -> pages.addAll(table.indexed(range));
      case HS, HS_CACHED, HS_TWO_KEYS -> {
        events.work(ModelWork.TREE_NODE, settings.hostSteps());
        TreeSet<Integer> candidates = table.candidates(range);
        if (kind == Kind.HS_CACHED) {
          candidates.stream()
              .map(page -> page / ENTRIES)
              .filter(looked::add)
              .forEach(number -> indexPage(number, events));
        }
        for (int page : candidates) {
          boolean second = kind != Kind.HS_TWO_KEYS || table.secondMayMatch(page);
          if (second && table.index().mayMatch(page, range.low(), range.high())) {
            pages.add(page);
          } else {
            events.ask(0, 0);
          }
        }
      }
    }
  }

  private void node(Kind kind, int number, long lba, EventLog.Builder events) {
    if (kind == Kind.TREE && !kept(number + query * NODES_APART, settings.treePpm())) {
      events.load(lba, PageTable.PAGE_BYTES);
      indexReads++;
    }
    events.work(ModelWork.TREE_NODE, STEPS);
  }

  private void read(Collection<Integer> pages, EventLog.Builder events) {
    for (int page : pages) {
      events.load((long) page * LBAS, PageTable.PAGE_BYTES);
      events.work(ModelWork.TUPLE_READ, PageTable.ROWS);
      dataReads++;
    }
  }

  private void write(Kind kind, int pages, int leaves, EventLog.Builder events) {
    boolean tree = kind == Kind.TREE || kind == Kind.IDEAL_TREE;
    for (int i = 0; i < pages; i++) {
      events.ask(0, 0).program(nextProgram());
    }
    for (int i = 0; tree && i < leaves; i++) {
      events.work(ModelWork.TREE_NODE, STEPS).ask(0, 0).program(nextProgram());
    }
    if (kind == Kind.HS) {
      events.ask(0, 0).work(ModelWork.TREE_NODE, settings.hostSteps());
    }
  }

  /** Returns the next page to program; pages go round the planes. */
  private long nextProgram() {
    int number = programs++;
    return (number % planes) * planePages + number / planes % planePages;
  }

  /** Inserts a row at a time, whose page is buffered and programmed; leaves are in memory. */
  Outcome insert(Kind kind) throws ProfileException {
    programs = 0;
    EventLog.Builder events = new EventLog.Builder();
    for (int i = 0; i < INSERTS; i++) {
      events.work(ModelWork.TUPLE_READ, settings.insertRows()).ask(0, 0).program(nextProgram());
      if (kind == Kind.TREE) {
        events.work(ModelWork.TREE_NODE, STEPS * PageTable.LEVELS);
        events.ask(0, 0).program(nextProgram());
      } else if (kind == Kind.HS) {
        events.ask(0, 0).work(ModelWork.TREE_NODE, settings.hostSteps());
      }
    }
    return new Outcome(play(events) / INSERTS, 0, 0);
  }

  /**
   * Programs pages inside the device, and builds the index entries of each while it is being
   * programmed, or does not.
   *
   * @return pages a second
   */
  double writes(boolean indexed, int pages) throws ProfileException {
    programs = 0;
    EventLog.Builder events = new EventLog.Builder();
    for (int i = 0; i < pages; i++) {
      events.program(nextProgram());
      if (indexed) {
        events.work(ModelWork.TUPLE_READ, PageTable.ROWS).work(ModelWork.INDEX_CHECK, 1);
      }
    }
    try (EventLog log = events.end(0, true)) {
      ModelReport report = ModelReport.read(log.play(profile, ModelSide.DEVICE));
      return 1e12 * pages / report.elapsedPs();
    }
  }

  private double play(EventLog.Builder events) throws ProfileException {
    try (EventLog log = events.end(0, true)) {
      return ModelReport.read(log.play(profile, ModelSide.HOST)).elapsedMs();
    }
  }

  /** Returns whether a node is in memory, where a share of the nodes is, spread evenly. */
  private static boolean kept(int number, int ppm) {
    long mixed = (number + 1) * 0x9E3779B97F4A7C15L;
    mixed = (mixed ^ (mixed >>> 32)) * 0xBF58476D1CE4E5B9L;
    return ((mixed >>> 33) % PPM) < ppm;
  }
}
