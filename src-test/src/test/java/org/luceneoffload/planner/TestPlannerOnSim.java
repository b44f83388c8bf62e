/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.planner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.config.Placement;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.timing.ModelSettings;
import org.luceneoffload.device.timing.ModelledPlan;
import org.luceneoffload.device.timing.ProfiledDevice;
import org.luceneoffload.device.timing.TimingModel;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.Profiles;
import org.luceneoffload.report.PlanExplanation;
import org.luceneoffload.report.Refusal;
import org.luceneoffload.store.image.ImageDirectory;
import org.luceneoffload.wire.OffloadWire.ModelData;
import org.luceneoffload.wire.layout.ModelReportLayout;

/**
 * Every profile over one index: what the planner chooses never changes an answer, and is seldom
 * worse than what the timing model finds afterwards.
 */
class TestPlannerOnSim {
  private static final int LARGE = 40_000;
  private static final int SMALL = 300;
  private static final int WORDS = 400;
  private static final int QUERIES = 40;
  private static final double MAX_REGRET = 0.05;

  /** Words drawn at random leave bounds less to prune than texts do: a slow core feels that. */
  private static final double MAX_UNDER_ONE_PROFILE = 0.15;

  private static final int HITS = 10;
  private static final int THRESHOLD = 1000;

  private static final Sort NEWEST = new Sort(new SortField("time", SortField.Type.LONG, true));

  @TempDir static Path home;

  private static final Random RANDOM = new Random(11);

  private static String word() {
    double u = RANDOM.nextDouble();
    return "w" + (int) (WORDS * u * u * u);
  }

  /** A large segment and a small one. */
  @BeforeAll
  static void index() throws IOException {
    IndexWriterConfig config =
        new IndexWriterConfig(new StandardAnalyzer())
            .setCodec(new OffloadCodec())
            .setMergePolicy(NoMergePolicy.INSTANCE)
            .setRAMBufferSizeMB(512);
    try (OffloadDirectory directory = OffloadDirectory.open(home, "sim:capacity=1g");
        IndexWriter writer = new IndexWriter(directory, config)) {
      for (int i = 0; i < LARGE + SMALL; i++) {
        if (i == LARGE) {
          writer.flush();
        }
        Document document = new Document();
        document.add(new TextField("body", text(), Field.Store.NO));
        document.add(new NumericDocValuesField("time", i));
        document.add(new NumericDocValuesField("any", RANDOM.nextInt(1000)));
        writer.addDocument(document);
      }
    }
  }

  /** Of any length, mostly short; words come in bursts, as they do in texts. */
  private static String text() {
    List<String> words = new ArrayList<>();
    int length = 3 + (int) (30 * -Math.log(1 - RANDOM.nextDouble()));
    for (int i = 0; i < length; i++) {
      boolean again = i > 0 && RANDOM.nextInt(3) == 0;
      words.add(again ? words.get(RANDOM.nextInt(i)) : word());
    }
    return String.join(" ", words);
  }

  private static List<Query> queries() {
    List<Query> queries = new ArrayList<>();
    for (int i = 0; i < QUERIES; i++) {
      BooleanQuery.Builder builder = new BooleanQuery.Builder();
      int clauses = 2 + RANDOM.nextInt(3);
      Occur second = List.of(Occur.MUST, Occur.SHOULD, Occur.MUST_NOT).get(i % 3);
      for (int c = 0; c < clauses; c++) {
        Occur occur = c == 0 && second != Occur.SHOULD ? Occur.MUST : second;
        builder.add(new TermQuery(new Term("body", word())), occur);
      }
      if (i % 4 == 1) {
        builder.add(filter(), Occur.FILTER);
      }
      queries.add(builder.build());
    }
    return queries;
  }

  private static Query filter() {
    int share = 1 + RANDOM.nextInt(500);
    int from = RANDOM.nextInt(1000 - share);
    return RANDOM.nextBoolean()
        ? NumericDocValuesField.newSlowRangeQuery("any", from, from + share)
        : NumericDocValuesField.newSlowRangeQuery("time", 40L * from, 40L * (from + share));
  }

