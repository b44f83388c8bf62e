/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher.split;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Function;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.FSDirectory;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.config.Placement;
import org.luceneoffload.device.Device;
import org.luceneoffload.nvme.tcp.CsdDeviceProvider;
import org.luceneoffload.nvme.tcp.CsdTarget;
import org.luceneoffload.searcher.SearcherTestCase;
import org.luceneoffload.searcher.Words;

/**
 * A storage node that shares plans with the host, and an index of two segments, one of which has
 * deleted docs.
 *
 * @param home of the node's store and the index
 * @param docs of the larger segment
 */
record SharingNode(Path home, Words words, int docs) {
  private static final OffloadOptions PATIENT =
      OffloadOptions.DEFAULT.withDeviceTimeout(Duration.ofMinutes(1));

  /** What is asked of a node. */
  @FunctionalInterface
  interface Asking<D extends Device> {
    void of(CsdTarget node, D device, OffloadDirectory directory, OffloadIndexSearcher ours)
        throws Exception;
  }

  /**
   * Starts a node, makes the index, for which the drive may take its time, and asks.
   *
   * @param rawPercent windows that the node refuses, at random
   * @param options of the device, each after a comma
   * @param wrap what the index sees of the device
   */
  <D extends Device> void ask(
      int rawPercent,
      String options,
      Function<Device, D> wrap,
      Placement placement,
      Asking<D> asking)
      throws Exception {
    String raw = Integer.toString(rawPercent);
    try (CsdTarget node =
        new CsdTarget(home, "--capacity", "256M", "--dram", "32M", "--raw-percent", raw)) {
      String name = node.node() + ",claim=empty";
      try (Device patient = new CsdDeviceProvider().openForWriting(name + ",timeout=60000", home);
          OffloadDirectory directory =
              OffloadDirectory.wrap(FSDirectory.open(home.resolve("index")), patient, PATIENT)) {
        index(directory);
      }
      D device = wrap.apply(new CsdDeviceProvider().openForWriting(name + options, home));
      try (OffloadDirectory directory =
              OffloadDirectory.wrap(FSDirectory.open(home.resolve("index")), device);
          DirectoryReader reader = DirectoryReader.open(directory)) {
        asking.of(node, device, directory, SplitAnswers.searcher(reader, placement));
      }
    }
  }

  private void index(OffloadDirectory directory) throws IOException {
    try (IndexWriter writer = new IndexWriter(directory, SearcherTestCase.config())) {
      words.add(writer, docs);
      words.delete(writer, docs / 20);
      writer.flush();
      words.add(writer, docs / 3);
    }
  }
}
