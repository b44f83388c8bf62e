/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.IndexWriterConfig.OpenMode;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.codec.HandMadeImages;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.config.Placement;
import org.luceneoffload.device.RamBlockDevice;
import org.luceneoffload.device.ReferenceProgram;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.Profiles;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.report.PlanExplanation;
import org.luceneoffload.report.Refusal;
import org.luceneoffload.search.compile.TestQueryCompiler;
import org.luceneoffload.store.guard.DeviceHandle;

/** That the application's choice of a place is followed, and never shows in an answer. */
class TestPlacement {
  private static final long SEED = Long.getLong("tests.seed", System.nanoTime());

  private final Random random = new Random(SEED);
  private final RandomIndex documents = new RandomIndex(random);
  private final RandomQueries queries = new RandomQueries(random, documents);
  private final RamBlockDevice device = new RamBlockDevice(1 << 20, new ReferenceProgram());
  private final ByteBuffersDirectory directory = new ByteBuffersDirectory();

  private DeviceHandle handle;

  @BeforeEach
  void open() throws Exception {
    System.out.println("seed of " + getClass().getSimpleName() + ": -Dtests.seed=" + SEED);
    use(null);
  }

  private void use(DeviceProfile profile) throws Exception {
    if (handle != null) {
      handle.release();
    }
    device.standFor(profile);
    handle = new DeviceHandle(device, () -> {});
  }

  @AfterEach
  void close() throws Exception {
    handle.release();
  }

  private DirectoryReader reader(OffloadOptions options) throws Exception {
    IndexWriterConfig config =
        new IndexWriterConfig(new StandardAnalyzer())
            .setMergePolicy(NoMergePolicy.INSTANCE)
            .setOpenMode(OpenMode.CREATE);
    IndexWriter writer = new IndexWriter(directory, config);
    for (int size : new int[] {20, 300, 1500}) {
      documents.add(writer, size);
      writer.flush();
    }
    documents.delete(writer, 40);
    writer.close();
    return new HandMadeImages(handle, options).open(DirectoryReader.open(directory));
  }

  private void check(DirectoryReader reader, OffloadIndexSearcher searcher) throws Exception {
    SearcherComparison comparison =
        new SearcherComparison(new IndexSearcher(reader), searcher, random);
    for (int i = 0; i < 8; i++) {
      comparison.check(queries.expressible());
      comparison.check(queries.mixed());
    }
  }

  @Test
  void neverByTheDirectory() throws Exception {
    OffloadOptions options = OffloadOptions.DEFAULT.withPlacement(Placement.NEVER).withStrict(true);
    try (DirectoryReader reader = reader(options)) {
      OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
      assertEquals(Placement.NEVER, searcher.placement());
      check(reader, searcher);
      assertEquals(0, handle.stats().get(Counter.PLANS_EXECUTED));
      assertEquals(0, handle.stats().get(Counter.QUERIES_COMPILED));
      Query query = TestQueryCompiler.parse("w0 w1");
      assertEquals(Refusal.Reason.PLACEMENT, searcher.explainPlan(query).refusal().reason());
      searcher.setPlacement(Placement.ALWAYS);
      searcher.setStrict(false);
      check(reader, searcher);
      assertTrue(handle.stats().get(Counter.LEAVES_OFFLOADED) > 0);
    }
  }

  @Test
  void withoutProfileAutoIsTheDevice() throws Exception {
    try (DirectoryReader reader = reader(OffloadOptions.DEFAULT)) {
      OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
      assertEquals(Placement.AUTO, searcher.placement());
      check(reader, searcher);
      assertTrue(handle.stats().get(Counter.LEAVES_OFFLOADED) > 0);
      assertEquals(null, handle.stats().reasons().get(Refusal.Reason.PLANNER.text()));
    }
  }

