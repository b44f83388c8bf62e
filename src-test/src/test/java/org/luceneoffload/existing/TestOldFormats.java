/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.existing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.TieredMergePolicy;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;

/**
 * Indexes that earlier versions of Lucene wrote, in formats that this one only reads: codecs
 * Lucene100, Lucene101 and Lucene103. Each has two segments of 400 documents with the words of
 * {@link StockIndex}, the second one packed, both with deletes.
 */
class TestOldFormats extends ExistingIndexTestCase {
  @ParameterizedTest
  @ValueSource(strings = {"10.0.0", "10.1.0", "10.3.2"})
  void importedAndMerged(String version) throws IOException {
    unpack("lucene-" + version);
    List<String> expected = QueryAnswers.ofStock(index, queries);
    Map<String, Long> files = luceneFiles(index);
    assertEquals(2, importAll(index).segmentsWritten());
    assertOffloaded(expected);
    assertComplete(index);
    assertEquals(files, luceneFiles(index));

    IndexWriterConfig config =
        new IndexWriterConfig()
            .setCodec(new OffloadCodec())
            .setMergePolicy(new TieredMergePolicy());
    try (OffloadDirectory directory = open(index);
        IndexWriter writer = new IndexWriter(directory, config)) {
      writer.forceMerge(1);
    }
    assertOffloaded(QueryAnswers.ofStock(index, queries));
    assertEquals(List.of(), sidecars(index, "od."));
  }
}
