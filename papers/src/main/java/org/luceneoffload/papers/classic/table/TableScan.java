/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.classic.table;

import java.util.ArrayList;
import java.util.List;
import org.luceneoffload.papers.classic.EventLog;
import org.luceneoffload.papers.classic.TableStore;
import org.luceneoffload.papers.classic.table.Query.Found;
import org.luceneoffload.wire.OffloadWire.ModelSide;

/**
 * A table, whose scans run over its pages on a simulated device and are recorded. On the device a
 * program announces its pages some way ahead and takes them one by one; on the host a read brings
 * several at once.
 *
 * @param columns of the table, at least 2
 * @param rows of the table; its last page is full in any case
 * @param layout of its pages
 */
public record TableScan(int columns, long rows, Layout layout) {
  /** Bytes of a page. */
  public static final int PAGE_BYTES = 8192;

  /** Pages that one read of the host brings: 256 KB. */
  public static final int HOST_READ_PAGES = 32;

  /**
   * A recorded scan.
   *
   * @param found its answer
   * @param log what it did; the caller closes it
   */
  public record Recorded(Found found, EventLog log) {}

  /** Returns how many rows fit into a page of either layout. */
  public static int rowsOf(int columns) {
    return TableStore.shape(new TableStore.Table(columns, 1, false)).pageRows();
  }

  /** Returns how many pages the table has. */
  public long pages() {
    return TableStore.shape(table()).pages();
  }

  /** Returns how many bytes the table has. */
  public long bytes() {
    return pages() * PAGE_BYTES;
  }

  /** Runs queries on the device, each a session of its own. */
  public List<Recorded> onDevice(TableStore store, List<Query> queries) {
    return run(store, ModelSide.DEVICE, queries);
  }

  /** Runs queries on the host. */
  public List<Recorded> onHost(TableStore store, List<Query> queries) {
    return run(store, ModelSide.HOST, queries);
  }

  /** Runs queries on a side of {@link ModelSide}. */
  public List<Recorded> run(TableStore store, int side, List<Query> queries) {
    List<TableStore.Question> questions =
        queries.stream().map(q -> new TableStore.Question(q.bound(), q.sums())).toList();
    List<Recorded> recorded = new ArrayList<>();
    for (TableStore.Answer answer : store.scan(table(), side, questions)) {
      recorded.add(new Recorded(new Found(answer.matches(), answer.sum()), answer.log()));
    }
    return recorded;
  }

  private TableStore.Table table() {
    return new TableStore.Table(columns, rows, layout == Layout.PAX);
  }
}
