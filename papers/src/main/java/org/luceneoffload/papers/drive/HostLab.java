/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.drive;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.index.DirectoryReader;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.cli.bench.machine.PageCache;
import org.luceneoffload.cli.model.ModelMeter;
import org.luceneoffload.cli.model.ModelOptions;
import org.luceneoffload.cli.output.Progress;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.config.Placement;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.ModelNames;
import org.luceneoffload.model.ModelReport;
import org.luceneoffload.workload.BenchSides;
import org.luceneoffload.workload.BenchTask;

/** Runs queries on the engine of this process: counts their work, and times them warm and cold. */
final class HostLab {
  /** The simulator, reading its pages past the system's cache. */
  static final String DEVICE = "sim:direct=true";

  private static final OffloadOptions OPTIONS =
      OffloadOptions.DEFAULT.withStrict(true).withPlacement(Placement.ALWAYS);

  private final Path folder;
  private final String device;
  private final Progress progress;

  /**
   * What a query did.
   *
   * @param units of work, by the kinds of the model
   * @param pages that it loaded
   */
  record Work(double[] units, long pages) {}

  /**
   * Prepares runs over an index.
   *
   * @param folder of the index
   * @param device that has its posting lists
   */
  HostLab(Path folder, String device, Progress progress) {
    this.folder = folder;
    this.device = device;
    this.progress = progress;
  }

  /** Returns a lab over the same index, whose drive gives so many bytes a second at most. */
  HostLab withDrive(long bytesPerS) {
    return new HostLab(folder, device + ",rate=" + bytesPerS, progress);
  }

  /** Returns a lab over the same index, whose device has cores so many times slower. */
  HostLab withSlowerCores(int times) {
    return new HostLab(folder, device + ",slow=" + times, progress);
  }

  private interface Use<T> {
    T with(OffloadDirectory directory, BenchSides sides) throws IOException;
  }

  private <T> T open(Use<T> use) throws IOException {
    try (OffloadDirectory directory = OffloadDirectory.open(folder, device, OPTIONS);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      return use.with(directory, new BenchSides(reader).placed(Placement.ALWAYS));
    }
  }

  private static BenchTask task(LabIndex.Task task) {
    return BenchTask.of(task.query());
  }

  /** Counts what each query does, by the recorder of the model. */
  List<Work> count(List<LabIndex.Task> tasks, DeviceProfile any) throws IOException {
    progress.tell("counting the work of " + tasks.size() + " queries");
    return open(
        (directory, sides) -> {
          List<Work> counted = new ArrayList<>();
          try (ModelMeter meter = ModelOptions.start(directory, any, 0)) {
            for (LabIndex.Task task : tasks) {
              sides.run(task.kind(), task(task), false);
              counted.add(sum(meter.take()));
            }
          }
          return counted;
        });
  }

  private static Work sum(List<ModelMeter.ModelledProgram> programs) {
    double[] units = new double[ModelNames.WORK.size()];
    long pages = 0;
    for (ModelMeter.ModelledProgram program : programs) {
      ModelReport report = program.onHost();
      for (int i = 0; i < units.length; i++) {
        units[i] += report.work().get(ModelNames.WORK.get(i));
      }
      pages += report.pageLoads();
    }
    return new Work(units, pages);
  }

  /**
   * Times queries whose pages are all in memory.
   *
   * @param rounds runs of each; the best counts
   * @return microseconds of each
   */
  double[] warm(List<LabIndex.Task> tasks, int rounds) throws IOException {
    return open(
        (directory, sides) -> {
          double[] best = new double[tasks.size()];
          Arrays.fill(best, Double.MAX_VALUE);
          for (int round = 0; round < rounds; round++) {
            progress.tell("queries in memory, a round", round, rounds);
            for (int i = 0; i < best.length; i++) {
              LabIndex.Task task = tasks.get(i);
              best[i] = Math.min(best[i], sides.time(task.kind(), task(task), false));
            }
          }
          return best;
        });
  }

  /**
   * Times queries that find nothing in memory: before each, the index is opened anew and the
   * system's cache emptied of its files, as {@code bench --cold} does it.
   *
   * @return microseconds of each
   */
  double[] cold(List<LabIndex.Task> tasks) throws IOException {
    double[] micros = new double[tasks.size()];
    try (PageCache cache = PageCache.of(folder)) {
      cache.sync();
      for (int i = 0; i < micros.length; i++) {
        progress.tell("cold queries", i, micros.length);
        LabIndex.Task task = tasks.get(i);
        micros[i] =
            open(
                (directory, sides) -> {
                  cache.drop();
                  return sides.time(task.kind(), task(task), false);
                });
      }
    }
    return micros;
  }
}
