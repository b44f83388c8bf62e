/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.tasks;

import io.trino.tpch.LineItem;
import io.trino.tpch.Part;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.Query;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.aggregate.Aggregation;
import org.luceneoffload.aggregate.AggregationResults;
import org.luceneoffload.aggregate.AggregationResults.BucketResults;
import org.luceneoffload.aggregate.AggregationResults.LongStats;
import org.luceneoffload.aggregate.AggregationResults.ValueCounts;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.config.Placement;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.Devices;
import org.luceneoffload.device.timing.ModelSettings;
import org.luceneoffload.device.timing.TimingModel;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.ModelReport;
import org.luceneoffload.wire.OffloadWire;

/**
 * LINEITEM as columns of a Lucene index on a simulated device, and the paper's queries as plans of
 * the production engine: filters over columns, and aggregates. What a plan cannot express is a
 * column made when the table is indexed: products of columns, the two flags that query 1 groups by
 * as one number, and the revenue of promoted parts, which is the join of query 14.
 */
final class ColumnTable implements AutoCloseable {
  private static final int LETTER_BITS = 8;
  private static final int WHOLE = 100;
  private static final int MAX_GROUPS = 16;
  private static final double BUFFER_MB = 512;

  /** Sums of query 1 but for the count of rows, in the order of its result. */
  private static final List<String> SUMS =
      List.of("quantity", "price", "revenue", "charge", "discount");

  private final Path home;
  private final Device device;
  private final OffloadDirectory directory;
  private final DirectoryReader reader;

