/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.index.FilterDirectoryReader;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.PointValues;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.Terms;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.FixedBitSet;
import org.opensearch.index.IndexModule;
import org.opensearch.plugins.Plugin;

/**
 * Hides a field and documents from all searches, as field and document level security do: by a
 * wrapper of each shard's reader, whose keys of caches are those of what it hides.
 */
public final class HidingPlugin extends Plugin {
  static final String HIDDEN_FIELD = "tag";
  static final Term HIDDEN_DOCS = new Term("body", "w0");

  @Override
  public void onIndexModule(IndexModule module) {
    module.setReaderWrapper(service -> Hiding::new);
  }

  private static final class Hiding extends FilterDirectoryReader {
    private static final SubReaderWrapper LEAVES =
        new SubReaderWrapper() {
          @Override
          public LeafReader wrap(LeafReader reader) {
            return new HidingLeaf(reader);
          }
        };

    Hiding(DirectoryReader in) throws IOException {
      super(in, LEAVES);
    }

    @Override
    protected DirectoryReader doWrapDirectoryReader(DirectoryReader in) throws IOException {
      return new Hiding(in);
    }

    @Override
    public CacheHelper getReaderCacheHelper() {
      return in.getReaderCacheHelper();
    }
  }

  private static final class HidingLeaf extends FilterLeafReader {
    private final FieldInfos infos;
    private final FixedBitSet live;

    HidingLeaf(LeafReader in) {
      super(in);
      List<FieldInfo> shown = new ArrayList<>();
      for (FieldInfo info : in.getFieldInfos()) {
        if (!isHidden(info.name)) {
          shown.add(info);
        }
      }
      infos = new FieldInfos(shown.toArray(FieldInfo[]::new));
      live = new FixedBitSet(in.maxDoc());
      Bits before = in.getLiveDocs();
      for (int doc = 0; doc < in.maxDoc(); doc++) {
        if (before == null || before.get(doc)) {
          live.set(doc);
        }
      }
      try {
        PostingsEnum hidden = in.postings(HIDDEN_DOCS, PostingsEnum.NONE);
        while (hidden != null && hidden.nextDoc() != PostingsEnum.NO_MORE_DOCS) {
          live.clear(hidden.docID());
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private static boolean isHidden(String field) {
      return field.equals(HIDDEN_FIELD);
    }

    @Override
    public FieldInfos getFieldInfos() {
      return infos;
    }

    @Override
    public Bits getLiveDocs() {
      return live;
    }

    @Override
    public int numDocs() {
      return live.cardinality();
    }

    @Override
    public Terms terms(String field) throws IOException {
      return isHidden(field) ? null : super.terms(field);
    }

    @Override
    public PointValues getPointValues(String field) throws IOException {
      return isHidden(field) ? null : super.getPointValues(field);
    }

    @Override
    public NumericDocValues getNumericDocValues(String field) throws IOException {
      return isHidden(field) ? null : super.getNumericDocValues(field);
    }

    @Override
    public BinaryDocValues getBinaryDocValues(String field) throws IOException {
      return isHidden(field) ? null : super.getBinaryDocValues(field);
    }

    @Override
    public SortedDocValues getSortedDocValues(String field) throws IOException {
      return isHidden(field) ? null : super.getSortedDocValues(field);
    }

    @Override
    public SortedNumericDocValues getSortedNumericDocValues(String field) throws IOException {
      return isHidden(field) ? null : super.getSortedNumericDocValues(field);
    }

    @Override
    public SortedSetDocValues getSortedSetDocValues(String field) throws IOException {
      return isHidden(field) ? null : super.getSortedSetDocValues(field);
    }

    @Override
    public CacheHelper getCoreCacheHelper() {
      return in.getCoreCacheHelper();
    }

    @Override
    public CacheHelper getReaderCacheHelper() {
      return in.getReaderCacheHelper();
    }
  }
}
