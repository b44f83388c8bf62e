/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz.probe;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.lucene.document.LatLonDocValuesField;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.SortedNumericSelector;
import org.apache.lucene.search.SortedNumericSortField;
import org.apache.lucene.search.SortedSetSelector;
import org.apache.lucene.search.SortedSetSortField;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopFieldCollectorManager;
import org.apache.lucene.search.TopFieldDocs;
import org.apache.lucene.util.BytesRef;
import org.luceneoffload.OffloadTopFieldCollectorManager;
import org.luceneoffload.fuzz.generate.Schema;

/** The k first hits by fields. */
public final class SortProbes {
  private SortProbes() {}

  private static Sort sort(Random random) {
    List<SortField> fields = new ArrayList<>();
    int count = 1 + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      fields.add(field(random));
    }
    return new Sort(fields.toArray(SortField[]::new));
  }

  private static SortField field(Random random) {
    boolean reverse = random.nextBoolean();
    return switch (random.nextInt(20)) {
      case 0 -> SortField.FIELD_SCORE;
      case 1 -> new SortField(null, SortField.Type.SCORE, reverse);
      case 2 -> SortField.FIELD_DOC;
      case 3 -> new SortField(Schema.STRING, SortField.Type.STRING, reverse);
      case 4 -> new SortField(Schema.POINT, SortField.Type.LONG, reverse);
      case 5 -> new SortField(Schema.SKIPPED, SortField.Type.LONG, reverse);
      case 6 -> new SortField(Schema.UPDATED, SortField.Type.LONG, reverse);
      case 7 -> new SortField(Schema.NUMBER, SortField.Type.INT, reverse);
      case 8, 9 -> missing(random, reverse);
      case 10 ->
          new SortedNumericSortField(
              Schema.NUMBERS, SortField.Type.LONG, reverse, selector(random));
      case 11 ->
          new SortedNumericSortField(
              Schema.DOUBLES, SortField.Type.DOUBLE, reverse, selector(random));
      case 12 -> new SortField(Schema.NUMBER, SortField.Type.LONG, reverse);
      case 13 -> {
        double lat = 48 + random.nextGaussian();
        yield LatLonDocValuesField.newDistanceSort(
            Schema.PLACES, lat, 360 * random.nextDouble() - 180);
      }
      default -> new SortField(Schema.WIDE, SortField.Type.LONG, reverse);
    };
  }

  private static SortedNumericSelector.Type selector(Random random) {
    return random.nextBoolean() ? SortedNumericSelector.Type.MIN : SortedNumericSelector.Type.MAX;
  }

  /** A sort by values that not all documents have, with a place for those without. */
  private static SortField missing(Random random, boolean reverse) {
    if (random.nextBoolean()) {
      return new SortField(
          Schema.POINT, SortField.Type.LONG, reverse, (long) random.nextInt(2 * Schema.MAX_VALUE));
    }
    Object place = random.nextBoolean() ? SortField.STRING_FIRST : SortField.STRING_LAST;
    if (random.nextBoolean()) {
      return new SortField(Schema.STRING, SortField.Type.STRING, reverse, place);
    }
    SortedSetSelector.Type[] selectors = SortedSetSelector.Type.values();
    return new SortedSetSortField(
        Schema.KEYWORDS, reverse, selectors[random.nextInt(selectors.length)], place);
  }

  public static List<String> sorted(ProbedQuery asked, Random random) throws IOException {
    Sort sort = sort(random);
    int k = TopProbes.k(random);
    if (random.nextBoolean()) {
      boolean scores = random.nextBoolean();
      TopFieldDocs top = asked.searcher().search(asked.query(), k, sort, scores);
      return lines(asked, top, Math.max(k, 1000));
    }
    int threshold = random.nextInt(200);
    TopFieldCollectorManager manager =
        random.nextBoolean()
            ? new TopFieldCollectorManager(sort, k, null, threshold)
            : new OffloadTopFieldCollectorManager(sort, k, threshold);
    TopFieldDocs top = asked.searcher().search(asked.query(), manager);
    return lines(asked, top, Math.max(k, threshold));
  }

  public static List<String> after(ProbedQuery asked, Random random) throws IOException {
    Sort sort = sort(random);
    int k = TopProbes.k(random);
    List<String> lines = new ArrayList<>();
    FieldDoc after = null;
    for (int page = 0; page < 3; page++) {
      TopDocs top = asked.searcher().searchAfter(after, asked.query(), k, sort);
      lines.addAll(lines(asked, top, Math.max(k, 1000)));
      if (top.scoreDocs.length == 0) {
        break;
      }
      after = (FieldDoc) top.scoreDocs[top.scoreDocs.length - 1];
    }
    return lines;
  }

  private static List<String> lines(ProbedQuery asked, TopDocs top, int least) throws IOException {
    List<String> lines = TopProbes.lines(asked, top, least);
    for (ScoreDoc hit : top.scoreDocs) {
      Object[] values = ((FieldDoc) hit).fields.clone();
      for (int i = 0; i < values.length; i++) {
        if (values[i] instanceof BytesRef bytes) {
          values[i] = bytes.utf8ToString();
        }
      }
      lines.add(hit.doc + " " + Arrays.toString(values));
    }
    return lines;
  }
}