  /** Indexes the rows of a table. */
  ColumnTable(TpchTables tables) throws IOException {
    home = Files.createTempDirectory("offload-columns");
    device = Devices.provider("sim").openForWriting("", home);
    directory = OffloadDirectory.open(device, "lineitem", OffloadOptions.DEFAULT);
    IndexWriterConfig config =
        new IndexWriterConfig().setCodec(new OffloadCodec()).setRAMBufferSizeMB(BUFFER_MB);
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      Set<Long> promoted = new HashSet<>();
      for (Part part : tables.parts()) {
        if (part.getType().startsWith("PROMO")) {
          promoted.add(part.getPartKey());
        }
      }
      for (LineItem item : tables.items()) {
        writer.addDocument(document(item, promoted.contains(item.getPartKey())));
      }
      writer.forceMerge(1);
    }
    reader = DirectoryReader.open(directory);
  }

  private static Document document(LineItem item, boolean promoted) {
    long price = item.getExtendedPriceInCents();
    long revenue = price * (WHOLE - item.getDiscountPercent());
    Document document = new Document();
    add(document, "shipped", item.getShipDate());
    add(document, "quantity", item.getQuantity());
    add(document, "price", price);
    add(document, "discount", item.getDiscountPercent());
    add(document, "flags", item.getReturnFlag().charAt(0) << LETTER_BITS | status(item));
    add(document, "revenue", revenue);
    add(document, "charge", revenue * (WHOLE + item.getTaxPercent()));
    add(document, "rebate", price * item.getDiscountPercent());
    add(document, "promotion", promoted ? revenue : 0);
    return document;
  }

  private static int status(LineItem item) {
    return item.getStatus().charAt(0);
  }

  private static void add(Document document, String field, long value) {
    document.add(new NumericDocValuesField(field, value));
  }

  private static Query range(String field, long from, long to) {
    return NumericDocValuesField.newSlowRangeQuery(field, from, to);
  }

  /** Returns WHERE of a query. */
  private static Query where(TpchQuery query) {
    return switch (query) {
      case Q1 -> range("shipped", 0, 10_471);
      case Q6 ->
          new BooleanQuery.Builder()
              .add(range("shipped", 8_766, 9_130), Occur.FILTER)
              .add(range("discount", 5, 7), Occur.FILTER)
              .add(range("quantity", 0, 23), Occur.FILTER)
              .build();
      case Q14 -> range("shipped", 9_374, 9_403);
    };
  }

  /** Returns groups and sums of a query, as the programs over rows have them. */
  private static Map<Integer, long[]> run(OffloadIndexSearcher searcher, TpchQuery query)
      throws IOException {
    Map<Integer, long[]> groups = new TreeMap<>();
    switch (query) {
      case Q1 -> {
        List<Aggregation<LongStats>> sums = SUMS.stream().map(Aggregation::stats).toList();
        Aggregation<BucketResults<ValueCounts>> byFlags =
            Aggregation.inside(
                Aggregation.values("flags", MAX_GROUPS), sums.toArray(Aggregation<?>[]::new));
        BucketResults<ValueCounts> found = searcher.aggregate(where(query), byFlags).get(byFlags);
        for (int i = 0; i < found.inside().size(); i++) {
          ValueCounts.Count group = found.buckets().top().get(i);
          long[] values = new long[SUMS.size() + 1];
          for (int k = 0; k < SUMS.size(); k++) {
            values[k] = found.inside().get(i).get(sums.get(k)).sum();
          }
          values[SUMS.size()] = group.count();
          groups.put((int) group.value(), values);
        }
      }
      case Q6 -> groups.put(0, sums(searcher, query, "rebate"));
      case Q14 -> groups.put(0, sums(searcher, query, "promotion", "revenue"));
    }
    return groups;
  }

  private static long[] sums(OffloadIndexSearcher searcher, TpchQuery query, String... fields)
      throws IOException {
    List<Aggregation<LongStats>> sums = Stream.of(fields).map(Aggregation::stats).toList();
    AggregationResults found =
        searcher.aggregate(where(query), sums.toArray(Aggregation<?>[]::new));
    return sums.stream().mapToLong(sum -> found.get(sum).sum()).toArray();
  }

  /**
   * Runs a query as the product does.
   *
   * @param placement who answers
   */
  Map<Integer, long[]> run(TpchQuery query, Placement placement) throws IOException {
    OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
    searcher.setPlacement(placement);
    return run(searcher, query);
  }

  /**
   * What windows of docs took.
   *
   * @param reports of each plan over a window, on the host
   * @param result of all windows
   */
  record Windows(List<ModelReport> reports, Map<Integer, long[]> result) {}

  /**
   * Runs a query window by window, each a plan of the engine, which counts what it does.
   *
   * @param docs of a window, about
   */
  Windows windows(DeviceProfile profile, TpchQuery query, int docs) throws IOException {
    List<ModelReport> reports = new ArrayList<>();
    TimingModel model = TimingModel.of(device);
    model.startModel(
        profile.wireBytes(),
        ModelSettings.DEFAULT,
        plan ->
            reports.add(ModelReport.read(plan.modelData(OffloadWire.ModelData.HOST_REPORT), 0)));
    try {
      OffloadIndexSearcher searcher =
          new OffloadIndexSearcher(reader, Runnable::run) {
            @Override
            protected LeafSlice[] slices(List<LeafReaderContext> leaves) {
              LeafReaderContext leaf = leaves.get(0);
              List<LeafSlice> windows = new ArrayList<>();
              for (long from = 0; from < rows(); from += docs) {
                int to = (int) Math.min(rows(), from + docs);
                windows.add(
                    new LeafSlice(
                        List.of(LeafReaderContextPartition.createFromAndTo(leaf, (int) from, to))));
              }
              return windows.toArray(LeafSlice[]::new);
            }
          };
      searcher.setPlacement(Placement.ALWAYS);
      return new Windows(reports, run(searcher, query));
    } finally {
      model.stopModel();
    }
  }

  /** Returns how many rows there are. */
  int rows() {
    return reader.maxDoc();
  }

  @Override
  public void close() throws IOException {
    try {
      reader.close();
      directory.close();
    } finally {
      device.close();
      try (Stream<Path> files = Files.walk(home)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }
}
