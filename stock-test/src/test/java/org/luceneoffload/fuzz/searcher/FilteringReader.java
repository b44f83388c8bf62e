/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz.searcher;

import java.io.IOException;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FilterDirectoryReader;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.Terms;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.FixedBitSet;

/** A reader around each segment of another, of the kinds that applications write. */
public final class FilteringReader extends FilterDirectoryReader {
  /** The kinds of readers around a segment. */
  public enum Kind {
    /** Nothing at all. */
    PASSING,
    /** Denies to be the segment that caches know. */
    WITHOUT_KEYS,
    /** Has terms of its own class. */
    HIDING_TERMS,
    /** Has fewer live docs. */
    HIDING_DOCS
  }

  private final Kind kind;

  public FilteringReader(DirectoryReader in, Kind kind) throws IOException {
    super(
        in,
        new SubReaderWrapper() {
          @Override
          public LeafReader wrap(LeafReader reader) {
            return kind == Kind.HIDING_DOCS ? new HidingDocs(reader) : new Leaf(reader, kind);
          }
        });
    this.kind = kind;
  }

  @Override
  protected DirectoryReader doWrapDirectoryReader(DirectoryReader reader) throws IOException {
    return new FilteringReader(reader, kind);
  }

  @Override
  public CacheHelper getReaderCacheHelper() {
    return null;
  }

  private static final class Leaf extends FilterLeafReader {
    private final Kind kind;

    Leaf(LeafReader in, Kind kind) {
      super(in);
      this.kind = kind;
    }

    @Override
    public Terms terms(String field) throws IOException {
      Terms terms = in.terms(field);
      return terms == null || kind != Kind.HIDING_TERMS ? terms : new FilterTerms(terms) {};
    }

    @Override
    public CacheHelper getCoreCacheHelper() {
      return kind == Kind.WITHOUT_KEYS ? null : in.getCoreCacheHelper();
    }

    @Override
    public CacheHelper getReaderCacheHelper() {
      return kind == Kind.WITHOUT_KEYS ? null : in.getReaderCacheHelper();
    }
  }

  private static final class HidingDocs extends FilterLeafReader {
    private static final int EVERY = 5;

    private final FixedBitSet live;
    private final int count;

    HidingDocs(LeafReader in) {
      super(in);
      Bits bits = in.getLiveDocs();
      live = new FixedBitSet(in.maxDoc());
      for (int doc = 0; doc < in.maxDoc(); doc++) {
        if ((bits == null || bits.get(doc)) && doc % EVERY != 2) {
          live.set(doc);
        }
      }
      count = live.cardinality();
    }

    @Override
    public Bits getLiveDocs() {
      return live;
    }

    @Override
    public int numDocs() {
      return count;
    }

    @Override
    public CacheHelper getCoreCacheHelper() {
      return in.getCoreCacheHelper();
    }

    @Override
    public CacheHelper getReaderCacheHelper() {
      return null;
    }
  }
}
