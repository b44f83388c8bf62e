/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.workload;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.IndexWriter;

/** Documents of a corpus file in memory, so that indexing is measured without reading. */
public final class BenchCorpus {
  private final List<CorpusLine> lines = new ArrayList<>();

  private BenchCorpus() {}

  /**
   * Reads the first documents of a file.
   *
   * @param most how many at most
   * @throws RuntimeException if the file or a line of it is wrong; the message says where and why
   */
  public static BenchCorpus read(Path file, int most) throws IOException, InterruptedException {
    BenchCorpus corpus = new BenchCorpus();
    new CorpusReader(List.of(file))
        .read(
            TypedFields.NONE,
            batch -> {
              for (int i = 0; i < batch.lines().size() && corpus.lines.size() < most; i++) {
                byte[] line = batch.lines().get(i);
                if (!CorpusLine.isBlank(line)) {
                  corpus.lines.add(CorpusLine.parse(line, batch.origin(i), TypedFields.NONE));
                }
              }
              return corpus.lines.size() < most;
            });
    return corpus;
  }

  /** Returns how many documents there are. */
  public int size() {
    return lines.size();
  }

  /** Returns the documents in the order of the file. */
  public List<CorpusLine> lines() {
    return List.copyOf(lines);
  }

  /** Adds all documents, with the text fields that {@code ./offload index} gives them. */
  public void addTo(IndexWriter writer) throws IOException {
    for (CorpusLine line : lines) {
      writer.addDocument(line.document());
    }
  }
}