  private static List<String> describe(TopDocs hits) {
    List<String> lines = new ArrayList<>();
    for (ScoreDoc hit : hits.scoreDocs) {
      lines.add(hit.doc + " " + Integer.toHexString(Float.floatToRawIntBits(hit.score)));
    }
    return lines;
  }

  /** Adds up the times of the plans that ran, in ns, as the model gives them. */
  private static final class Meter {
    private double deviceNs;
    private double hostNs;

    void add(ModelledPlan plan) throws IOException {
      deviceNs += ns(plan, ModelData.DEVICE_REPORT);
      hostNs += ns(plan, ModelData.HOST_REPORT);
    }

    private static double ns(ModelledPlan plan, int what) throws IOException {
      ByteBuffer report = plan.modelData(what);
      return ModelReportLayout.elapsedPs(report, 0) / 1e3;
    }
  }

  private static PlannerRegret regret(String profile, List<Query> queries) throws IOException {
    PlannerRegret regret = new PlannerRegret();
    String name = "sim:readonly=true,profile=" + profile;
    try (OffloadDirectory directory = OffloadDirectory.open(home, name);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      Device device = ImageDirectory.find(directory).handle().device();
      DeviceProfile standsFor = ProfiledDevice.of(device);
      assertEquals(profile, standsFor.name());
      Meter[] meter = {new Meter()};
      TimingModel.of(device)
          .startModel(standsFor.wireBytes(), ModelSettings.DEFAULT, plan -> meter[0].add(plan));
      OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
      searcher.setQueryCache(null);
      IndexSearcher stock = new IndexSearcher(reader);
      stock.setQueryCache(null);
      for (Query query : queries) {
        searcher.setPlacement(Placement.AUTO);
        List<String> expected = describe(stock.search(query, HITS));
        assertEquals(expected, describe(searcher.search(query, HITS)), profile + " " + query);
        assertEquals(stock.count(query), searcher.count(query), profile + " " + query);
        assertEquals(
            describe(stock.search(query, HITS, NEWEST)),
            describe(searcher.search(query, HITS, NEWEST)),
            profile + " newest " + query);
        PlanExplanation.Leaf large = searcher.explainPlan(query).leaves().get(0);
        if (large.estimate() == null) {
          continue; // no doc can match
        }
        OffloadIndexSearcher one = new OffloadIndexSearcher(reader.leaves().get(0).reader());
        one.setQueryCache(null);
        one.setPlacement(Placement.ALWAYS);
        meter[0] = new Meter();
        one.topDocs(query, HITS, THRESHOLD);
        regret.add(
            new PlannerRegret.Choice(
                query.toString(), large.estimate(), meter[0].deviceNs, meter[0].hostNs));
      }
      checkCounted(searcher, regret);
      TimingModel.of(device).stopModel();
    }
    return regret;
  }

  private static void checkCounted(OffloadIndexSearcher searcher, PlannerRegret regret) {
    boolean anyOnHost =
        regret.choices().stream().anyMatch(choice -> !choice.estimate().prefersDevice());
    Long counted = searcher.offloadStats().reasons().get(Refusal.Reason.PLANNER.text());
    assertTrue(!anyOnHost || (counted != null && counted > 0), "counted " + counted);
  }

  @Test
  void sameAnswersAndLittleRegret() throws IOException {
    List<Query> queries = queries();
    boolean device = false;
    boolean host = false;
    double sum = 0;
    for (String profile : Profiles.names()) {
      PlannerRegret regret = regret(profile, queries);
      String what =
          String.format(
              Locale.ROOT,
              "%s: %d queries, %d wrong, regret mean %.4f, total %.4f, worst %s",
              profile,
              regret.choices().size(),
              regret.wrong(),
              regret.mean(),
              regret.total(),
              regret.worst());
      System.out.println(what);
      assertTrue(regret.mean() <= MAX_UNDER_ONE_PROFILE, what);
      sum += regret.mean();
      for (PlannerRegret.Choice choice : regret.choices()) {
        device |= choice.estimate().prefersDevice();
        host |= !choice.estimate().prefersDevice();
      }
    }
    double mean = sum / Profiles.names().size();
    assertTrue(mean <= MAX_REGRET, "mean regret " + mean);
    assertTrue(device && host, "both sides are chosen");
  }
}
