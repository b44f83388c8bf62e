/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.search;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.ModelReport;
import org.luceneoffload.papers.classic.ClassicModel;
import org.luceneoffload.papers.classic.Operation;
import org.luceneoffload.papers.lab.ClassicExperiment;
import org.luceneoffload.papers.lab.ModelLab;
import org.luceneoffload.papers.lab.Workload;
import org.luceneoffload.papers.study.Plot;
import org.luceneoffload.papers.study.Plot.Axis;
import org.luceneoffload.papers.study.Plot.Mark;
import org.luceneoffload.papers.study.Table;
import org.luceneoffload.wire.OffloadWire.ModelSide;

/**
 * Lists that do not fit into device memory (section 4.1): the shortest list stays and the others
 * pass (solution 1), or it stays chunk by chunk (solution 2). With the paper's program, which loads
 * one page after the other, and what reading ahead and a DMA engine would change.
 */
final class MemoryStudy {
  private static final int[] MEMORY_MB = {1, 2, 4, 8, 16, 32, 64};
  private static final int SHORT = 4 * Workload.MB;
  private static final int LONG = 16 * Workload.MB;
  private static final int RATIO_PPM = 10_000;
  private static final int READ_AHEAD = 32;
  private static final int PAGE_ENTRIES = 256;
  private static final String WHY = "an experiment";

  /** A run: pages loaded, and ms on the device as it is, reading ahead, with DMA; on the host. */
  private record Row(
      Operation operation, int mb, String use, long pages, double[] deviceMs, double hostMs) {}

  private final List<Row> rows = new ArrayList<>();

  /** Runs every operation on lists of 4 MB and 16 MB in every memory. */
  static MemoryStudy run(DeviceProfile profile) throws IOException {
    MemoryStudy study = new MemoryStudy();
    DeviceProfile ahead = profile.with("device.program_read_ahead", READ_AHEAD, WHY);
    // A copy reads a page and writes it.
    DeviceProfile dma =
        ahead.with("device.copy_bytes_per_s", profile.get("device.dram_bytes_per_s") / 2, WHY);
    byte[][] profiles = {profile.wireArray(), ahead.wireArray(), dma.wireArray()};
    Workload lists = new Workload(2, LONG, 1, RATIO_PPM, List.of(SHORT, LONG), false, 1);
    for (Operation operation : Operation.values()) {
      ClassicExperiment experiment = new ClassicExperiment(operation, false, lists);
      for (int mb : MEMORY_MB) {
        try (ClassicModel model = ModelLab.record(experiment, (long) mb << 20)) {
          study.add(experiment, mb, model, profiles);
        }
      }
    }
    return study;
  }

  private void add(ClassicExperiment experiment, int mb, ClassicModel model, byte[][] profiles)
      throws IOException {
    double[] ms = new double[profiles.length];
    for (int i = 0; i < ms.length; i++) {
      ms[i] = ModelReport.read(model.play(profiles[i], ModelSide.DEVICE)).elapsedMs();
    }
    double host = ModelReport.read(model.play(profiles[0], ModelSide.HOST)).elapsedMs();
    long pages = model.deviceCounts().pagesLoaded();
    Operation operation = experiment.operation();
    rows.add(new Row(operation, mb, use(operation, mb, pages), pages, ms, host));
  }

  /** Says how the program used its memory. */
  private static String use(Operation operation, int mb, long pages) {
    long once = (SHORT + LONG) / PAGE_ENTRIES;
    if (pages > once) {
      return "solution 2: chunks";
    }
    long results = operation == Operation.UNION ? SHORT + LONG : SHORT;
    long whole = once + results / (2 * PAGE_ENTRIES);
    return (long) mb << 20 >= whole * 8192 ? "all in memory" : "solution 1: streamed";
  }

  /** Returns the table of all runs. */
  Table table() {
    Table table =
        Table.of(
                "Lists and device memory",
                "Lists of 4 MB and 16 MB. Solution 1 of section 4.1 needs twice the short list,"
                    + " solution 2 takes the long one again for each chunk, up to its last"
                    + " document; a union streams both. Read ahead: "
                    + READ_AHEAD
                    + " pages; DMA: pages are copied beside the program, at half the bandwidth of"
                    + " the DRAM. The host has all lists in its memory.")
            .text("operation")
            .number("memory", "MB")
            .text("use")
            .number("pages loaded", "")
            .number("Smart SSD", "ms")
            .number("with read-ahead", "ms")
            .number("with read-ahead and DMA", "ms")
            .number("regular SSD", "ms")
            .number("gain", "x")
            .number("gain with both", "x");
    for (Row row : rows) {
      table.row(
          row.operation().text(),
          row.mb(),
          row.use(),
          row.pages(),
          row.deviceMs()[0],
          row.deviceMs()[1],
          row.deviceMs()[2],
          row.hostMs(),
          row.hostMs() / row.deviceMs()[0],
          row.hostMs() / row.deviceMs()[2]);
    }
    return table;
  }

  /** Returns the plot of the intersection. */
  Plot plot() {
    Plot plot =
        Plot.of(
            "Intersection of lists of 4 MB and 16 MB by device memory",
            "Below 8 MB chunk by chunk, below 22 MB streamed. Not in the paper.",
            new Axis("device memory", "MB", true),
            new Axis("time", "ms", false));
    String[] names = {"Smart SSD", "with read-ahead", "with read-ahead and DMA", "regular SSD"};
    for (int i = 0; i < names.length; i++) {
      List<Double> x = new ArrayList<>();
      List<Double> y = new ArrayList<>();
      for (Row row : rows) {
        if (row.operation() == Operation.INTERSECTION) {
          x.add((double) row.mb());
          y.add(i < row.deviceMs().length ? row.deviceMs()[i] : row.hostMs());
        }
      }
      plot.add(new Plot.Series(names[i], Mark.LINE, false, x, y));
    }
    return plot;
  }
}
