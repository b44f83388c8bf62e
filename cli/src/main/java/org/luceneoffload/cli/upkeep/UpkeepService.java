/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.upkeep;

import java.io.IOException;
import java.util.Locale;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.cli.command.Failure;
import org.luceneoffload.cli.options.DeviceNames;
import org.luceneoffload.cli.options.IndexAndDevice;
import org.luceneoffload.cli.options.IndexOnNode;
import org.luceneoffload.cli.options.IndexOptions;
import org.luceneoffload.cli.output.Figures;
import org.luceneoffload.cli.output.Terminal;
import org.luceneoffload.maintain.IndexDetach;
import org.luceneoffload.maintain.IndexImport;
import org.luceneoffload.maintain.IndexRepair;
import org.luceneoffload.maintain.MaintenanceProgress;
import org.luceneoffload.maintain.MaintenanceReport;

/** Imports, repairs and detaches device lists and columns. */
final class UpkeepService {
  /** An import or a repair. */
  @FunctionalInterface
  private interface Work {
    MaintenanceReport run(OffloadDirectory directory, MaintenanceProgress progress)
        throws IOException;
  }

  private UpkeepService() {}

  /** Imports the lists of an index. */
  static UpkeepReport importLists(IndexAndDevice options, Terminal terminal) throws IOException {
    return run(options, terminal, IndexImport::run);
  }

  /** Repairs. */
  static UpkeepReport repair(IndexAndDevice options, Terminal terminal) throws IOException {
    return run(options, terminal, IndexRepair::run);
  }

  private static UpkeepReport run(IndexAndDevice options, Terminal terminal, Work work)
      throws IOException {
    try (OffloadDirectory directory = open(options)) {
      MaintenanceReport done =
          work.run(
              directory,
              (segment, postings, of) ->
                  terminal.show(
                      String.format(Locale.ROOT, "%s: %,d of %,d postings", segment, postings, of),
                      (double) postings / Math.max(1, of)));
      return new UpkeepReport(
          options.index(),
          options.device(),
          done.leftOut().isEmpty(),
          done.segments(),
          done.segmentsPresent(),
          done.segmentsWritten(),
          done.lists(),
          done.postings(),
          done.pages(),
          done.bytes(),
          done.hashes(),
          done.columns(),
          Figures.round(done.seconds()),
          Figures.round(done.postings() / done.seconds()),
          done.leftOut());
    } catch (IllegalArgumentException e) {
      throw unknownFormat(options, e);
    } finally {
      terminal.clear();
    }
  }

  /** Detaches an index. */
  static DetachedReport detach(IndexAndDevice options, IndexDetach.Codec codec) throws IOException {
    if (IndexOnNode.isOne(options.index())) {
      throw Failure.usage(
          options.index()
              + " has its lists where its other files are; there is nothing to detach them from");
    }
    boolean hadStore = DeviceNames.hasStore(options.device(), options.index());
    open(options).close(); // says in its own words what is wrong
    IndexDetach.Report done = IndexDetach.run(options.index(), options.device(), codec);
    return new DetachedReport(
        options.index(),
        options.device(),
        done.leftOut().isEmpty(),
        done.images(),
        done.columnImages(),
        done.bytes(),
        done.segmentsRewritten(),
        done.storeRemoved() && hadStore, // or else opening it has made it
        Figures.round(done.seconds()),
        done.leftOut());
  }

  /** Opens an index with a device that can be written. */
  private static OffloadDirectory open(IndexAndDevice options) throws IOException {
    String device = options.device();
    if (DeviceNames.isHost(device)) {
      throw Failure.usage("device " + device + " holds no posting lists; name another one");
    }
    OffloadDirectory directory = IndexOptions.open(options.index(), device, true);
    String reason = directory.whyNoImages();
    if (reason != null) {
      directory.close();
      throw Failure.of("device " + device + " cannot be written: " + reason);
    }
    return directory;
  }

  /**
   * Returns the exception for an unknown format. Lucene finds formats by their names, and has no
   * exception of its own for one it lacks.
   */
  private static RuntimeException unknownFormat(
      IndexAndDevice options, IllegalArgumentException e) {
    return e.getMessage() != null && e.getMessage().contains("SPI class")
        ? Failure.of(options.index() + " cannot be read here: " + e.getMessage(), e)
        : e;
  }
}
