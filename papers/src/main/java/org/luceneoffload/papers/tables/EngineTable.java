/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.tables;

import java.io.IOException;
import java.nio.ByteBuffer;
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
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.aggregate.Aggregation;
import org.luceneoffload.aggregate.AggregationResults.LongStats;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.config.Placement;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.Devices;
import org.luceneoffload.device.timing.ModelSettings;
import org.luceneoffload.device.timing.ModelledPlan;
import org.luceneoffload.device.timing.TimingModel;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.ModelReport;
import org.luceneoffload.papers.classic.Recording;
import org.luceneoffload.papers.tables.EngineStudy.Answer;
import org.luceneoffload.wire.OffloadWire.ModelData;
import org.luceneoffload.wire.layout.ModelReportLayout;

/** Two columns of the paper's rows as an index on a simulated device, and plans over them. */
final class EngineTable implements AutoCloseable {
  /** Fraction of the rows that are indexed. */
  static final int SCALE = 2048;

  private static final int RANGE = org.luceneoffload.papers.classic.table.Query.RANGE;
  private static final int ROWS = (int) (TableLab.ROWS / SCALE);
  private static final String MATCHED = "a";
  private static final String SUMMED = "b";

  private final Path home;
  private final Device device;
  private final OffloadDirectory directory;
  private final DirectoryReader reader;
  private final OffloadIndexSearcher searcher;

  /** Indexes the rows. */
  EngineTable() throws IOException {
    home = Files.createTempDirectory("offload-columns");
    device = Devices.provider("sim").openForWriting("", home);
    directory =
        OffloadDirectory.wrap(
            new ByteBuffersDirectory(), device, OffloadOptions.DEFAULT.withStrict(true));
    write();
    reader = DirectoryReader.open(directory);
    searcher = new OffloadIndexSearcher(reader);
    searcher.setQueryCache(null);
    searcher.setPlacement(Placement.ALWAYS);
  }

  private void write() throws IOException {
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

  /** Runs all selectivities of one kind of query. */
  List<Answer> answers(DeviceProfile profile, boolean sums) throws IOException {
    List<Answer> answers = new ArrayList<>();
    for (int ppm : TableLab.SELECTIVITIES) {
      int bound = org.luceneoffload.papers.classic.table.Query.ofPpm(ppm, sums).bound();
      answers.add(answer(profile, bound, sums));
    }
    return answers;
  }

  /** What the recorder has of the one plan of a query. */
  private static final class Heard {
    private ModelReport onDevice;
    private ModelReport onHost;
    private Recording recording;
    private long openedBytes;

    void take(ModelledPlan plan) throws IOException {
      if (recording != null) {
        throw new IllegalStateException("a query over one segment is one plan");
      }
      ByteBuffer report = plan.modelData(ModelData.DEVICE_REPORT);
      onDevice = ModelReport.read(report, 0);
      openedBytes = ModelReportLayout.bytesOpened(report, 0);
      onHost = ModelReport.read(plan.modelData(ModelData.HOST_REPORT), 0);
      recording = new Recording(plan.modelData(ModelData.EVENTS));
    }
  }

  private Answer answer(DeviceProfile profile, int bound, boolean sums) throws IOException {
    Heard heard = new Heard();
    TimingModel.of(device).startModel(profile.wireBytes(), ModelSettings.DEFAULT, heard::take);
    try {
      Query query = NumericDocValuesField.newSlowRangeQuery(MATCHED, 0, bound - 1L);
      long matches = 0;
      long sum = 0;
      if (sums) {
        Aggregation<LongStats> stats = Aggregation.stats(SUMMED);
        LongStats found = searcher.aggregate(query, stats).get(stats);
        matches = found.values();
        sum = found.sum();
      } else {
        matches = searcher.count(query);
      }
      return new Answer(
          TableLab.full(heard.onDevice, matches, SCALE),
          TableLab.full(heard.onHost, matches, SCALE),
          heard.onDevice.pageLoads(),
          matches,
          sum,
          heard.recording,
          heard.openedBytes);
    } finally {
      TimingModel.of(device).stopModel();
    }
  }

  @Override
  public void close() throws IOException {
    reader.close();
    directory.close();
    device.close();
    try (Stream<Path> files = Files.walk(home)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
