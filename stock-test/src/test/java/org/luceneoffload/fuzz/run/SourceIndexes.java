/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.apache.lucene.index.CodecReader;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.device.Devices;
import org.luceneoffload.fuzz.base.FileTrees;
import org.luceneoffload.fuzz.base.Seeds;
import org.luceneoffload.fuzz.device.WatchedDeviceProvider;
import org.luceneoffload.fuzz.generate.Action;
import org.luceneoffload.fuzz.generate.DocumentGenerator;
import org.luceneoffload.fuzz.generate.Recipe;
import org.luceneoffload.fuzz.generate.Schema;

/**
 * Small indexes to be added to one under test: written by stock Lucene, by us without a device, on
 * a device of their own, or on the target's.
 */
public final class SourceIndexes {
  /** Who writes a source. */
  private enum Kind {
    STOCK,
    WITHOUT_DEVICE,
    OWN_DEVICE,
    /** On the device of the index that they are added to: images need not be copied. */
    SAME_DEVICE
  }

  private SourceIndexes() {}

  public static void addDirectories(FuzzIndex index, Action action, boolean offload)
      throws IOException {
    Random random = new Random(action.seed());
    List<Directory> sources = new ArrayList<>();
    try {
      int count = 1 + random.nextInt(2);
      for (int i = 0; i < count; i++) {
        Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
        sources.add(write(index, action, i, offload ? kind : Kind.STOCK));
      }
      index.writer().addIndexes(sources.toArray(Directory[]::new));
    } finally {
      closeAndDelete(sources);
    }
  }

  public static void addReaders(FuzzIndex index, Action action, boolean offload)
      throws IOException {
    Random random = new Random(action.seed());
    Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
    Directory source = write(index, action, 0, offload ? kind : Kind.STOCK);
    try (DirectoryReader reader = DirectoryReader.open(source)) {
      List<CodecReader> readers = new ArrayList<>();
      for (LeafReaderContext leaf : reader.leaves()) {
        readers.add((CodecReader) leaf.reader());
      }
      index.writer().addIndexes(readers.toArray(CodecReader[]::new));
    } finally {
      closeAndDelete(List.of(source));
    }
  }

  private static Directory write(FuzzIndex index, Action action, int number, Kind kind)
      throws IOException {
    Path home = Files.createTempDirectory(index.home.getParent(), "source");
    Directory directory =
        switch (kind) {
          case STOCK -> FSDirectory.open(home);
          case WITHOUT_DEVICE -> OffloadDirectory.open(home, Devices.HOST);
          case OWN_DEVICE ->
              OffloadDirectory.open(
                  home, WatchedDeviceProvider.SCHEME + ":capacity=16m,dram=1m,sessions=2");
          case SAME_DEVICE ->
              OffloadDirectory.open(
                  home, index.recipe.device() + ",store=" + index.home.resolve("offload.vol"));
        };
    Recipe recipe = index.recipe;
    IndexWriterConfig config =
        recipe
            .writer()
            .config(
                recipe.schema(),
                recipe.similarity(),
                kind == Kind.STOCK ? new Lucene104Codec() : new OffloadCodec())
            .setMergePolicy(NoMergePolicy.INSTANCE);
    DocumentGenerator documents = new DocumentGenerator(recipe.schema());
    Random random = Seeds.random(action.seed(), number);
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      long first = index.newIds(action.size());
      for (int i = 0; i < action.size(); i++) {
        long id = first + i;
        writer.addDocument(
            documents.document(random.nextLong(), Long.toString(id), "b" + id, Schema.PARENT));
        if (Seeds.oneIn(random, 60)) {
          writer.flush();
        }
      }
      if (random.nextBoolean()) {
        writer.commit();
        for (int i = 0; i < action.size() / 10; i++) {
          writer.deleteDocuments(
              new Term(Schema.BLOCK, "b" + (first + random.nextInt(action.size()))));
        }
      }
    }
    return directory;
  }

  private static void closeAndDelete(List<Directory> sources) throws IOException {
    for (Directory source : sources) {
      Path home =
          ((FSDirectory)
                  (source instanceof OffloadDirectory offload
                      ? FilterDirectory.unwrap(offload)
                      : source))
              .getDirectory();
      // By name, so that a device of others is left as it was.
      for (String name : source.listAll()) {
        source.deleteFile(name);
      }
      source.close();
      FileTrees.delete(home);
    }
  }
}
