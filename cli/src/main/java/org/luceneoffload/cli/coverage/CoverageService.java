/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.coverage;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.IndexSearcher;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.aggregate.Aggregation;
import org.luceneoffload.cli.coverage.CoverageReport.Place;
import org.luceneoffload.cli.search.DeviceWork;
import org.luceneoffload.workload.DocIds;
import org.luceneoffload.workload.request.LoggedRequest;
import org.luceneoffload.workload.request.SearchRequest;

/** Runs each request of a log once, and looks at who answered. */
final class CoverageService {
  private final OffloadDirectory directory;
  private final OffloadIndexSearcher searcher;

  CoverageService(OffloadDirectory directory, DirectoryReader reader) {
    this.directory = directory;
    searcher = new OffloadIndexSearcher(reader);
    searcher.setQueryCache(null); // every answer is worked out
  }

  /** What is known of a shape so far. */
  private static final class Found {
    final Map<String, Long> names = new TreeMap<>();
    final TreeSet<String> reasons = new TreeSet<>();
    final Map<Place, Long> places = new EnumMap<>(Place.class);

    long requests() {
      return places.values().stream().mapToLong(Long::longValue).sum();
    }

    Place place() {
      return places.entrySet().stream()
          .max(Map.Entry.comparingByValue())
          .map(Map.Entry::getKey)
          .orElseThrow();
    }
  }

  /**
   * Runs a log.
   *
   * @param name of the log; null: it is the catalogue
   * @param device name of the device
   *     <p>A request that Lucene itself refuses is one that could not be translated.
   */
  CoverageReport run(String name, String device, List<LoggedRequest> log) throws IOException {
    Map<String, Found> shapes = new LinkedHashMap<>();
    for (LoggedRequest line : log) {
      boolean translated = line.request() != null;
      String shape = translated ? ShapeText.of(line.request()) : line.untranslated();
      Found found = shapes.computeIfAbsent(shape, unused -> new Found());
      Place place = Place.UNTRANSLATED;
      if (translated) {
        place = ask(line, found.reasons);
      } else if (found.reasons.isEmpty()) {
        found.reasons.add(line.example());
      }
      found.places.merge(place, line.count(), Long::sum);
      if (line.name() != null) {
        found.names.merge(line.name(), line.count(), Long::sum);
      }
    }
    return report(name, device, log.size(), shapes);
  }

  private Place ask(LoggedRequest line, TreeSet<String> reasons) throws IOException {
    DeviceWork.Mark mark = DeviceWork.mark(directory);
    try {
      ask(line.request());
    } catch (IndexSearcher.TooManyClauses
        | UnsupportedOperationException
        | IllegalArgumentException
        | IllegalStateException e) {
      reasons.add("Lucene refuses it: " + e.getMessage());
      return Place.UNTRANSLATED;
    }
    DeviceWork work = mark.since();
    reasons.addAll(work.reasons().keySet());
    boolean other = line.request().otherWork() != null;
    if (other) {
      reasons.add(line.request().otherWork() + " is the host's work");
    }
    if (work.leavesOffloaded() == 0) {
      boolean searched = work.leavesOnHost() + work.leavesFallenBack() > 0;
      return searched || other || !work.reasons().isEmpty() ? Place.HOST : Place.NOWHERE;
    }
    return work.allOnDevice() && !other ? Place.DEVICE : Place.PARTLY;
  }

  private void ask(SearchRequest request) throws IOException {
    if (request.collapse() != null) {
      searcher.collapse(request.query(), request.collapse(), request.size());
    } else if (request.size() > 0 && request.sort() == null) {
      searcher.search(request.query(), request.size());
    } else if (request.size() > 0) {
      searcher.searchAfter(after(request), request.query(), request.size(), request.sort());
    }
    if (!request.aggregations().isEmpty()) {
      searcher.aggregate(request.query(), request.aggregations().toArray(Aggregation<?>[]::new));
    }
    if (request.otherWork() != null) {
      searcher.search(request.query(), DocIds.manager());
    } else if (request.size() == 0 && request.aggregations().isEmpty()) {
      searcher.count(request.query());
    }
  }

  /**
   * Returns the last hit of the page before. A log says its keys, not its doc ID: docs of equal
   * keys count as seen.
   */
  private FieldDoc after(SearchRequest request) {
    int last = searcher.getIndexReader().maxDoc() - 1;
    return request.after() == null || last < 0
        ? null
        : new FieldDoc(last, Float.NaN, request.after().fields);
  }

  private static CoverageReport report(
      String name, String device, int lines, Map<String, Found> found) {
    List<CoverageReport.Shape> shapes = new ArrayList<>();
    found.forEach(
        (shape, of) ->
            shapes.add(
                new CoverageReport.Shape(
                    shape,
                    of.names,
                    of.requests(),
                    of.place(),
                    of.place() == Place.DEVICE ? List.of() : List.copyOf(of.reasons))));
    shapes.sort(
        Comparator.comparing(CoverageReport.Shape::place)
            .thenComparing(CoverageReport.Shape::requests, Comparator.reverseOrder())
            .thenComparing(CoverageReport.Shape::shape));
    List<CoverageReport.Share> places = new ArrayList<>();
    for (Place place : Place.values()) {
      places.add(
          new CoverageReport.Share(
              place,
              found.values().stream().mapToLong(of -> of.places.getOrDefault(place, 0L)).sum(),
              (int) shapes.stream().filter(shape -> shape.place() == place).count()));
    }
    long requests = places.stream().mapToLong(CoverageReport.Share::requests).sum();
    return new CoverageReport(name, device, requests, lines, places, shapes);
  }
}
