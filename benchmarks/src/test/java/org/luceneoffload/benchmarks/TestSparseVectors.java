/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.apache.lucene.index.DirectoryReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.workload.BenchKind;
import org.luceneoffload.workload.BenchSides;
import org.luceneoffload.workload.BenchWork;
import org.luceneoffload.workload.shape.FeatureShapes;
import org.luceneoffload.workload.shape.Shape;
import org.luceneoffload.workload.shape.Shapes;

/** An index of vectors is the same each time, and both sides agree on its queries. */
class TestSparseVectors {
  private static final int DOCUMENTS = 600;
  private static final int SEGMENTS = 3;

  @TempDir private Path temp;

  private Path corpus() throws IOException {
    Random random = new Random(7);
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < DOCUMENTS; i++) {
      lines.append("{\"id\":").append(i).append(",\"title\":\"t\",\"body\":\"");
      for (int word = 0; word < 60; word++) {
        lines.append(" w").append((int) Math.exp(random.nextDouble() * Math.log(500)) - 1);
      }
      lines.append("\"}\n");
    }
    return Files.writeString(temp.resolve("corpus.jsonl"), lines);
  }

  private Path index(Path corpus, String name) throws IOException, InterruptedException {
    Path index = temp.resolve(name);
    SparseVectors.main(
        new String[] {corpus.toString(), index.toString(), "" + DOCUMENTS, "" + SEGMENTS});
    return index;
  }

  @Test
  void sidesAgreeAboutEveryShape() throws IOException, InterruptedException {
    try (OffloadDirectory directory =
            OffloadDirectory.open(index(corpus(), "index"), BenchmarkFiles.device());
        DirectoryReader reader = DirectoryReader.open(directory)) {
      assertEquals(SEGMENTS, reader.leaves().size());
      BenchSides sides = new BenchSides(reader);
      List<Shape> shapes =
          Shapes.of(reader).stream().filter(s -> s.group().equals("learned sparse")).toList();
      assertFalse(shapes.isEmpty());
      for (Shape shape : shapes) {
        for (BenchWork work : shape.works()) {
          assertTrue(BenchKind.same(sides.run(work, true), sides.run(work, false)), shape.name());
        }
      }
    }
  }

  @Test
  void sameCorpusMakesSameVectors() throws IOException, InterruptedException {
    Path corpus = corpus();
    assertEquals(features(index(corpus, "one")), features(index(corpus, "other")));
  }

  /** Returns how many values the features of an index have, and their sum. */
  private static List<Long> features(Path index) throws IOException {
    try (OffloadDirectory directory = OffloadDirectory.open(index, BenchmarkFiles.device());
        DirectoryReader reader = DirectoryReader.open(directory)) {
      long values = reader.getSumDocFreq(FeatureShapes.FIELD);
      assertTrue(values > 20L * DOCUMENTS);
      return List.of(values, reader.getSumTotalTermFreq(FeatureShapes.FIELD));
    }
  }
}
