/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.workload.BenchCorpus;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The cost of posting images while an index is made. The time to index documents that are in
 * memory, on one thread, to merge them into one segment and to commit, with stock Lucene's codec
 * and directory and with ours.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3)
@Measurement(iterations = 5)
@Fork(1)
@Threads(1)
public class IndexingBenchmark {
  /** Documents, the first ones of the corpus. */
  @Param("20000")
  public int documents;

  /** Megabytes of documents in memory, after which a segment is written. */
  @Param("16")
  public double ramBufferMb;

  /** Who writes: stock Lucene's codec, or ours with the device's images. */
  @Param({"lucene", "offload"})
  public String side;

  private BenchCorpus corpus;
  private Path folder;

  /** Reads the corpus. */
  @Setup(Level.Trial)
  public void read() throws IOException, InterruptedException {
    corpus = BenchCorpus.read(BenchmarkFiles.corpus(), documents);
    if (corpus.size() < documents) {
      throw new IllegalStateException(
          BenchmarkFiles.corpus() + " holds " + corpus.size() + " documents, not " + documents);
    }
  }

  /** Makes an empty folder. */
  @Setup(Level.Invocation)
  public void makeFolder() throws IOException {
    folder = Files.createTempDirectory("offload-indexing-");
  }

  /** Removes the index. */
  @TearDown(Level.Invocation)
  public void removeFolder() throws IOException {
    BenchmarkFiles.removeFolder(folder);
  }

  /** Indexes all documents, and returns their number. */
  @Benchmark
  public long index() throws IOException {
    boolean stock = BenchmarkFiles.isStock(side);
    IndexWriterConfig config =
        new IndexWriterConfig(new StandardAnalyzer()).setRAMBufferSizeMB(ramBufferMb);
    if (!stock) {
      config.setCodec(new OffloadCodec());
    }
    try (Directory directory =
            stock
                ? FSDirectory.open(folder)
                : OffloadDirectory.open(folder, BenchmarkFiles.device());
        IndexWriter writer = new IndexWriter(directory, config)) {
      corpus.addTo(writer);
      writer.forceMerge(1);
      return writer.commit();
    }
  }
}
