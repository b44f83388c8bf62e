/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.benchmarks;

import java.io.IOException;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.TermState;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;
import org.luceneoffload.codec.DeviceTerms;
import org.luceneoffload.codec.OffloadTerms;
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
 * How long does it take to find a term, as a query does: by its hash where the segment has one,
 * else in the terms dictionary? Terms come in no order, and one of four is absent.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@Threads(1)
public class LookupBenchmark {
  private static final int LOOKUPS = 1 << 16;

  /** The kind of terms: each in one document, or in two. */
  @Param({"ids", "words"})
  public String kind;

  /** How many there are. */
  @Param("1000000")
  public int terms;

  /** Whose index it is. */
  @Param({"lucene", "offload"})
  public String side;

  private final BytesRef[] wanted = new BytesRef[LOOKUPS];
  private TermsIndex index;
  private DirectoryReader reader;
  private Terms stock;
  private OffloadTerms ours;
  private int next;

  /** Makes the index. */
  @Setup(Level.Trial)
  public void make() throws IOException {
    index = TermsIndex.make(kind, terms, side);
    reader = DirectoryReader.open(index.directory());
    LeafReader leaf = reader.leaves().get(0).reader();
    if (BenchmarkFiles.isStock(side)) {
      stock = leaf.terms(TermsIndex.FIELD);
    } else {
      ours = (OffloadTerms) DeviceTerms.of(leaf, TermsIndex.FIELD);
    }
    Random random = new Random(42);
    for (int i = 0; i < LOOKUPS; i++) {
      String term = TermsIndex.term(random.nextInt(terms));
      wanted[i] = new BytesRef(i % 4 == 0 ? term + "x" : term);
    }
  }

  /** Removes it. */
  @TearDown(Level.Trial)
  public void remove() throws IOException {
    reader.close();
    index.close();
  }

  /** Finds a term, or finds that it is absent. */
  @Benchmark
  public TermState find() throws IOException {
    BytesRef term = wanted[next++ & LOOKUPS - 1];
    if (ours == null) {
      TermsEnum at = stock.iterator();
      return at.seekExact(term) ? at.termState() : null;
    }
    if (ours.isHashed()) {
      return ours.find(term);
    }
    TermsEnum at = ours.acquireEnum();
    TermState state = at.seekExact(term) ? at.termState() : null;
    ours.release(at);
    return state;
  }
}
