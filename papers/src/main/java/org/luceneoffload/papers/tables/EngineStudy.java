/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.tables;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.search.Query;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.luceneoffload.OffloadAggregations;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.aggregate.Aggregation;
import org.luceneoffload.aggregate.LongStats;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.config.Placement;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.Devices;
import org.luceneoffload.device.timing.ModelSettings;
import org.luceneoffload.device.timing.TimingModel;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.ModelReport;
import org.luceneoffload.papers.study.Table;
import org.luceneoffload.papers.tables.TableLab.Full;
import org.luceneoffload.papers.tables.TableScans.Where;
import org.luceneoffload.wire.OffloadWire;

/**
 * The paper's queries as plans of the production engine, over an index that the project's codec
 * wrote: a column range, counted, and a column range with an aggregate. A column stands in pages of
 * its own, so the number of columns does not matter; the engine's recorder times the plans.
 */
final class EngineStudy {
  private static final int SCALE = 2048;
  private static final int RANGE = org.luceneoffload.papers.classic.table.Query.RANGE;
  private static final int ROWS = (int) (TableLab.ROWS / SCALE);
  private static final String MATCHED = "a";
  private static final String SUMMED = "b";

  private EngineStudy() {}

  /**
   * What a query took at full size.
   *
   * @param device on the device
   * @param host the same plan on the host
   * @param pages of columns that it loaded of the scaled table
   * @param matches rows of the scaled table
   * @param sum of their second column; 0 if it was not asked for
   */
  record Answer(Full device, Full host, long pages, long matches, long sum) {}

  /** Runs the queries, and returns their table, beside the paper's scans of 64 columns. */
  static Table run(DeviceProfile profile, TableScans scans) throws IOException {
    Table table =
        Table.of(
                "The same queries on the production engine",
                "400 million rows, two columns of an index that this project's codec wrote; plans"
                    + " of a column range, counted, and of a column range with an aggregate, under"
                    + " the engine's recorder, 1/"
                    + SCALE
                    + " of the rows. A column has pages of its own, packed, so a query reads those"
                    + " of two columns whatever the table has. Beside it the best of the paper's"
                    + " scans of Synthetic64. Not in the paper.")
            .text("query")
            .number("rows that match", "%")
            .number("pages of 4 KB", "")
            .number("engine on the device", "s")
            .number("engine on the host", "s")
            .number("gain", "x")
            .number("Smart SSD, PAX", "s")
            .number("regular SSD", "s");
    for (boolean sums : new boolean[] {false, true}) {
      List<Answer> answers = answers(profile, sums);
      for (int i = 0; i < answers.size(); i++) {
        int ppm = TableLab.SELECTIVITIES.get(i);
        Answer answer = answers.get(i);
        table.row(
            sums ? "aggregation" : "selection",
            ppm / 1e4,
            answer.pages() * SCALE,
            answer.device().seconds(),
            answer.host().seconds(),
            answer.host().seconds() / answer.device().seconds(),
            scans.of(Where.PAX, TableLab.WIDEST, sums, ppm).seconds(),
            scans.of(Where.SSD, TableLab.WIDEST, sums, ppm).seconds());
      }
    }
    return table;
  }

  /** Runs all selectivities of one kind of query. */
  static List<Answer> answers(DeviceProfile profile, boolean sums) throws IOException {
    Path home = Files.createTempDirectory("offload-columns");
    try (Device device = Devices.provider("sim").openForWriting("", home);
        OffloadDirectory directory =
            OffloadDirectory.wrap(
                new ByteBuffersDirectory(), device, OffloadOptions.DEFAULT.withStrict(true))) {
      write(directory);
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
        searcher.setQueryCache(null);
        searcher.setPlacement(Placement.ALWAYS);
        List<Answer> answers = new ArrayList<>();
        for (int ppm : TableLab.SELECTIVITIES) {
          int bound = org.luceneoffload.papers.classic.table.Query.ofPpm(ppm, sums).bound();
          answers.add(answer(device, profile, searcher, bound, sums));
        }
        return answers;
      }
    } finally {
      delete(home);
    }
  }

  private static void write(OffloadDirectory directory) throws IOException {
    IndexWriterConfig config = new IndexWriterConfig().setCodec(new OffloadCodec());
    SplittableRandom random = new SplittableRandom(1);
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      for (int row = 0; row < ROWS; row++) {
        Document document = new Document();
        document.add(new NumericDocValuesField(MATCHED, random.nextInt(RANGE)));
        document.add(new NumericDocValuesField(SUMMED, random.nextInt(RANGE)));
        writer.addDocument(document);
      }
      writer.forceMerge(1);
    }
  }

  private static Answer answer(
      Device device, DeviceProfile profile, OffloadIndexSearcher searcher, int bound, boolean sums)
      throws IOException {
    List<ModelReport> onDevice = new ArrayList<>();
    List<ModelReport> onHost = new ArrayList<>();
    TimingModel.of(device)
        .startModel(
            profile.wireBytes(),
            ModelSettings.DEFAULT,
            plan -> {
              onDevice.add(
                  ModelReport.read(plan.modelData(OffloadWire.ModelData.DEVICE_REPORT), 0));
              onHost.add(ModelReport.read(plan.modelData(OffloadWire.ModelData.HOST_REPORT), 0));
            });
    try {
      Query query = NumericDocValuesField.newSlowRangeQuery(MATCHED, 0, bound - 1L);
      long matches = 0;
      long sum = 0;
      if (sums) {
        Aggregation<LongStats> stats = Aggregation.stats(SUMMED);
        LongStats found = OffloadAggregations.search(searcher, query, stats).get(stats);
        matches = found.values();
        sum = found.sum();
      } else {
        matches = searcher.count(query);
      }
      ModelReport report = ModelReport.inSequence(onDevice);
      return new Answer(
          TableLab.full(report, matches, SCALE),
          TableLab.full(ModelReport.inSequence(onHost), matches, SCALE),
          report.pageLoads(),
          matches,
          sum);
    } finally {
      TimingModel.of(device).stopModel();
    }
  }

  private static void delete(Path home) throws IOException {
    try (Stream<Path> files = Files.walk(home)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
