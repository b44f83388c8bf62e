/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.whatif;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.search.Query;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.cli.model.ModelMeter;
import org.luceneoffload.cli.model.ModelOptions;
import org.luceneoffload.config.Placement;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.workload.BenchClass;
import org.luceneoffload.workload.QueryShape;
import org.luceneoffload.workload.request.LoggedRequest;

/** The queries of a log, asked on the simulator under a recorder. */
final class LoggedQueries {
  /** Hits of a query that asks for none. */
  private static final int HITS = 10;

  /** Records of a trace that are kept, of one plan and side. */
  private static final int TRACE_RECORDS = 1 << 20;

  private final OffloadDirectory directory;
  private final OffloadIndexSearcher searcher;
  private final List<Entry> entries;

  /** A query, its class, and how often it is asked. */
  private record Entry(String name, Query query, int hits, long count) {}

  /**
   * What the log takes on a profile.
   *
   * @param device by class of queries
   * @param host by class of queries
   * @param left queries that leave nothing to the device
   */
  record Cost(
      DeviceProfile profile, Map<String, SideCost> device, Map<String, SideCost> host, long left) {
    /** The name of all classes together. */
    static final String ALL = "all";
  }

  private LoggedQueries(
      OffloadDirectory directory, OffloadIndexSearcher searcher, List<Entry> entries) {
    this.directory = directory;
    this.searcher = searcher;
    this.entries = entries;
  }

  /** Makes a log; what could not be translated is left out. */
  static LoggedQueries of(
      OffloadDirectory directory, DirectoryReader reader, List<LoggedRequest> log)
      throws IOException {
    OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
    searcher.setQueryCache(null);
    searcher.setPlacement(Placement.ALWAYS);
    List<Entry> entries = new ArrayList<>();
    for (LoggedRequest line : log) {
      if (line.request() != null) {
        Query query = line.request().query();
        String name = QueryShape.of(query) + ", " + BenchClass.of(query, reader).terms();
        int hits = line.request().size() > 0 ? line.request().size() : HITS;
        entries.add(new Entry(name, query, hits, line.count()));
      }
    }
    return new LoggedQueries(directory, searcher, entries);
  }

  int size() {
    return entries.size();
  }

  /** Returns a log of so many of the queries at most, evenly spread. */
  LoggedQueries sample(int most) {
    List<Entry> some = new ArrayList<>();
    int step = Math.max(1, Math.ceilDiv(entries.size(), most));
    for (int i = 0; i < entries.size(); i += step) {
      some.add(entries.get(i));
    }
    return new LoggedQueries(directory, searcher, some);
  }

  /** Writes the host's reads of every query as a trace. */
  void write(BlockTrace trace, DeviceProfile profile) throws IOException {
    try (ModelMeter meter = ModelOptions.start(directory, profile, TRACE_RECORDS)) {
      for (Entry entry : entries) {
        searcher.search(entry.query(), entry.hits());
        for (ModelMeter.ModelledProgram program : meter.take()) {
          trace.add(program);
        }
      }
    }
  }

  /** Asks every query once. */
  Cost run(DeviceProfile profile) throws IOException {
    Map<String, SideCost> device = new TreeMap<>();
    Map<String, SideCost> host = new TreeMap<>();
    long left = 0;
    try (ModelMeter meter = ModelOptions.start(directory, profile, 0)) {
      for (Entry entry : entries) {
        searcher.search(entry.query(), entry.hits());
        List<ModelMeter.ModelledProgram> programs = meter.take();
        if (programs.isEmpty()) {
          left += entry.count();
          continue;
        }
        for (String name : List.of(entry.name(), Cost.ALL)) {
          SideCost onDevice = device.computeIfAbsent(name, key -> new SideCost());
          SideCost onHost = host.computeIfAbsent(name, key -> new SideCost());
          onDevice.queries(entry.count());
          onHost.queries(entry.count());
          for (ModelMeter.ModelledProgram program : programs) {
            onDevice.add(program.onDevice(), entry.count());
            onHost.add(program.onHost(), entry.count());
          }
        }
      }
    }
    return new Cost(profile, device, host, left);
  }
}
