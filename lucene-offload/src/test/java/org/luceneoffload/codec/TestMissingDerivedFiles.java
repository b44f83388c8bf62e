/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.device.RamBlockDevice;

/**
 * An index without files that are derived from others is whole, to Lucene's own tools too, with a
 * device and with this jar alone.
 */
class TestMissingDerivedFiles extends ImageTestCase {
  private static final int DOCS = 300;

  private void writeAndDelete(OffloadDirectory directory, String extension, boolean compound)
      throws IOException {
    try (IndexWriter writer = writer(directory, compound, false)) {
      addDocuments(writer, DOCS, 100);
    }
    List<String> derived =
        Arrays.stream(plain.listAll()).filter(f -> f.endsWith("." + extension)).toList();
    assertEquals(3, derived.size());
    for (String file : derived.subList(1, 3)) {
      plain.deleteFile(file);
    }
  }

  private static CheckIndex.Status check(Directory directory) throws IOException {
    try (CheckIndex check = new CheckIndex(directory);
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream())) {
      check.setInfoStream(nowhere, false);
      CheckIndex.Status status = check.checkIndex();
      check.exorciseIndex(status);
      return status;
    }
  }

  private static int docs(Directory directory) throws IOException {
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      return reader.numDocs();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"odh", "odp"})
  void checkIndexFindsNoDamageAndDropsNothing(String extension) throws IOException {
    try (OffloadDirectory directory = OffloadDirectory.wrap(plain, device)) {
      writeAndDelete(directory, extension, false);
      assertTrue(check(directory).clean);
      assertEquals(DOCS, docs(directory));
    }
    assertTrue(check(plain).clean);
    assertEquals(DOCS, docs(plain));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void compoundSegmentsNeedNoStubs(boolean withDevice) throws IOException {
    try (OffloadDirectory directory = OffloadDirectory.wrap(plain, device)) {
      writeAndDelete(directory, "odp", true);
      assertTrue(check(withDevice ? directory : plain).clean);
      assertEquals(DOCS, docs(withDevice ? directory : plain));
      mergeAll(directory);
      assertComplete(directory);
    }
  }

  private void mergeAll(Directory directory) throws IOException {
    try (IndexWriter writer = writer(directory, false, true)) {
      addDocuments(writer, 10, 10);
      writer.commit(); // which syncs every file of every segment
      writer.forceMerge(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"odh", "odp"})
  void writersCommitAndMerge(String extension) throws IOException {
    try (OffloadDirectory directory = OffloadDirectory.wrap(plain, device)) {
      writeAndDelete(directory, extension, false);
      mergeAll(directory);
      assertEquals(DOCS + 10, docs(directory));
      assertComplete(directory);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"odh", "odp"})
  void writersWithoutADeviceCommitAndMerge(String extension) throws IOException {
    try (OffloadDirectory directory = OffloadDirectory.wrap(plain, device)) {
      writeAndDelete(directory, extension, false);
    }
    mergeAll(plain);
    assertEquals(DOCS + 10, docs(plain));
  }

  @ParameterizedTest
  @ValueSource(strings = {"odh", "odp"})
  void indexesAreAdded(String extension) throws IOException {
    try (OffloadDirectory directory = OffloadDirectory.wrap(plain, device);
        RamBlockDevice otherDevice = new RamBlockDevice(DEVICE_LBAS);
        Directory otherFiles = new ByteBuffersDirectory();
        OffloadDirectory other =
            OffloadDirectory.wrap(new FilterDirectory(otherFiles) {}, otherDevice)) {
      writeAndDelete(directory, extension, false);
      try (IndexWriter writer = writer(other, false, true)) {
        writer.addIndexes(directory);
        writer.forceMerge(1);
      }
      assertEquals(DOCS, docs(other));
      assertComplete(other);
    }
  }
}
