/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.Devices;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.papers.classic.ClassicLists;
import org.luceneoffload.papers.classic.Operation;
import org.luceneoffload.papers.classic.ProductionLists;
import org.luceneoffload.wire.OffloadWire;

/**
 * Runs the programs of Lucene's queries on the lists of the classic experiments: compressed pages,
 * block maxima, pruned top-k. A simulated device in a temporary folder holds the lists.
 *
 * <p>The host's side of a result is the same program on the host over the same pages: the best that
 * this project knows for a host.
 */
public final class ProductionLab implements Lab, AutoCloseable {
  private final DeviceProfile profile;
  private final Path home;
  private final Device device;
  private Workload written;
  private ProductionLists lists;
  private long stamp;

  /** Opens a lab. */
  public ProductionLab(DeviceProfile profile) throws IOException {
    this.profile = profile;
    home = Files.createTempDirectory("offload-lab");
    try {
      device = Devices.provider("sim").openForWriting("", home);
    } catch (IOException | RuntimeException e) {
      delete();
      throw e;
    }
  }

  @Override
  public Modelled run(ClassicExperiment experiment) throws IOException {
    write(experiment.workload());
    ProductionLists.Outcome outcome =
        lists.run(profile, experiment.operation(), experiment.ranked());
    return new Modelled(outcome.device(), outcome.host(), outcome.matches());
  }

  /**
   * Counts the matches of an operation over lists in windows of docs, or ranks them.
   *
   * @param pages of all lists that a window has, about
   */
  public ProductionLists.Windows windows(
      Workload workload, Operation operation, boolean ranked, int pages) throws IOException {
    write(workload);
    long all = lists.bytes() / OffloadWire.PAGE_BYTES;
    return lists.windows(profile, operation, ranked, (int) Math.max(1, all / pages));
  }

  /** Returns how many bytes the lists of the last experiment take in posting pages. */
  public long bytes() {
    return lists.bytes();
  }

  private void write(Workload workload) throws IOException {
    if (workload.equals(written)) {
      return;
    }
    ClassicLists drawn = ClassicLists.of(ModelLab.workload(workload));
    lists =
        ProductionLists.write(
            device, drawn.docs(), drawn.freqs(), universe(drawn.docs(), workload), stamp);
    stamp += workload.lists();
    written = workload;
  }

  /**
   * Returns the bound of the documents, as the generator has it: ten million, or more for longer
   * lists.
   */
  private static int universe(List<int[]> docs, Workload workload) {
    int most = docs.stream().mapToInt(list -> list[list.length - 1] + 1).max().orElseThrow();
    return Math.max(most, Math.max(10_000_000, 4 * workload.longest()));
  }

  @Override
  public void close() throws IOException {
    try {
      device.close();
    } finally {
      delete();
    }
  }

  private void delete() throws IOException {
    try (Stream<Path> files = Files.walk(home)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
