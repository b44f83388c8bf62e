/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.existing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.search.IndexSearcher;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.codec.DeviceTerms;
import org.luceneoffload.codec.OffloadTerms;
import org.luceneoffload.maintain.IndexRepair;
import org.luceneoffload.maintain.MaintenanceProgress;
import org.luceneoffload.nvme.tcp.CsdTarget;

/**
 * Indexes, with their stores, that earlier versions of this library wrote: files of every version
 * stay readable. Each index has two segments of 200 documents with the words of {@link StockIndex},
 * the second one packed, both with deletes; in one index the lists were written by {@link
 * OffloadCodec}, in the other one imported. Those of a release, which {@link ReleasedIndexes}
 * wrote, have positions and columns; those before had version 2 of {@code
 * Offload104PostingsFormat}, without positions.
 */
class TestEarlierIndexes extends ExistingIndexTestCase {
  private static final String WRITTEN = "offload104-2-ours";
  private static final String IMPORTED = "offload104-2-imported";
  private static final String RELEASED = "release-1.0.0-";

  /** Unpacks an index; of a release's, phrases and columns are tested, too. */
  private boolean unpackEarlier(String name) throws IOException {
    unpack(name);
    if (!name.startsWith(RELEASED)) {
      return false;
    }
    queries.addAll(QueryAnswers.phrases(seed, 10));
    return true;
  }

  private void assertAsWritten(boolean released) throws IOException {
    assertComplete(index);
    if (released) {
      assertColumns(index);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {WRITTEN, IMPORTED, RELEASED + "written", RELEASED + "imported"})
  void answersOnTheDevice(String name) throws IOException {
    boolean released = unpackEarlier(name);
    assertTermHashesAreUsed();
    assertOffloaded(QueryAnswers.ofStock(index, queries));
    assertAsWritten(released);
  }

  @ParameterizedTest
  @ValueSource(strings = {WRITTEN, IMPORTED, RELEASED + "written", RELEASED + "imported"})
  void isRepairedWhenItsStoreIsLost(String name) throws IOException {
    boolean released = unpackEarlier(name);
    Files.delete(index.resolve(STORE));
    List<String> expected = QueryAnswers.ofStock(index, queries);
    assertEquals(0, assertAnswers(expected));
    assertEquals(2, repair(index).segmentsWritten());
    assertOffloaded(expected);
    assertAsWritten(released);
  }

  /** The one that is not in a compound file. */
  @Test
  void itsTermHashIsRepairedWhenLost() throws IOException {
    unpack(WRITTEN);
    Files.delete(index.resolve("_0_Offload104_0.odh"));
    assertOffloaded(QueryAnswers.ofStock(index, queries));
    assertEquals(1, repair(index).segmentsWritten());
    assertTermHashesAreUsed();
    assertOffloaded(QueryAnswers.ofStock(index, queries));
    assertComplete(index);
  }

  @ParameterizedTest
  @ValueSource(strings = {WRITTEN, IMPORTED, RELEASED + "written", RELEASED + "imported"})
  void isMerged(String name) throws IOException {
    unpackEarlier(name);
    IndexWriterConfig config =
        new IndexWriterConfig()
            .setCodec(new OffloadCodec())
            .setMergePolicy(new TieredMergePolicy());
    try (OffloadDirectory directory = open(index);
        IndexWriter writer = new IndexWriter(directory, config)) {
      writer.forceMerge(1);
    }
    assertTermHashesAreUsed();
    assertOffloaded(QueryAnswers.ofStock(index, queries));
    assertAsWritten(true);
    assertEquals(List.of(), sidecars(index, "od."));
  }

  /** A whole index in the store of a storage node. */
  @Test
  void isReadAndMergedOnANode() throws IOException {
    unpackEarlier(RELEASED + "node");
    try (CsdTarget node = ReleasedIndexes.node(index)) {
      List<String> expected = assertOffloadedOn(node);
      try (OffloadDirectory directory = ReleasedIndexes.openOn(node)) {
        assertEquals(0, IndexRepair.run(directory, MaintenanceProgress.NONE).segmentsWritten());
        IndexWriterConfig config =
            new IndexWriterConfig()
                .setCodec(new OffloadCodec())
                .setMergePolicy(new TieredMergePolicy());
        try (IndexWriter writer = new IndexWriter(directory, config)) {
          writer.forceMerge(1);
        }
      }
      assertEquals(expected.size(), assertOffloadedOn(node).size());
    }
  }

  /** Returns stock's answers, after the node has given the same. */
  private List<String> assertOffloadedOn(CsdTarget node) throws IOException {
    try (OffloadDirectory directory = ReleasedIndexes.openOn(node);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      List<String> expected = QueryAnswers.of(new IndexSearcher(reader), queries);
      assertOffloaded(expected, directory, reader);
      return expected;
    }
  }

  private void assertTermHashesAreUsed() throws IOException {
    try (OffloadDirectory directory = open(index);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      for (LeafReaderContext leaf : reader.leaves()) {
        for (String field : StockIndex.FIELDS) {
          OffloadTerms terms =
              assertInstanceOf(OffloadTerms.class, DeviceTerms.of(leaf.reader(), field));
          assertTrue(terms.isHashed(), field);
        }
      }
    }
  }
}
