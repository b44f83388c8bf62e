/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.pageindex;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.stream.Stream;
import org.luceneoffload.papers.classic.RawDevice;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.layout.IndexMatchesLayout;
import org.luceneoffload.wire.layout.PageRuleLayout;
import org.luceneoffload.wire.page.ColumnPageEncoder;

/**
 * The columns of tables on a device of the engine, in a temporary folder: for each page of a table
 * a column page with the values of its rows. The engine makes the index entry of a page as it is
 * written (FLIXR's WRITE_IDX), and READ_IDX asks for it.
 */
final class IndexedStore implements AutoCloseable {
  private static final long CAPACITY = 1L << 30;
  private static final int DWORDS = 5;
  private static final String STORE = "store";
  private static final String INDEX = STORE + ".idx";

  /**
   * A cache of two index pages, the least that the engine takes; two index pages are 1,024 LBAs.
   */
  static final long MIN_CACHE_BYTES = 1;

  /**
   * A column.
   *
   * @param lba of its first page
   * @param pages how many there are; each is in an LBA
   * @param stamp of its file
   * @param rows that have a value
   * @param min the least value
   * @param max the greatest value
   */
  record Column(long lba, int pages, long stamp, int rows, long min, long max) {}

  /** A rule that is in the device. */
  private record Rule(Column column, int number) {}

  private final Path home;
  private final long cacheBytes;
  private final ByteBuffer data =
      ByteBuffer.allocateDirect(
              IndexMatchesLayout.BYTES + OffloadWire.MAX_READ_IDX_LBAS * OffloadWire.PAGE_BYTES)
          .order(ByteOrder.LITTLE_ENDIAN);
  private RawDevice device;
  private long nextLba;
  private long stamps;

  /**
   * Makes a store.
   *
   * @param cacheBytes of the cache of the page index
   */
  IndexedStore(long cacheBytes) throws IOException {
    this.cacheBytes = cacheBytes;
    home = Files.createTempDirectory("offload-tables");
    device = open(home);
  }

  private RawDevice open(Path folder) throws IOException {
    return new RawDevice(folder.resolve(STORE), CAPACITY, cacheBytes, 0);
  }

  /**
   * Writes a column.
   *
   * @param values of the rows
   * @param rows of a page
   */
  Column write(long[] values, int rows) throws IOException {
    int pages = (values.length + rows - 1) / rows;
    LongSummaryStatistics all = Arrays.stream(values).summaryStatistics();
    Column column = new Column(nextLba, pages, ++stamps, values.length, all.getMin(), all.getMax());
    for (int page = 0; page < pages; page++) {
      rewrite(column, page, values, rows);
    }
    nextLba += pages;
    return column;
  }

  /** Writes a page of a column, which the device indexes meanwhile. */
  void rewrite(Column column, int page, long[] values, int rows) throws IOException {
    ColumnPageEncoder encoder =
        new ColumnPageEncoder(column.stamp(), page, bytes -> data.put(0, bytes));
    int end = Math.min(values.length, (page + 1) * rows);
    for (int row = page * rows; row < end; row++) {
      encoder.add(row, values[row]);
    }
    encoder.finish();
    int lba = Math.toIntExact(column.lba() + page);
    run(OffloadWire.Opcode.WRITE, data, OffloadWire.LBA_BYTES, lba, 0, 0, 0, 0);
  }

  /** Runs a command with dwords from 10 on over bytes of a buffer; the others are 0. */
  long run(int opcode, ByteBuffer buffer, int bytes, int... dwords) throws IOException {
    return device.run(opcode, Arrays.copyOf(dwords, DWORDS), buffer, bytes);
  }

  /**
   * Returns which pages of a column may hold a value of a range, by the device's index.
   *
   * @param from the first page to ask for
   * @param to the one behind the last
   */
  BitSet mayMatch(Column column, int from, int to, Range range) throws IOException {
    BitSet pages = new BitSet();
    Rule rule = putRule(column, range);
    try {
      for (int page = from; page < to; page += OffloadWire.MAX_READ_IDX_LBAS) {
        int count = Math.min(to - page, OffloadWire.MAX_READ_IDX_LBAS);
        readIndex(rule, page, count, pages);
      }
    } finally {
      run(OffloadWire.Opcode.DROP, null, 0, rule.number());
    }
    return pages;
  }

  private Rule putRule(Column column, Range range) throws IOException {
    int bytes = PageRuleLayout.BYTES;
    data.put(0, new byte[bytes]);
    PageRuleLayout.stamp(data, 0, column.stamp());
    PageRuleLayout.lo(data, 0, range.low());
    PageRuleLayout.hi(data, 0, range.high());
    PageRuleLayout.limitDoc(data, 0, OffloadWire.MAX_DOC);
    PageRuleLayout.maxNorm(data, 0, (byte) 0xFF);
    int kind = OffloadWire.Resource.RULE;
    long number = run(OffloadWire.Opcode.PUT, data, bytes, kind, bytes, 0, 0, bytes);
    return new Rule(column, (int) number);
  }

  private void readIndex(Rule rule, int page, int count, BitSet pages) throws IOException {
    int bytes = IndexMatchesLayout.BYTES + count * OffloadWire.PAGE_BYTES;
    int lba = Math.toIntExact(rule.column().lba() + page);
    run(OffloadWire.Opcode.READ_IDX, data, bytes, lba, 0, count - 1, rule.number(), page);
    if (IndexMatchesLayout.knownCount(data, 0) != count) {
      throw new IOException("the page index does not know a page that was written");
    }
    for (int i = 0; i < count; i++) {
      if ((IndexMatchesLayout.bitmap(data, 0, i / Long.SIZE) >>> i & 1) != 0) {
        pages.set(page + i);
      }
    }
  }

  /** Returns how many index pages the device has read since it was opened. */
  long indexLoads() throws IOException {
    return device.indexCounts().loads();
  }

  /** Returns how many pages were written. */
  long pages() {
    return nextLba;
  }

  /** Makes all durable. */
  void flush() throws IOException {
    run(OffloadWire.Opcode.FLUSH, null, 0);
  }

  /** Opens the device again, with nothing in its cache. */
  void cool() throws IOException {
    device.close();
    device = open(home);
  }

  /** Returns the bytes of the index pages on the store over those of all pages. */
  double indexShare() throws IOException {
    flush();
    long head = OffloadWire.PAGE_BYTES;
    long index = Files.size(home.resolve(INDEX)) - head;
    return (double) index / (nextLba * OffloadWire.PAGE_BYTES);
  }

  /**
   * Lets the power fail now: what is in the files, and in no cache, is opened as another device.
   *
   * @return entries that the new device had to rebuild
   */
  long rebuiltAfterCrash() throws IOException {
    Path copy = Files.createTempDirectory("offload-crash");
    try {
      for (String file : List.of(STORE, INDEX)) {
        Files.copy(home.resolve(file), copy.resolve(file));
      }
      try (RawDevice after = open(copy)) {
        return after.indexCounts().rebuilt();
      }
    } finally {
      delete(copy);
    }
  }

  @Override
  public void close() throws IOException {
    device.close();
    delete(home);
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
