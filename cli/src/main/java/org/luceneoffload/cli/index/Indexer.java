/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.index;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.lucene.index.IndexWriter;
import org.luceneoffload.cli.command.Failure;
import org.luceneoffload.workload.CorpusLine;
import org.luceneoffload.workload.CorpusReader;

/**
 * Reads corpus files on the calling thread and indexes their lines on others.
 *
 * <p>With one thread the documents get their numbers in the order of the input. The first line that
 * is wrong ends the run; the caller rolls the writer back.
 */
public final class Indexer {
  private final IndexWriter writer;
  private final IndexProgress progress;
  private final int threads;
  private final BlockingQueue<CorpusReader.Batch> queue;
  private final AtomicReference<Throwable> trouble = new AtomicReference<>();
  private volatile boolean inputEnded;

  Indexer(IndexWriter writer, IndexProgress progress, int threads) {
    this.writer = writer;
    this.progress = progress;
    this.threads = threads;
    this.queue = new ArrayBlockingQueue<>(2 * threads);
  }

  /** Indexes everything; returns when every document is with the writer. */
  void run(CorpusReader reader) throws IOException, InterruptedException {
    List<Thread> workers = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      workers.add(Thread.ofPlatform().name("index-" + i).daemon().start(this::work));
    }
    try {
      reader.read(this::hand);
    } catch (IOException | InterruptedException | RuntimeException e) {
      trouble.compareAndSet(null, e);
    } finally {
      inputEnded = true;
      for (Thread worker : workers) {
        worker.join();
      }
    }
    switch (trouble.get()) {
      case null -> {}
      case IOException e -> throw e;
      case InterruptedException e -> throw e;
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      case Throwable e -> throw new IllegalStateException(e);
    }
  }

  /** Passes a batch on; false if the work has failed. */
  private boolean hand(CorpusReader.Batch batch) throws InterruptedException {
    progress.show();
    while (!queue.offer(batch, 100, TimeUnit.MILLISECONDS)) {
      if (trouble.get() != null) {
        return false;
      }
      progress.show();
    }
    return trouble.get() == null;
  }

  private void work() {
    try {
      while (trouble.get() == null) {
        boolean last = inputEnded; // read before the poll: what was offered earlier is then seen
        CorpusReader.Batch batch = queue.poll(20, TimeUnit.MILLISECONDS);
        if (batch != null) {
          add(batch);
        } else if (last) {
          return;
        }
      }
    } catch (Throwable e) {
      trouble.compareAndSet(null, e);
    }
  }

  private void add(CorpusReader.Batch batch) throws IOException {
    long documents = 0;
    for (int i = 0; i < batch.lines().size(); i++) {
      byte[] line = batch.lines().get(i);
      if (CorpusLine.isBlank(line)) {
        continue;
      }
      CorpusLine parsed = CorpusLine.parse(line, batch.origin(i));
      try {
        writer.addDocument(parsed.document());
      } catch (IllegalArgumentException e) {
        throw Failure.of(batch.origin(i) + ": " + e.getMessage(), e); // such as an immense term
      }
      documents++;
    }
    progress.add(documents, batch.bytes());
  }
}
