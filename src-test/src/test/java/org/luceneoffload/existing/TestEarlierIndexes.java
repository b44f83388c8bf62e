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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.codec.DeviceTerms;
import org.luceneoffload.codec.OffloadTerms;

/**
 * Indexes, with their stores, that earlier versions of this library wrote: files of every version
 * stay readable. The number in a name is the version of {@code Offload104PostingsFormat}. Each
 * index has two segments of 200 documents with the words of {@link StockIndex}, the second one
 * packed, both with deletes; in one index the lists were written by {@link OffloadCodec}, in the
 * other one imported.
 */
class TestEarlierIndexes extends ExistingIndexTestCase {
  private static final String WRITTEN = "offload104-2-ours";
  private static final String IMPORTED = "offload104-2-imported";

  @ParameterizedTest
  @ValueSource(strings = {WRITTEN, IMPORTED})
  void answersOnTheDevice(String name) throws IOException {
    unpack(name);
    assertTermHashesAreUsed();
    assertOffloaded(QueryAnswers.ofStock(index, queries));
    assertComplete(index);
  }

  @ParameterizedTest
  @ValueSource(strings = {WRITTEN, IMPORTED})
  void isRepairedWhenItsStoreIsLost(String name) throws IOException {
    unpack(name);
    Files.delete(index.resolve(STORE));
    List<String> expected = QueryAnswers.ofStock(index, queries);
    assertEquals(0, assertAnswers(expected));
    assertEquals(2, repair(index).segmentsWritten());
    assertOffloaded(expected);
    assertComplete(index);
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
  @ValueSource(strings = {WRITTEN, IMPORTED})
  void isMerged(String name) throws IOException {
    unpack(name);
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
    assertComplete(index);
    assertEquals(List.of(), sidecars(index, "od."));
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
