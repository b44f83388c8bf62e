/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.LeafCollector;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.RegexpQuery;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Weight;
import org.apache.lucene.search.WildcardQuery;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.config.Placement;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.DeviceInfo;
import org.luceneoffload.device.DeviceInfos;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.sim.SimDeviceProvider;
import org.luceneoffload.wire.layout.ResultHeaderLayout;

/** What a stream of a union's docs says when the set is gone between two of its pages. */
class TestLostSets {
  private static final int DOCS = 3000;
  private static final int TERMS = 2400; // more than a plan has room for

  @TempDir Path home;

  private final Set<Integer> resources = ConcurrentHashMap.newKeySet();
  private Device device;
  private OffloadDirectory directory;
  private DirectoryReader reader;

  private interface Event {
    void happen() throws IOException;
  }

  @BeforeEach
  void open() throws IOException {
    Random random = new Random(Long.getLong("tests.seed", 42));
    OffloadOptions options = OffloadOptions.DEFAULT.withUnionBytes(4 * (DOCS / 64 + 1) * 8);
    device = new SimDeviceProvider().openForWriting("capacity=64m", home);
    directory =
        OffloadDirectory.wrap(new ByteBuffersDirectory(), proxy(Device.class, device), options);
    IndexWriterConfig config = new IndexWriterConfig().setCodec(new OffloadCodec());
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      for (int i = 0; i < DOCS; i++) {
        Document document = new Document();
        for (int n = 0; n < (i < TERMS ? 2 : random.nextInt(2)); n++) {
          String term = "m" + (n == 0 ? i % TERMS : random.nextInt(TERMS));
          document.add(new StringField("many", term, Field.Store.NO));
        }
        writer.addDocument(document);
      }
      writer.forceMerge(1);
      writer.deleteDocuments(new Term("many", "m7"), new Term("many", "m1234"));
    }
    reader = DirectoryReader.open(directory);
  }

  @AfterEach
  void close() throws IOException {
    reader.close();
    directory.close();
    assertEquals(Set.of(), resources, "resources that nobody dropped");
  }

  /** The device, which notes its resources. */
  private <T> T proxy(Class<T> type, T target) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) ->
                switch (method.getName()) {
                  case "equals" -> self == arguments[0];
                  case "hashCode" -> System.identityHashCode(self);
                  default -> call(target, method, arguments);
                }));
  }

  private Object call(Object target, Method method, Object[] arguments) throws Throwable {
    try {
      Object result = method.invoke(target, arguments);
      switch (method.getName()) {
        case "putLiveDocs" -> resources.add((Integer) result);
        case "dropResource" -> resources.remove((Integer) arguments[0]);
        default -> {}
      }
      if (result instanceof DeviceInfo info) {
        return smallPages(info);
      }
      return result;
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  /** Result pages with room for 300 docs. */
  private static DeviceInfo smallPages(DeviceInfo info) {
    int bytes = ResultHeaderLayout.BYTES + 300 * Integer.BYTES;
    return DeviceInfos.like(info, info.readOnly(), bytes);
  }

  private void loseAll() throws IOException {
    for (int resource : resources) {
      device.dropResource(resource);
    }
    resources.clear();
  }

  private OffloadIndexSearcher searcher() {
    OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
    searcher.setPlacement(Placement.ALWAYS);
    searcher.setQueryCache(null);
    return searcher;
  }

  private static Query union() {
    return new PrefixQuery(new Term("many", "m"));
  }

  /** The docs of a query, one by one; something happens after some of them. */
  private List<Integer> docs(IndexSearcher searcher, Event event) throws IOException {
    Query query = searcher.rewrite(union());
    Weight weight = searcher.createWeight(query, ScoreMode.COMPLETE_NO_SCORES, 1f);
    List<Integer> docs = new ArrayList<>();
    for (LeafReaderContext leaf : reader.leaves()) {
      LeafCollector collector =
          new LeafCollector() {
            @Override
            public void setScorer(Scorable scorer) {}

            @Override
            public void collect(int doc) throws IOException {
              docs.add(leaf.docBase + doc);
              if (docs.size() == 50 || docs.size() == 1000) {
                event.happen();
              }
            }
          };
      int end = leaf.reader().maxDoc();
      weight.bulkScorer(leaf).score(collector, leaf.reader().getLiveDocs(), 0, end);
    }
    return docs;
  }

  private void check(Event event) throws IOException {
    List<Integer> expected = docs(new IndexSearcher(reader), () -> {});
    assertEquals(expected, docs(searcher(), event));
    long built = get(Counter.UNION_SETS_BUILT);
    assertEquals(expected, docs(searcher(), () -> {}), "once more");
    assertTrue(get(Counter.UNION_SETS_BUILT) <= built + 1);
  }

  private long get(Counter counter) {
    return directory.stats().get(counter);
  }

  @Test
  void theStreamHasSeveralPages() throws IOException {
    check(() -> {});
    assertTrue(get(Counter.UNION_SETS_HIT) >= 4, directory.stats().toString());
    assertEquals(0, get(Counter.LEAVES_FALLEN_BACK));
  }

  /** A set that made room for others is made again, for the next page. */
  @Test
  void evicted() throws IOException {
    Query[] others = {
      new WildcardQuery(new Term("many", "m*")),
      new WildcardQuery(new Term("many", "*")),
      new WildcardQuery(new Term("many", "*?")),
      new RegexpQuery(new Term("many", "m[0-9]*")),
    };
    check(
        () -> {
          for (Query other : others) {
            assertEquals(new IndexSearcher(reader).count(other), searcher().count(other));
          }
        });
    assertTrue(get(Counter.UNION_SETS_EVICTED) >= 2, directory.stats().toString());
    assertEquals(0, get(Counter.LEAVES_FALLEN_BACK), directory.stats().toString());
  }

  /** The host goes on where the device's answer ended; the next query has the set made again. */
  @Test
  void lost() throws IOException {
    long[] built = {0};
    check(
        () -> {
          built[0] = get(Counter.UNION_SETS_BUILT);
          loseAll();
        });
    assertTrue(get(Counter.LEAVES_FALLEN_BACK) > 0, directory.stats().toString());
    assertTrue(get(Counter.UNION_SETS_BUILT) > built[0], directory.stats().toString());
  }
}
