/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.CodecReader;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.ExitableDirectoryReader;
import org.apache.lucene.index.FilterDirectoryReader;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.MultiReader;
import org.apache.lucene.index.NoDeletionPolicy;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.ParallelCompositeReader;
import org.apache.lucene.index.ParallelLeafReader;
import org.apache.lucene.index.SlowCodecReaderWrapper;
import org.apache.lucene.index.SoftDeletesDirectoryReaderWrapper;
import org.apache.lucene.index.SortingCodecReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.IOBooleanSupplier;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.PassingLeafReader;
import org.luceneoffload.report.OffloadStats.Counter;

/** Readers in front of the segments, which hide or change what the device knows. */
class TestReaders extends SearcherTestCase {
  private static final int ROUNDS = 4;

  private void sameForSome(IndexReader wrapped) throws IOException {
    for (int i = 0; i < ROUNDS; i++) {
      same(wrapped, words.query());
    }
    // Without scores the device may be asked where norms are not what it knows.
    same(wrapped, Words.bool("#w0 -w1"));
  }

  /** One wrapper for each segment. */
  private static final class Wrapped extends FilterDirectoryReader {
    private final SubReaderWrapper wrapper;

    Wrapped(DirectoryReader in, SubReaderWrapper wrapper) throws IOException {
      super(in, wrapper);
      this.wrapper = wrapper;
    }

    @Override
    protected DirectoryReader doWrapDirectoryReader(DirectoryReader other) throws IOException {
      return new Wrapped(other, wrapper);
    }

    @Override
    public CacheHelper getReaderCacheHelper() {
      return null;
    }
  }

  private interface LeafWrapper {
    LeafReader wrap(LeafReader leaf);
  }

  private IndexReader wrap(LeafWrapper wrapper) throws IOException {
    return new Wrapped(
        reader,
        new FilterDirectoryReader.SubReaderWrapper() {
          @Override
          public LeafReader wrap(LeafReader leaf) {
            return wrapper.wrap(leaf);
          }
        });
  }

  @Test
  void wrapperThatChangesNothing() throws IOException {
    IndexReader wrapped = wrap(PassingLeafReader::new);
    onDevice(() -> sameForSome(wrapped));
  }

  @Test
  void hiddenField() throws IOException {
    final class Hiding extends PassingLeafReader {
      Hiding(LeafReader in) {
        super(in);
      }

      @Override
      public Terms terms(String field) throws IOException {
        return field.equals("title") ? null : super.terms(field);
      }
    }

    IndexReader wrapped = wrap(Hiding::new);
    onDevice(() -> sameForSome(wrapped));
    same(wrapped, new TermQuery(new Term("title", "w0")));
  }

  /** Terms with a 3 in them are not to be seen. */
  private static final class FewerTerms extends FilterLeafReader.FilterTerms {
    FewerTerms(Terms in) {
      super(in);
    }

    @Override
    public TermsEnum iterator() throws IOException {
      return new FilterLeafReader.FilterTermsEnum(in.iterator()) {
        private boolean hidden(BytesRef term) {
          return term.utf8ToString().contains("3");
        }

        @Override
        public boolean seekExact(BytesRef term) throws IOException {
          return !hidden(term) && in.seekExact(term);
        }

        @Override
        public IOBooleanSupplier prepareSeekExact(BytesRef term) throws IOException {
          return hidden(term) ? null : in.prepareSeekExact(term);
        }
      };
    }
  }

  @Test
  void hiddenTerms() throws IOException {
    final class Hiding extends PassingLeafReader {
      Hiding(LeafReader in) {
        super(in);
      }

      @Override
      public Terms terms(String field) throws IOException {
        Terms terms = super.terms(field);
        return terms == null ? null : new FewerTerms(terms);
      }
    }

    IndexReader wrapped = wrap(Hiding::new);
    onHost(() -> sameForSome(wrapped));
    same(wrapped, Words.bool("w3 w1"));
  }

  /** Every fifth doc is hidden as well. */
  private static Bits fewer(LeafReader in) {
    Bits live = in.getLiveDocs();
    return new Bits() {
      @Override
      public boolean get(int doc) {
        return doc % 5 != 0 && (live == null || live.get(doc));
      }

      @Override
      public int length() {
        return in.maxDoc();
      }
    };
  }

  private static final class FewerDocs extends PassingLeafReader {
    private final Bits own;
    private final boolean passesKeyOn;
    private final int numDocs;

    FewerDocs(LeafReader in, boolean fresh, boolean passesKeyOn) {
      super(in);
      this.own = fresh ? null : fewer(in);
      this.passesKeyOn = passesKeyOn;
      Bits live = fewer(in);
      int count = 0;
      for (int doc = 0; doc < in.maxDoc(); doc++) {
        count += live.get(doc) ? 1 : 0;
      }
      numDocs = count;
    }

    @Override
    public Bits getLiveDocs() {
      return own != null ? own : fewer(in);
    }

    @Override
    public int numDocs() {
      return numDocs;
    }

    @Override
    public CacheHelper getReaderCacheHelper() {
      return passesKeyOn ? super.getReaderCacheHelper() : null;
    }
  }

  @Test
  void otherLiveDocs() throws IOException {
    sameForSome(reader);
    for (boolean fresh : new boolean[] {false, true}) {
      for (boolean passesKeyOn : new boolean[] {false, true}) {
        IndexReader wrapped = wrap(leaf -> new FewerDocs(leaf, fresh, passesKeyOn));
        onDevice(() -> sameForSome(wrapped));
        // Nor does the wrapper change what the reader behind it answers.
        sameForSome(reader);
      }
    }
  }