  @Test
  void theHostScoresWhatTheDeviceFilters() throws Exception {
    try (DirectoryReader reader = reader(OffloadOptions.DEFAULT)) {
      OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
      searcher.setPlacement(Placement.FILTER);
      check(reader, searcher);
      assertTrue(handle.stats().get(Counter.LEAVES_OFFLOADED) > 0);
      assertEquals(0, handle.stats().get(Counter.DOCS_SCORED), "scores are the host's");
      searcher.setStrict(true);
      Query query = TestQueryCompiler.parse("+w0 +w1");
      long before = handle.stats().get(Counter.LEAVES_OFFLOADED);
      TopDocs expected = new IndexSearcher(reader).search(query, 10);
      assertEquals(
          SearcherComparison.describe(expected.scoreDocs),
          SearcherComparison.describe(searcher.search(query, 10).scoreDocs));
      assertEquals(before + 3, handle.stats().get(Counter.LEAVES_OFFLOADED));
      assertEquals(0, handle.stats().get(Counter.DOCS_SCORED));
    }
  }

  private long leavesOnHostByChoice() {
    return handle.stats().reasons().getOrDefault(Refusal.Reason.PLANNER.text(), 0L);
  }

  @Test
  void everyProfileGivesTheSameAnswers() throws Exception {
    for (String name : Profiles.names()) {
      use(Profiles.load(name));
      try (DirectoryReader reader = reader(OffloadOptions.DEFAULT)) {
        check(reader, new OffloadIndexSearcher(reader));
        long asked = handle.stats().get(Counter.LEAVES_OFFLOADED) + leavesOnHostByChoice();
        assertTrue(asked > 0, name);
      }
    }
  }

  /** A core of a MHz: postings cost more there than the host's fixed time does. */
  @Test
  void smallSegmentsOnTheDeviceLargeOnesOnTheHost() throws Exception {
    use(
        Profiles.load("pcie5-csd")
            .with("device.core_hz", 1_000_000, "a test")
            .with("host.query_ns", 3_000_000, "a test"));
    try (DirectoryReader reader = reader(OffloadOptions.DEFAULT.withStrict(true))) {
      OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
      Query query = TestQueryCompiler.parse("+w0 +w1");
      PlanExplanation explanation = searcher.explainPlan(query);
      PlanExplanation.Leaf small = explanation.leaves().get(0);
      PlanExplanation.Leaf large = explanation.leaves().get(2);
      assertEquals(PlanExplanation.Place.DEVICE, small.place());
      assertEquals(PlanExplanation.Place.HOST, large.place());
      assertEquals(Refusal.Reason.PLANNER, large.refusal().reason());
      assertTrue(small.estimate().prefersDevice());
      assertTrue(large.estimate().deviceNs() > large.estimate().hostNs());
      String text = explanation.toString();
      assertTrue(text.contains("bytes, estimated device "), text);
      assertTrue(text.contains("host, the planner chose the host: estimated device "), text);
      assertEquals(0, handle.stats().get(Counter.PLANS_EXECUTED));
      searcher.search(query, 10);
      assertTrue(leavesOnHostByChoice() > 0);
      assertTrue(handle.stats().get(Counter.LEAVES_OFFLOADED) > 0);
      searcher.setStrict(false);
      for (int i = 0; i < 3; i++) {
        check(reader, searcher);
      }
      long before = leavesOnHostByChoice();
      searcher.setPlacement(Placement.ALWAYS);
      check(reader, searcher);
      assertEquals(before, leavesOnHostByChoice());
    }
  }

  /** Queries that never pay on the device go the stock way altogether. */
  @Test
  void aSessionThatTakesASecond() throws Exception {
    use(Profiles.load("pcie5-csd").with("device.session_open_ns", 1_000_000_000, "a test"));
    try (DirectoryReader reader = reader(OffloadOptions.DEFAULT)) {
      check(reader, new OffloadIndexSearcher(reader));
      assertTrue(leavesOnHostByChoice() > 0);
      assertEquals(0, handle.stats().get(Counter.PLANS_EXECUTED));
    }
  }

  @Test
  void thereIsAlwaysAPlacement() {
    assertThrows(NullPointerException.class, () -> OffloadOptions.DEFAULT.withPlacement(null));
    assertEquals(Placement.AUTO, OffloadOptions.DEFAULT.placement());
    assertTrue(OffloadOptions.DEFAULT.withStrict(true).withPlacement(Placement.NEVER).strict());
  }
}
