/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher.values;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.SortedNumericDocValuesField;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.Bits;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.aggregate.Aggregation;
import org.luceneoffload.aggregate.AggregationResults.DateCounts;
import org.luceneoffload.aggregate.CalendarInterval;
import org.luceneoffload.aggregate.CalendarInterval.Unit;
import org.luceneoffload.config.Placement;
import org.luceneoffload.fuzz.probe.PlainDates;
import org.luceneoffload.searcher.SearcherTestCase;

/** Counts by the calendar are those of a loop over the values, wherever days begin. */
class TestCalendars extends SearcherTestCase {
  private static final Query ALL = MatchAllDocsQuery.INSTANCE;

  /** Without, with and with odd changes of the clocks; in some, these go back over midnight. */
  private static final String[] ZONES = {
    "UTC",
    "+05:45",
    "Europe/Berlin",
    "America/New_York",
    "America/St_Johns",
    "America/Sao_Paulo",
    "Pacific/Apia",
    "Africa/Monrovia",
    "Asia/Gaza"
  };

  @Override
  public void add(IndexWriter writer, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      Document document = words.document();
      if (random.nextInt(5) > 0) {
        document.add(new NumericDocValuesField("time", time(1)));
        document.add(new NumericDocValuesField("short", time(200)));
      }
      for (int n = random.nextInt(4); n > 0; n--) {
        document.add(new SortedNumericDocValuesField("times", time(100)));
      }
      if (random.nextInt(50) == 0) {
        boolean first = random.nextBoolean();
        document.add(
            new NumericDocValuesField(
                "far", first ? Long.MIN_VALUE + i / 200 : Long.MAX_VALUE - i / 200));
      }
      writer.addDocument(document);
    }
  }

  /** An instant of 1926 to 2011 or a part of them, often at midnight or an hour of some zone. */
  private long time(int part) {
    long hours = random.nextInt(750_000 / part) - 385_000 / part;
    return switch (random.nextInt(4)) {
      case 0 -> hours * 3_600_000;
      case 1 -> hours * 3_600_000 - 1;
      case 2 -> {
        ZoneId zone = ZoneId.of(ZONES[random.nextInt(ZONES.length)]);
        LocalDate day = LocalDate.ofEpochDay(hours / 24);
        yield day.atStartOfDay(zone).toInstant().toEpochMilli() - random.nextInt(2);
      }
      default -> hours * 3_600_000 + random.nextInt(3_600_000);
    };
  }

  private List<List<Long>> values(String field) throws IOException {
    List<List<Long>> all = new ArrayList<>();
    for (LeafReaderContext leaf : reader.leaves()) {
      Bits live = leaf.reader().getLiveDocs();
      SortedNumericDocValues values = DocValues.getSortedNumeric(leaf.reader(), field);
      for (int doc = 0; doc < leaf.reader().maxDoc(); doc++) {
        if (live != null && !live.get(doc)) {
          continue;
        }
        List<Long> ofDoc = new ArrayList<>();
        if (values.advanceExact(doc)) {
          for (int i = values.docValueCount(); i > 0; i--) {
            ofDoc.add(values.nextValue());
          }
        }
        all.add(ofDoc);
      }
    }
    return all;
  }

  private DateCounts ours(Aggregation<DateCounts> asked, Placement placement) throws IOException {
    OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
    searcher.setPlacement(placement);
    return searcher.aggregate(ALL, asked).get(asked);
  }

  @Test
  void sameNumbersAsALoop() throws IOException {
    for (String field : new String[] {"time", "short", "times", "nowhere"}) {
      List<List<Long>> values = values(field);
      for (String zone : ZONES) {
        for (Unit unit : Unit.values()) {
          int step = 1 + random.nextInt(4);
          Aggregation.Dates asked =
              new Aggregation.Dates(
                  field, new CalendarInterval(unit, step, ZoneId.of(zone)), Integer.MAX_VALUE);
          DateCounts expected = PlainDates.of(asked, values);
          assertEquals(expected, ours(asked, Placement.AUTO), asked.toString());
          assertEquals(expected, ours(asked, Placement.NEVER), asked.toString());
        }
      }
    }
  }

  @Test
  void theDeviceDoesIt() throws IOException {
    onDevice(
        () -> ours(Aggregation.dates("short", interval(Unit.MONTH, 1, "UTC")), Placement.AUTO));
  }

  private static CalendarInterval interval(Unit unit, int step, String zone) {
    return new CalendarInterval(unit, step, ZoneId.of(zone));
  }

  @Test
  void sameNumbersAtTheEndsOfTime() throws IOException {
    List<List<Long>> values = values("far");
    for (Unit unit : Unit.values()) {
      Aggregation.Dates asked = new Aggregation.Dates("far", interval(unit, 1, "UTC"), 100_000);
      DateCounts expected = PlainDates.of(asked, values);
      assertEquals(expected, ours(asked, Placement.AUTO), asked.toString());
      assertEquals(expected, ours(asked, Placement.NEVER), asked.toString());
    }
  }

  @Test
  void tooManyBucketsAreAnError() {
    Aggregation<DateCounts> days = Aggregation.dates("time", interval(Unit.DAY, 1, "UTC"), 3);
    assertThrows(IllegalStateException.class, () -> ours(days, Placement.AUTO));
    assertThrows(IllegalStateException.class, () -> ours(days, Placement.NEVER));
  }

  private static long millis(String instant) {
    return Instant.parse(instant).toEpochMilli();
  }

  /** A day of 23 hours, one of 25, and one that clocks began twice. */
  @Test
  void daysAreAsLongAsClocksSay() {
    CalendarInterval berlin = interval(Unit.DAY, 1, "Europe/Berlin");
    assertEquals(millis("2024-03-30T23:00:00Z"), berlin.from(millis("2024-03-31T12:00:00Z")));
    assertEquals(millis("2024-03-31T22:00:00Z") - 1, berlin.to(millis("2024-03-31T12:00:00Z")));
    assertEquals(millis("2024-10-27T23:00:00Z") - 1, berlin.to(millis("2024-10-27T12:00:00Z")));
    CalendarInterval stJohns = interval(Unit.DAY, 1, "America/St_Johns");
    ZoneId zone = stJohns.zone();
    long first = LocalDate.of(2010, 11, 7).atStartOfDay(zone).toInstant().toEpochMilli();
    long back =
        LocalDateTime.of(2010, 11, 6, 23, 30)
            .atZone(zone)
            .withLaterOffsetAtOverlap()
            .toInstant()
            .toEpochMilli();
    assertEquals(first, stJohns.from(back));
    assertEquals(first, stJohns.from(first));
    assertEquals(first - 1, stJohns.to(first - 1));
    assertEquals(
        LocalDate.of(2010, 11, 8).atStartOfDay(zone).toInstant().toEpochMilli() - 1,
        stJohns.to(back));
  }

  @Test
  void intervalsAreInLine() {
    long millis = millis("2024-05-16T10:00:00Z");
    assertEquals(millis("2024-05-13T00:00:00Z"), interval(Unit.WEEK, 1, "Z").from(millis));
    assertEquals(millis("2024-04-01T00:00:00Z"), interval(Unit.MONTH, 3, "Z").from(millis));
    assertEquals(millis("2020-01-01T00:00:00Z"), interval(Unit.YEAR, 5, "Z").from(millis));
    assertEquals(millis("2025-01-01T00:00:00Z") - 1, interval(Unit.YEAR, 5, "Z").to(millis));
    assertEquals(millis("1969-12-29T00:00:00Z"), interval(Unit.WEEK, 1, "Z").from(-1));
    assertEquals(Long.MIN_VALUE, interval(Unit.YEAR, 1, "Z").from(Long.MIN_VALUE));
    assertEquals(Long.MAX_VALUE, interval(Unit.YEAR, 1, "Z").to(Long.MAX_VALUE));
    for (Unit unit : Unit.values()) {
      long last = interval(unit, 1, "Z").from(Long.MAX_VALUE);
      assertEquals(0, last % 86_400_000, unit.toString());
      assertEquals(last, interval(unit, 1, "Z").from(Long.MAX_VALUE - 1));
    }
    assertThrows(
        IllegalArgumentException.class, () -> new CalendarInterval(Unit.DAY, 0, ZoneOffset.UTC));
  }
}
