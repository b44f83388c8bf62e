/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.demo;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.search.Query;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.cli.index.IndexBuilder;
import org.luceneoffload.cli.index.IndexReport;
import org.luceneoffload.cli.options.DeviceNames;
import org.luceneoffload.cli.options.IndexOptions;
import org.luceneoffload.cli.options.QueryOptions;
import org.luceneoffload.cli.output.Terminal;
import org.luceneoffload.cli.search.Answer;
import org.luceneoffload.cli.search.Comparison;
import org.luceneoffload.cli.search.DeviceWork;
import org.luceneoffload.cli.search.SearchSide;
import org.luceneoffload.cli.search.Wanted;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.corpus.CorpusBuilder;
import org.luceneoffload.workload.TypedFields;

/** Indexes the sample corpus, unless that was done before, and runs searches on both sides. */
final class DemoService {
  private static final int HITS = 3;
  private static final int RUNS = 20;

  private DemoService() {}

  /** Runs the demo. */
  static DemoReport run(DemoFiles files, String device, Terminal terminal)
      throws IOException, InterruptedException {
    DeviceNames.check(device);
    if (!CorpusBuilder.isBuilt(files.corpus())) {
      terminal.show("building the sample corpus ...");
    }
    files.needCorpus();
    terminal.clear();
    IndexReport indexing = null;
    if (!files.indexIsFresh(device)) {
      indexing = index(files, device, terminal);
      files.stampIndex(device);
    }
    List<DemoSearch> searches = files.searches();
    try (OffloadDirectory directory = IndexOptions.open(files.index(), device, false);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      List<DemoReport.Entry> entries = ask(reader, directory, searches);
      return new DemoReport(
          files.documents(),
          files.index(),
          device,
          indexing,
          reader.numDocs(),
          reader.leaves().size(),
          entries.stream().allMatch(DemoReport.Entry::identical),
          entries.stream().mapToLong(DemoReport.Entry::linkBytes).sum(),
          entries.stream().mapToLong(DemoReport.Entry::hostBytes).sum(),
          entries);
    }
  }

  private static IndexReport index(DemoFiles files, String device, Terminal terminal)
      throws IOException, InterruptedException {
    return IndexBuilder.build(
        new IndexBuilder.Request(
            files.index(),
            device,
            OffloadOptions.DEFAULT,
            List.of(files.documents()),
            CorpusBuilder.FIELDS,
            null,
            false,
            Runtime.getRuntime().availableProcessors(),
            1,
            IndexBuilder.Existing.REPLACE),
        terminal);
  }

  private static List<DemoReport.Entry> ask(
      DirectoryReader reader, OffloadDirectory directory, List<DemoSearch> searches)
      throws IOException {
    TypedFields fields = TypedFields.of(reader);
    List<Query> queries =
        QueryOptions.parse(searches.stream().map(DemoSearch::query).toList(), fields);
    List<Wanted> wanted = searches.stream().map(search -> search.wanted(HITS, fields)).toList();
    SearchSide device = SearchSide.device(reader, directory, false, null);
    SearchSide host = SearchSide.host(reader);
    List<Answer> firstDevice = new ArrayList<>();
    List<Answer> firstHost = new ArrayList<>();
    double[] deviceMicros = new double[queries.size()];
    double[] hostMicros = new double[queries.size()];
    for (int run = 0; run < RUNS; run++) {
      for (int i = 0; i < queries.size(); i++) {
        Answer d = device.answer(queries.get(i), wanted.get(i));
        Answer h = host.answer(queries.get(i), wanted.get(i));
        if (run == 0) {
          firstDevice.add(d);
          firstHost.add(h);
        }
        deviceMicros[i] = run == 0 ? d.micros() : Math.min(deviceMicros[i], d.micros());
        hostMicros[i] = run == 0 ? h.micros() : Math.min(hostMicros[i], h.micros());
      }
    }
    List<DemoReport.Entry> entries = new ArrayList<>();
    for (int i = 0; i < queries.size(); i++) {
      entries.add(
          entry(
              searches.get(i),
              firstDevice.get(i),
              firstHost.get(i),
              deviceMicros[i],
              hostMicros[i]));
    }
    return entries;
  }

  private static DemoReport.Entry entry(
      DemoSearch search, Answer device, Answer host, double deviceMicros, double hostMicros) {
    String difference = Comparison.firstDifference(device, host);
    DeviceWork work = device.work();
    return new DemoReport.Entry(
        search.query().text(),
        search.sort(),
        difference == null,
        difference,
        device.count(),
        device.relation(),
        deviceMicros,
        hostMicros,
        work.linkBytes(),
        work.hostBytes(),
        work.leavesOffloaded(),
        work.leavesOnHost() + work.leavesFallenBack(),
        work.place(device.count()),
        device.hits(),
        device.aggregates());
  }
}
