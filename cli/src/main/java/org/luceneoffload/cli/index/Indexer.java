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
import org.luceneoffload.workload.CorpusLine;
import org.luceneoffload.workload.CorpusReader;
import org.luceneoffload.workload.InputException;
import org.luceneoffload.workload.TypedFields;

/**
 * Reads corpus files on the calling thread and indexes their lines on others.
 *
 * <p>With one thread the documents get their numbers in the order of the input. A line that is
 * wrong ends the run, and the caller rolls the writer back. If several threads find one, the
 * earliest line is named: batches are taken in order, and each thread ends the one it has.
 */
public final class Indexer {
  private final IndexWriter writer;
  private final IndexProgress progress;
  private final int threads;
  private final TypedFields fields;
  private final BlockingQueue<Numbered> queue;
  private final AtomicReference<Trouble> trouble = new AtomicReference<>();
  private long batches; // reading thread only
  private volatile boolean inputEnded;

  /** A batch and its place in the input. */
  private record Numbered(long number, CorpusReader.Batch batch) {}

  /** The failure that ends the run, and the batch in which it was met. */
  private record Trouble(long batch, Throwable cause) {
    boolean isEarlierThan(Trouble other) {
      return isWrongLine() && other.isWrongLine() && batch < other.batch;
    }

    private boolean isWrongLine() {
      return cause instanceof InputException;
    }
  }

  Indexer(IndexWriter writer, IndexProgress progress, int threads, TypedFields fields) {
    this.writer = writer;
    this.fields = fields;
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
      reader.read(fields, this::hand);
    } catch (IOException | InterruptedException | RuntimeException e) {
      fail(Long.MAX_VALUE, e);
    } finally {
      inputEnded = true;
      for (Thread worker : workers) {
        worker.join();
      }
    }
    switch (trouble.get() == null ? null : trouble.get().cause()) {
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
    Numbered numbered = new Numbered(batches++, batch);
    while (!queue.offer(numbered, 100, TimeUnit.MILLISECONDS)) {
      if (trouble.get() != null) {
        return false;
      }
      progress.show();
    }
    return trouble.get() == null;
  }

  private void work() {
    long current = 0;
    try {
      while (trouble.get() == null) {
        boolean last = inputEnded; // read before the poll: what was offered earlier is then seen
        Numbered next = queue.poll(20, TimeUnit.MILLISECONDS);
        if (next != null) {
          current = next.number();
          add(next.batch());
        } else if (last) {
          return;
        }
      }
    } catch (Throwable e) {
      fail(current, e);
    }
  }

  private void fail(long batch, Throwable cause) {
    trouble.accumulateAndGet(
        new Trouble(batch, cause),
        (present, added) -> present == null || added.isEarlierThan(present) ? added : present);
  }

  private void add(CorpusReader.Batch batch) throws IOException {
    long documents = 0;
    for (int i = 0; i < batch.lines().size(); i++) {
      byte[] line = batch.lines().get(i);
      if (CorpusLine.isBlank(line)) {
        continue;
      }
      writer.addDocument(CorpusLine.parse(line, batch.origin(i), fields).document());
      documents++;
    }
    progress.add(documents, batch.bytes());
  }
}
