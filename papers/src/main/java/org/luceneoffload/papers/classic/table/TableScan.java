/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.classic.table;

import java.util.ArrayList;
import java.util.List;
import org.luceneoffload.papers.classic.EventLog;
import org.luceneoffload.papers.classic.table.Query.Found;
import org.luceneoffload.wire.OffloadWire;

/**
 * Scans of a table, run over its pages and recorded. On the device a program announces its pages
 * some way ahead and takes them one by one; on the host a read brings several at once.
 *
 * @param columns of the table, at least 2
 * @param rows of the table; its last page is full in any case
 * @param layout of its pages
 */
public record TableScan(int columns, long rows, Layout layout) {
  /** Pages that one read of the host brings: 256 KB. */
  public static final int HOST_READ_PAGES = 32;

  /** Pages that a program announces before it takes them. */
  private static final int ANNOUNCED = 64;

  /** Reads that the host announces before it takes them. */
  private static final int HOST_ANNOUNCED = 4;

  /** Results that the device collects before it hands them to the host. */
  private static final int RESULT_BUFFER = 1 << 20;

  private static final int RESULT_BYTES = Integer.BYTES;
  private static final int SUM_BYTES = Long.BYTES;
  private static final int LBAS_A_PAGE = TablePage.BYTES / OffloadWire.LBA_BYTES;

  /** Bytes of the program's parameters: the table's schema, the bound, the kind of result. */
  private static final int OPEN_BYTES = 64;

  /**
   * A recorded scan.
   *
   * @param found its answer
   * @param log what it did; the caller closes it
   */
  public record Recorded(Found found, EventLog log) {}

  /** Returns how many pages the table has. */
  public long pages() {
    int each = TablePage.rowsOf(columns);
    return (rows + each - 1) / each;
  }

  /** Returns how many bytes the table has. */
  public long bytes() {
    return pages() * TablePage.BYTES;
  }

  /** Runs queries on the device, each a session of its own. */
  public List<Recorded> onDevice(List<Query> queries) {
    return run(queries, 1, ANNOUNCED, true);
  }

  /** Runs queries on the host. */
  public List<Recorded> onHost(List<Query> queries) {
    return run(queries, HOST_READ_PAGES, HOST_ANNOUNCED, false);
  }

  private List<Recorded> run(List<Query> queries, int pagesARead, int announced, boolean device) {
    TablePage page = new TablePage(columns, layout);
    List<Running> running = new ArrayList<>();
    queries.forEach(query -> running.add(new Running(query)));
    long pages = pages();
    long reads = (pages + pagesARead - 1) / pagesARead;
    for (long read = 0; read < Math.min(announced, reads); read++) {
      announce(running, read, pagesARead, pages);
    }
    for (long number = 0; number < pages; number++) {
      if (number % pagesARead == 0) {
        long read = number / pagesARead;
        if (read > 0 && read + announced - 1 < reads) {
          announce(running, read + announced - 1, pagesARead, pages);
        }
        int bytes = bytesOf(read, pagesARead, pages);
        running.forEach(r -> r.events.load(read * pagesARead * LBAS_A_PAGE, bytes));
      }
      page.fill(number * page.rows());
      running.forEach(r -> r.take(page, device));
    }
    return running.stream().map(r -> r.end(device)).toList();
  }

  private static int bytesOf(long read, int pagesARead, long pages) {
    return (int) Math.min(pagesARead, pages - read * pagesARead) * TablePage.BYTES;
  }

  private static void announce(List<Running> running, long read, int pagesARead, long pages) {
    int bytes = bytesOf(read, pagesARead, pages);
    running.forEach(r -> r.events.readAhead(read * pagesARead * LBAS_A_PAGE, bytes));
  }

  /** A query under way. */
  private final class Running {
    private final Query query;
    private final EventLog.Builder events = new EventLog.Builder();
    private long matches;
    private long sum;
    private long unsent;

    Running(Query query) {
      this.query = query;
    }

    void take(TablePage page, boolean device) {
      Found found = query.scan(page);
      boolean rowByRow = layout == Layout.NSM;
      matches += found.matches();
      sum += found.sum();
      events
          .work(OffloadWire.ModelWork.PAGE_OPEN, 1)
          .work(
              rowByRow ? OffloadWire.ModelWork.TUPLE_READ : OffloadWire.ModelWork.COLUMN_READ,
              page.rows())
          .work(OffloadWire.ModelWork.COLUMN_READ, found.matches());
      if (query.sums()) {
        return;
      }
      events.work(OffloadWire.ModelWork.RESULT_WRITE, found.matches());
      unsent += found.matches() * RESULT_BYTES;
      if (device && unsent >= RESULT_BUFFER) {
        events.send(unsent);
        unsent = 0;
      }
    }

    Recorded end(boolean device) {
      long left = query.sums() ? SUM_BYTES : unsent;
      if (device && left > 0) {
        events.send(left);
      }
      return new Recorded(new Found(matches, sum), events.end(OPEN_BYTES, false));
    }
  }
}
