/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.existing;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.maintain.IndexImport;
import org.luceneoffload.maintain.MaintenanceProgress;
import org.luceneoffload.nvme.tcp.CsdTarget;

/**
 * Writes the indexes that a release leaves for the tests of those that follow: packed files {@code
 * release-VERSION-written.zip}, {@code -imported.zip} and {@code -node.zip}. {@code
 * build-tools/release/indexes.sh} runs it.
 */
final class ReleasedIndexes {
  private static final int DOCUMENTS = 200;
  private static final String DEVICE = ExistingIndexTestCase.DEVICE;
  private static final OffloadOptions STRICT = OffloadOptions.DEFAULT.withStrict(true);

  private ReleasedIndexes() {}

  /** Writes the indexes of a version, {@code args[0]}, into a folder, {@code args[1]}. */
  public static void main(String[] args) throws IOException {
    Path folder = Path.of(args[1]);
    Path written = Files.createTempDirectory("released");
    try (Directory directory = OffloadDirectory.open(written, DEVICE, STRICT)) {
      write(directory, new OffloadCodec());
    }
    pack(written, folder.resolve("release-" + args[0] + "-written.zip"));

    Path imported = Files.createTempDirectory("released");
    try (Directory directory = FSDirectory.open(imported)) {
      write(directory, new Lucene104Codec());
    }
    try (OffloadDirectory directory = OffloadDirectory.open(imported, DEVICE, STRICT)) {
      IndexImport.run(directory, MaintenanceProgress.NONE);
    }
    pack(imported, folder.resolve("release-" + args[0] + "-imported.zip"));

    Path store = Files.createTempDirectory("released");
    try (CsdTarget node = node(store);
        Directory directory = openOn(node)) {
      write(directory, new OffloadCodec());
    }
    pack(store, folder.resolve("release-" + args[0] + "-node.zip"));
  }

  /** Starts a storage node over a store in a folder. */
  static CsdTarget node(Path folder) throws IOException {
    return new CsdTarget(folder, "--capacity", "16M", "--dram", "32M");
  }

  /** Opens the index that is on a node. */
  static OffloadDirectory openOn(CsdTarget node) throws IOException {
    return OffloadDirectory.open(
        "csd:" + node.node() + "/released,claim=empty,timeout=60000", STRICT);
  }

  /** Writes two segments with deletes, the second one packed. */
  private static void write(Directory directory, Codec codec) throws IOException {
    Random random = new Random(100);
    for (boolean compound : new boolean[] {false, true}) {
      StockIndex stock =
          new StockIndex(
              random, new StockIndex.Shape(1, DOCUMENTS, false, compound, false, false, true));
      try (IndexWriter writer = new IndexWriter(directory, stock.config(codec))) {
        stock.add(writer);
      }
    }
  }

  private static void pack(Path folder, Path zip) throws IOException {
    try (OutputStream file = Files.newOutputStream(zip);
        ZipOutputStream out = new ZipOutputStream(file);
        var paths = Files.list(folder)) {
      out.setLevel(Deflater.BEST_COMPRESSION);
      for (Path path : paths.sorted().toList()) {
        String name = path.getFileName().toString();
        if (name.equals("write.lock") || name.endsWith(".log")) {
          continue;
        }
        out.putNextEntry(new ZipEntry(name));
        Files.copy(path, out);
        out.closeEntry();
      }
    }
  }
}
