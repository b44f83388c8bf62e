/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.tasks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.luceneoffload.model.ModelNames;
import org.luceneoffload.model.ModelReport;
import org.luceneoffload.papers.classic.Operation;
import org.luceneoffload.papers.lab.ProductionLab;
import org.luceneoffload.papers.study.Table;
import org.luceneoffload.papers.tasks.TaskLab.Outcome;
import org.luceneoffload.papers.tasks.TaskLab.Workload;
import org.luceneoffload.papers.tasks.TaskPage.Work;
import org.luceneoffload.wire.OffloadWire;

/**
 * Windows of docs over posting lists and over columns, beside the paper's pages: the production
 * engine runs each window of a plan and counts what it does; a window with its pages is then a task
 * of the model.
 */
final class ListWindows {
  /** Pages of all lists, or columns, that a window has, about. */
  private static final int[] PAGES = {4, 16, 64};

  /** Two lists of many pages, which have a tenth of their docs in common. */
  static final org.luceneoffload.papers.lab.Workload LISTS =
      new org.luceneoffload.papers.lab.Workload(2, 400_000, 1, 100_000, List.of(), false, 2017);

  private final TaskRuns runs;

  ListWindows(TaskRuns runs) {
    this.runs = runs;
  }

  /** Runs the windows over posting lists, and plays them. */
  Table lists() throws IOException {
    Table table =
        table(
            "Windows of posting lists",
            "A plan over several posting lists has no page that could be done alone: its task is a"
                + " window of docs, with the pages of 4 KB that all its lists have there, as if"
                + " they lay together. There are two lists of "
                + LISTS.longest()
                + " postings; of the union, each window finds the ten best.");
    try (ProductionLab lists = new ProductionLab(runs.profile())) {
      for (int pages : PAGES) {
        row(
            table,
            "counted intersection",
            pages,
            lists.windows(LISTS, Operation.INTERSECTION, false, pages).reports());
      }
      for (int pages : PAGES) {
        row(
            table,
            "ranked union",
            pages,
            lists.windows(LISTS, Operation.UNION, true, pages).reports());
      }
    }
    return table;
  }

  /** Runs the queries in windows over columns, and plays them. */
  Table columns(ColumnTable columns) throws IOException {
    Table table =
        table(
            "Windows of columns",
            "The same queries over the same table, as the product has it: columns of a Lucene"
                + " index, values packed in pages of 4 KB, of which a query reads those that it"
                + " names; filters and sums are plans. A task is a window of docs. Products of"
                + " columns, the two flags as one number, and the revenue of promoted parts are"
                + " columns made when the table is indexed. The sums are those over rows.");
    for (TpchQuery query : TpchQuery.values()) {
      double loads = 0;
      for (ModelReport report :
          columns.windows(runs.profile(), query, Integer.MAX_VALUE).reports()) {
        loads += report.pageLoads();
      }
      for (int pages : PAGES) {
        int docs = (int) Math.max(1, columns.rows() * pages / loads);
        ColumnTable.Windows windows = columns.windows(runs.profile(), query, docs);
        row(table, query.name(), pages, windows.reports());
      }
    }
    return table;
  }

  private static Table table(String title, String note) {
    return Table.of(
            title,
            note
                + " What the engine does in a window is what it counts itself, at costs that are"
                + " estimates. Gains are over the host alone. Not in the paper.")
        .text("workload")
        .number("pages a window", "")
        .number("windows", "")
        .number("r", "x")
        .number("s r", "x")
        .number("gain", "%")
        .number("windows on the device", "%");
  }

  private void row(Table table, String name, int pages, List<ModelReport> reports)
      throws IOException {
    Workload workload = workload(name + " " + pages + " of " + table.title(), reports);
    Outcome host = runs.host(workload);
    double product = runs.device(workload).ms() / host.deviceMs();
    double loads = reports.stream().mapToLong(ModelReport::pageLoads).sum();
    table.row(
        name,
        loads / workload.pages().size(),
        workload.pages().size(),
        host.hostMs() / host.deviceMs(),
        product,
        runs.gain(workload),
        100 * runs.dynamic(workload).onDevice());
  }

  /**
   * Makes a workload of windows. One that loads no page is left out: the index has shown that
   * nothing matches there.
   */
  static Workload workload(String name, List<ModelReport> reports) {
    List<TaskPage> tasks = new ArrayList<>();
    for (ModelReport report : reports) {
      if (report.pageLoads() == 0) {
        continue;
      }
      Map<Integer, Long> counted = new HashMap<>();
      report
          .work()
          .forEach(
              (kind, units) -> {
                if (units > 0) {
                  counted.put(ModelNames.WORK.indexOf(kind), units);
                }
              });
      Work work = new Work(0, 0, 0, Map.copyOf(counted));
      int bytes = Math.toIntExact(report.pageLoads() * OffloadWire.PAGE_BYTES);
      tasks.add(new TaskPage(work, work, Work.NONE, 0, bytes));
    }
    return new Workload(name, tasks);
  }
}
