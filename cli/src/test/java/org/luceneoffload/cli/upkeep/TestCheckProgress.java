/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.upkeep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How far Lucene's CheckIndex is. */
class TestCheckProgress {
  private static final int SEGMENTS = 4;

  /** The share grows with each segment, whether they are checked one by one or at once. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void theShareGrows(int threads) throws Exception {
    List<String> steps = new ArrayList<>();
    List<Double> shares = new ArrayList<>();
    try (Directory directory = new ByteBuffersDirectory()) {
      IndexWriterConfig config = new IndexWriterConfig().setMergePolicy(NoMergePolicy.INSTANCE);
      try (IndexWriter writer = new IndexWriter(directory, config)) {
        for (int i = 0; i < SEGMENTS; i++) {
          Document document = new Document();
          document.add(new StringField("id", "" + i, Field.Store.YES));
          writer.addDocument(document);
          writer.commit();
        }
      }
      try (CheckIndex check = new CheckIndex(directory);
          CheckProgress progress =
              new CheckProgress(
                  directory,
                  (step, share) -> {
                    steps.add(step);
                    shares.add(share);
                  })) {
        check.setThreadCount(threads);
        check.setInfoStream(progress, false);
        assertTrue(check.checkIndex().clean);
      }
    }
    assertEquals(SEGMENTS, steps.size(), steps.toString());
    assertEquals("Lucene's CheckIndex, segment 1 of 4", steps.getFirst());
    assertEquals(0, shares.getFirst());
    for (int i = 1; i < SEGMENTS; i++) {
      assertTrue(shares.get(i - 1) + 0.1 < shares.get(i) && shares.get(i) < 1, shares.toString());
    }
  }
}
