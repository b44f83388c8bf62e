/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.tasks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.ModelNames;
import org.luceneoffload.model.ModelReport;
import org.luceneoffload.papers.classic.Operation;
import org.luceneoffload.papers.classic.ProductionLists;
import org.luceneoffload.papers.lab.ProductionLab;
import org.luceneoffload.papers.study.Table;
import org.luceneoffload.papers.tasks.TaskLab.Mode;
import org.luceneoffload.papers.tasks.TaskLab.Outcome;
import org.luceneoffload.papers.tasks.TaskLab.Workload;
import org.luceneoffload.papers.tasks.TaskPage.Work;
import org.luceneoffload.wire.OffloadWire;

/**
 * Windows of docs over posting lists, beside the paper's pages: the engine runs each window of a
 * plan and counts what it does; a window with its pages is then a task of the model.
 */
final class ListWindows {
  /** Pages of all lists that a window has, about. */
  private static final int[] PAGES = {4, 16, 64};

  /** Two lists of many pages, which have a tenth of their docs in common. */
  static final org.luceneoffload.papers.lab.Workload LISTS =
      new org.luceneoffload.papers.lab.Workload(2, 400_000, 1, 100_000, List.of(), false, 2017);

  private final DeviceProfile profile;
  private final TaskLab lab;

  ListWindows(DeviceProfile profile, TaskLab lab) {
    this.profile = profile;
    this.lab = lab;
  }

  /** Runs the windows, and plays them. */
  Table section() throws IOException {
    List<List<String>> rows = new ArrayList<>();
    try (ProductionLab lists = new ProductionLab(profile)) {
      for (int pages : PAGES) {
        Operation operation = Operation.INTERSECTION;
        rows.add(row("counted intersection", pages, lists.windows(LISTS, operation, false, pages)));
      }
      for (int pages : PAGES) {
        Operation operation = Operation.UNION;
        rows.add(row("ranked union", pages, lists.windows(LISTS, operation, true, pages)));
      }
    }
    return Table.ofText(
        "Windows of posting lists",
        "A plan over several posting lists has no page that could be done alone: its task is a"
            + " window of docs, with the pages of 4 KB that all its lists have there, as if they"
            + " lay together. There are two lists of "
            + LISTS.longest()
            + " postings; of the union, each window finds the ten best. What the engine does in a"
            + " window is what it counts itself, at costs that are estimates. Gains are over the"
            + " host alone. Not in the paper.",
        List.of(
            "workload",
            ">pages a window",
            ">windows",
            ">r",
            ">s r",
            ">gain",
            ">windows on the device"),
        rows);
  }

  private List<String> row(String name, int pages, ProductionLists.Windows windows)
      throws IOException {
    Workload workload = workload(name + " " + pages, windows.reports());
    Outcome host = lab.steady(profile, workload, Mode.HOST);
    Outcome device = lab.steady(profile, workload, Mode.DEVICE);
    Outcome dynamic = lab.steady(profile, workload, Mode.DYNAMIC);
    double product = device.ms() / host.deviceMs();
    double loads = windows.reports().stream().mapToLong(ModelReport::pageLoads).sum();
    return List.of(
        name,
        TaskTables.number(loads / windows.reports().size()),
        windows.reports().size() + "",
        TaskTables.number(host.hostMs() / host.deviceMs()),
        TaskTables.number(product),
        TaskTables.pct(dynamic.gainPct(host)),
        TaskTables.pct(100 * dynamic.onDevice()));
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
