/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.CollectorManager;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.LRUQueryCache;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryCachingPolicy;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.SimpleCollector;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.codec.HandMadeImages;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.device.RamBlockDevice;
import org.luceneoffload.device.ReferenceProgram;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.store.guard.DeviceHandle;

/** The effects of stock's way to an answer that an application can see, besides the answer. */
class TestStockHabits {
  private static final int DOCS = 10_000;

  private final RamBlockDevice device = new RamBlockDevice(1 << 20, new ReferenceProgram());
  private final DeviceHandle handle = new DeviceHandle(device, () -> {});
  private final HandMadeImages images = new HandMadeImages(handle, OffloadOptions.DEFAULT);
  private final ByteBuffersDirectory directory = new ByteBuffersDirectory();
  private DirectoryReader reader;

  @BeforeEach
  void makeIndex() throws IOException {
    try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
      for (int i = 0; i < DOCS; i++) {
        Document document = new Document();
        document.add(new StringField("f", "all", Field.Store.NO));
        document.add(new StringField("f", "mod3." + i % 3, Field.Store.NO));
        document.add(new StringField("f", "mod5." + i % 5, Field.Store.NO));
        writer.addDocument(document);
      }
      writer.forceMerge(1);
    }
    reader = images.open(DirectoryReader.open(directory));
  }

  @AfterEach
  void close() throws IOException {
    reader.close();
    handle.release();
  }

  private static TermQuery term(String text) {
    return new TermQuery(new Term("f", text));
  }

  private static BooleanQuery both(Query must, Query other, Occur occur) {
    return new BooleanQuery.Builder().add(must, Occur.MUST).add(other, occur).build();
  }

  private long offloaded() {
    return handle.stats().get(Counter.LEAVES_OFFLOADED);
  }

  private static final class CountingSearcher extends OffloadIndexSearcher {
    private int counts;

    CountingSearcher(IndexReader reader) {
      super(reader);
    }

    @Override
    public int count(Query query) throws IOException {
      counts++;
      return super.count(query);
    }
  }

  @Test
  void overriddenCountIsAskedForTheParts() throws IOException {
    CountingSearcher searcher = new CountingSearcher(reader);
    Query query =
        new BooleanQuery.Builder()
            .add(term("no match"), Occur.SHOULD)
            .add(term("no match either"), Occur.SHOULD)
            .build();
    assertEquals(0, searcher.count(query));
    assertEquals(3, searcher.counts);
    assertEquals(DOCS / 15 + 1, searcher.count(both(term("mod3.0"), term("mod5.0"), Occur.MUST)));
    assertTrue(offloaded() > 0);
  }

  /** Collects, of each doc, which of the scorer's children are on it. */
  private static final class ChildCollector extends SimpleCollector {
    private final List<Scorer> children = new ArrayList<>();
    private int docs;
    private int optional;

    @Override
    public void setScorer(Scorable scorer) throws IOException {
      for (Scorable.ChildScorable child : scorer.getChildren()) {
        children.add(assertInstanceOf(Scorer.class, child.child()));
      }
    }

    @Override
    public void collect(int doc) {
      docs++;
      assertEquals(2, children.size());
      assertEquals(doc, children.get(0).docID());
      if (children.get(1).docID() == doc) {
        optional++;
      }
    }

    @Override
    public ScoreMode scoreMode() {
      return ScoreMode.COMPLETE_NO_SCORES;
    }
  }

  @Test
  void childrenOfTheScorerFollowTheDocs() throws IOException {
    ChildCollector collector = new ChildCollector();
    new OffloadIndexSearcher(reader)
        .search(
            both(term("mod3.1"), term("mod5.2"), Occur.FILTER),
            new CollectorManager<ChildCollector, Void>() {
              @Override
              public ChildCollector newCollector() {
                return collector;
              }

              @Override
              public Void reduce(Collection<ChildCollector> collectors) {
                return null;
              }
            });
    assertEquals(666, collector.docs, 1);
    assertEquals(collector.docs, collector.optional);
    assertTrue(offloaded() > 0);
  }

  /** A cache that keeps book of what it takes. */
  private static final class BookkeepingCache extends LRUQueryCache {
    private final List<Query> taken = new ArrayList<>();

    BookkeepingCache() {
      super(100, 1 << 20, leaf -> true, Float.POSITIVE_INFINITY);
    }

    @Override
    protected void onQueryCache(Query query, long ramBytesUsed) {
      taken.add(query);
    }
  }

  private static OffloadIndexSearcher caching(
      DirectoryReader reader, LRUQueryCache cache, boolean always, AtomicInteger uses) {
    OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
    searcher.setQueryCache(cache);
    searcher.setQueryCachingPolicy(
        new QueryCachingPolicy() {
          @Override
          public void onUse(Query query) {
            uses.incrementAndGet();
          }

          @Override
          public boolean shouldCache(Query query) {
            return always;
          }
        });
    return searcher;
  }

  @Test
  void applicationsPolicyDecidesWhatIsCached() throws IOException {
    BookkeepingCache cache = new BookkeepingCache();
    AtomicInteger uses = new AtomicInteger();
    OffloadIndexSearcher searcher = caching(reader, cache, true, uses);
    Query filtered = both(term("mod3.1"), term("mod5.2"), Occur.FILTER);
    TopDocs hits = searcher.search(filtered, 10);
    assertEquals(List.of(term("mod5.2")), cache.taken);
    assertEquals(1, uses.get());
    cache.taken.clear();
    uses.set(0);
    searcher.search(new ConstantScoreQuery(new BoostQuery(term("all"), 2f)), 10);
    assertEquals(List.of(term("all")), cache.taken);
    assertEquals(1, uses.get());
    assertEquals(0, offloaded());

    OffloadIndexSearcher never = caching(reader, cache, false, uses);
    assertEquals(hits.totalHits, never.search(filtered, 10).totalHits);
    never.search(both(term("mod3.1"), term("mod5.2"), Occur.SHOULD), 10);
    assertEquals(1, offloaded());
    assertEquals(hits.totalHits.value(), never.count(filtered));
    assertEquals(1, offloaded());
  }

  @Test
  void weightIsOfTheQueryWithoutWrappers() throws IOException {
    OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
    Query bool = both(term("mod3.1"), term("mod5.2"), Occur.MUST);
    Query wrapped = new ConstantScoreQuery(new BoostQuery(new ConstantScoreQuery(bool), 2f));
    assertEquals(bool, searcher.createWeight(wrapped, ScoreMode.COMPLETE_NO_SCORES, 1f).getQuery());
    assertEquals(wrapped, searcher.createWeight(wrapped, ScoreMode.COMPLETE, 1f).getQuery());
  }

  @Test
  void timeoutLeavesTheHitsOfTheWindowsBefore() throws IOException {
    OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
    AtomicInteger asked = new AtomicInteger();
    searcher.setTimeout(() -> asked.incrementAndGet() == 10);
    TopDocs hits = searcher.search(term("all"), DOCS);
    assertTrue(searcher.timedOut());
    assertTrue(hits.scoreDocs.length > 0 && hits.scoreDocs.length < DOCS);
    assertTrue(offloaded() > 0);
  }
}
