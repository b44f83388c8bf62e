/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz.searcher;

import java.io.IOException;
import java.util.Random;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.ExitableDirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.MultiReader;
import org.apache.lucene.index.ParallelCompositeReader;
import org.apache.lucene.index.QueryTimeout;
import org.apache.lucene.index.SoftDeletesDirectoryReaderWrapper;
import org.luceneoffload.fuzz.generate.WriterPlan;

/** Wrappers that applications put around a reader before they search it. */
public enum ReaderWrap {
  NONE,
  PASSING,
  PASSING_WITHOUT_KEYS,
  HIDING_TERMS,
  HIDING_DOCS,
  EXITABLE,
  SOFT_DELETES,
  PARALLEL,
  MULTI,
  MULTI_TWICE;

  /** Mostly none. */
  public static ReaderWrap random(Random random) {
    return random.nextInt(5) < 3 ? NONE : values()[random.nextInt(values().length)];
  }

  /**
   * A reader around another, which stays the caller's and outlives it.
   *
   * @param stock a reader over an index that stock Lucene wrote; null: there is none
   */
  public IndexReader around(DirectoryReader reader, DirectoryReader stock) throws IOException {
    return switch (this) {
      case NONE -> reader;
      case PASSING -> new FilteringReader(reader, FilteringReader.Kind.PASSING);
      case PASSING_WITHOUT_KEYS -> new FilteringReader(reader, FilteringReader.Kind.WITHOUT_KEYS);
      case HIDING_TERMS -> new FilteringReader(reader, FilteringReader.Kind.HIDING_TERMS);
      case HIDING_DOCS -> new FilteringReader(reader, FilteringReader.Kind.HIDING_DOCS);
      case EXITABLE -> ExitableDirectoryReader.wrap(reader, new NeverExits());
      case SOFT_DELETES -> new SoftDeletesDirectoryReaderWrapper(reader, WriterPlan.SOFT_DELETES);
      case PARALLEL -> new ParallelCompositeReader(false, reader);
      case MULTI ->
          stock == null
              ? new MultiReader(new IndexReader[] {reader}, false)
              : new MultiReader(new IndexReader[] {stock, reader}, false);
      case MULTI_TWICE -> new MultiReader(new IndexReader[] {reader, reader}, false);
    };
  }

  /** A timeout that looks as if it could fire. */
  private static final class NeverExits implements QueryTimeout {
    @Override
    public boolean shouldExit() {
      return false;
    }
  }
}