  @Test
  void otherNorms() throws IOException {
    final class OtherNorms extends PassingLeafReader {
      OtherNorms(LeafReader in) {
        super(in);
      }

      @Override
      public NumericDocValues getNormValues(String field) throws IOException {
        return null;
      }
    }

    IndexReader wrapped = wrap(OtherNorms::new);
    sameForSome(wrapped);
    IndexReader behind = wrap(leaf -> new PassingLeafReader(new OtherNorms(leaf)));
    sameForSome(behind);
  }

  @Test
  void exitableReader() throws IOException {
    DirectoryReader wrapped = new ExitableDirectoryReader(reader, () -> false);
    onHost(() -> sameForSome(wrapped));
  }

  @Test
  void codecReaders() throws IOException {
    LeafReader leaf = reader.leaves().get(1).reader();
    onDevice(() -> sameForSome(SlowCodecReaderWrapper.wrap(leaf)));
    onDevice(() -> sameForSome(SlowCodecReaderWrapper.wrap(new PassingLeafReader(leaf))));
    // Those that sort are for merging, not for searching.
    Sort sort = new Sort(new SortField("number", SortField.Type.LONG));
    try (OffloadDirectory other = OffloadDirectory.open(home.resolve("sorted"), DEVICE)) {
      try (IndexWriter writer = new IndexWriter(other, config().setIndexSort(sort))) {
        writer.addIndexes(SortingCodecReader.wrap((CodecReader) leaf, sort));
      }
      try (DirectoryReader sorted = DirectoryReader.open(other)) {
        sameForSome(sorted);
      }
    }
  }

  @Test
  void severalReaders() throws IOException {
    MultiReader multi = new MultiReader(new IndexReader[] {reader, reader}, false);
    onDevice(() -> sameForSome(multi));
    MultiReader leaves =
        new MultiReader(
            new IndexReader[] {
              reader.leaves().get(2).reader(), reader.leaves().get(0).reader(),
            },
            false);
    onDevice(() -> sameForSome(leaves));
    MultiReader none = new MultiReader();
    onHost(() -> sameForSome(none));
  }

  /** The same documents once more, with other fields. */
  @Test
  void parallelReaders() throws IOException {
    try (OffloadDirectory other = OffloadDirectory.open(home.resolve("other"), DEVICE)) {
      try (IndexWriter writer = new IndexWriter(other, config())) {
        for (int doc = 0; doc < reader.maxDoc(); doc++) {
          Document document = new Document();
          document.add(new TextField("more", words.text(1 + random.nextInt(9)), Field.Store.NO));
          document.add(new NumericDocValuesField("rank", random.nextInt(9)));
          writer.addDocument(document);
          int docs = doc + 1;
          if (reader.leaves().stream().anyMatch(leaf -> leaf.docBase == docs)) {
            writer.flush();
          }
        }
      }
      try (DirectoryReader second = DirectoryReader.open(other)) {
        IndexReader both = new ParallelCompositeReader(false, reader, second);
        List<Query> queries = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
          queries.add(
              new BooleanQuery.Builder()
                  .add(words.query(), Occur.SHOULD)
                  .add(new TermQuery(new Term("more", words.word())), Occur.values()[i % 3])
                  .build());
        }
        for (Query query : queries) {
          same(both, query);
        }
        onDevice(() -> same(both, Words.bool("+w0 w1")));
        onDevice(() -> same(both, new TermQuery(new Term("more", "w0"))));
        LeafReader leaf =
            new ParallelLeafReader(
                false, second.leaves().get(1).reader(), reader.leaves().get(1).reader());
        for (Query query : queries) {
          same(leaf, query);
        }
        both.close();
        leaf.close();
      }
    }
  }

  @Test
  void softDeletes() throws IOException {
    try (OffloadDirectory soft = OffloadDirectory.open(home.resolve("soft"), DEVICE);
        IndexWriter writer = new IndexWriter(soft, config().setSoftDeletesField("gone"))) {
      words.add(writer, 300);
      DirectoryReader plain = DirectoryReader.open(writer);
      for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 20; i++) {
          Term id = new Term("id", Integer.toString(reader.maxDoc() + random.nextInt(300)));
          Document replacement = words.document();
          replacement.add(new StringField("round", "r" + round, Field.Store.NO));
          writer.softUpdateDocument(id, replacement, new NumericDocValuesField("gone", 1));
        }
        DirectoryReader next = DirectoryReader.openIfChanged(plain);
        plain.close();
        plain = next;
        DirectoryReader wrapped = new SoftDeletesDirectoryReaderWrapper(plain, "gone");
        long before = soft.stats().get(Counter.LEAVES_OFFLOADED);
        sameForSome(wrapped);
        sameForSome(plain);
        assertTrue(soft.stats().get(Counter.LEAVES_OFFLOADED) > before);
      }
      plain.close();
    }
  }

  /** A commit of the past, beside the present. */
  @Test
  void olderCommits() throws IOException {
    try (IndexWriter writer =
        new IndexWriter(directory, config().setIndexDeletionPolicy(NoDeletionPolicy.INSTANCE))) {
      words.delete(writer, 50);
      writer.commit();
      words.add(writer, 50);
      writer.forceMerge(1);
      writer.commit();
      for (var commit : DirectoryReader.listCommits(directory)) {
        try (DirectoryReader past = DirectoryReader.open(commit)) {
          onDevice(() -> sameForSome(past));
        }
      }
    }
  }
}
