/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.guest;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.store.FSDirectory;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.contract.SplittingDevice;
import org.luceneoffload.nvme.NvmeDeviceProvider;

/** Plans that a namespace behind the kernel's driver and the guest share, window by window. */
final class SharedPlans {
  private static final int QUERIES = 12;
  private static final OffloadOptions OPTIONS =
      OffloadOptions.DEFAULT.withDeviceTimeout(Duration.ofSeconds(60)).withStrict(true);

  private final Random random = new Random(12);

  /** Asks an index that the tool has made. */
  void run(String device, Path index) throws IOException {
    String namespace = device.substring("nvme:".length());
    SplittingDevice splits =
        new SplittingDevice(new NvmeDeviceProvider().open(namespace + ",readonly=true", index));
    try (OffloadDirectory directory =
            OffloadDirectory.wrap(FSDirectory.open(index), splits, OPTIONS);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      IndexSearcher stock = new IndexSearcher(reader);
      OffloadIndexSearcher ours = new OffloadIndexSearcher(reader);
      for (int i = 0; i < QUERIES; i++) {
        Query query = query();
        require(describe(stock.search(query, 20)), describe(ours.search(query, 20)), query);
        require(stock.count(query), ours.count(query), query);
      }
    }
    SplittingDevice.checkBothSidesHadWindows(List.of(splits));
  }

  private static void require(Object expected, Object got, Query query) {
    if (!expected.equals(got)) {
      throw new AssertionError(query + ": " + got + " is not " + expected);
    }
  }

  private Query query() {
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    for (int i = 0; i < 3; i++) {
      String word = "word" + random.nextInt(20);
      builder.add(new TermQuery(new Term("body", word)), i == 0 ? Occur.MUST : Occur.SHOULD);
    }
    return builder.build();
  }

  private static List<String> describe(TopDocs hits) {
    List<String> described = new ArrayList<>();
    for (ScoreDoc hit : hits.scoreDocs) {
      described.add(hit.doc + " " + Float.floatToRawIntBits(hit.score));
    }
    return described;
  }
}
