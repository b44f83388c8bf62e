/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.explore;

import java.io.Closeable;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.Query;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.cli.command.Build;
import org.luceneoffload.cli.command.ErrorReport;
import org.luceneoffload.cli.command.Failure;
import org.luceneoffload.cli.model.ModelMeter;
import org.luceneoffload.cli.model.ModelOptions;
import org.luceneoffload.cli.model.ModelledCost;
import org.luceneoffload.cli.model.TimeLine;
import org.luceneoffload.cli.options.IndexOnNode;
import org.luceneoffload.cli.options.IndexOptions;
import org.luceneoffload.cli.options.QueryOptions;
import org.luceneoffload.cli.search.Answer;
import org.luceneoffload.cli.search.SearchSide;
import org.luceneoffload.cli.search.Wanted;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.Profiles;
import org.luceneoffload.workload.InputException;
import org.luceneoffload.workload.Queries;
import org.luceneoffload.workload.QueryLine;
import org.luceneoffload.workload.TypedField;
import org.luceneoffload.workload.TypedFields;

/**
 * The index that a page shows. The device's counters are of all queries together, so one is
 * answered at a time, whichever browser asks.
 */
final class ExploreIndex implements Closeable {
  /** Records of a trace that are kept, of one plan and side. */
  private static final int TRACE_RECORDS = 1 << 16;

  /** Changes of a profile after which a plan reads those pages alone that it takes up. */
  private static final Map<String, Long> NOTHING_AHEAD =
      Map.of("device.program_read_ahead", 0L, "host.read_ahead", 0L);

  private final OffloadDirectory directory;
  private final Path index;
  private final String device;
  private final boolean strict;
  private DirectoryReader reader;
  private TypedFields fields;

  /** What is searched: a part of an answer, which may fail in many ways. */
  private interface Work<T> {
    T run() throws IOException, RequestException;
  }

  /** A query and its filters, parsed. */
  private record Asked(Query query, List<String> notes) {}

  /**
   * Opens a reader.
   *
   * @param directory of the index; stays the caller's
   * @param strict whether trouble with the device is an error
   */
  ExploreIndex(OffloadDirectory directory, Path index, String device, boolean strict)
      throws IOException {
    this.directory = directory;
    this.index = index;
    this.device = device;
    this.strict = strict;
    reader = DirectoryReader.open(directory);
    fields = TypedFields.of(reader);
  }

  /** Asks one query in all ways, so that the first one of a browser need not load the classes. */
  void warm() {
    try {
      ExploreRequest request = ExploreRequest.parse("q=*:*&profile=" + Profiles.names().getFirst());
      search(request);
      facets(request);
      model(request);
    } catch (RequestException e) {
      // A browser that asks will be told.
    }
  }

  /** Returns what the index is. */
  synchronized ExploreReport.Overview overview() throws RequestException {
    return working(
        () ->
            new ExploreReport.Overview(
                Build.read().version(),
                index,
                device,
                reader.numDocs(),
                reader.leaves().size(),
                Queries.DEFAULT_FIELD,
                Completion.fields(reader, fields).stream().map(this::field).toList(),
                Profiles.names()));
  }

  private ExploreReport.Field field(String name) {
    TypedField typed = fields.get(name);
    return typed == null
        ? new ExploreReport.Field(name, "text", false)
        : new ExploreReport.Field(name, type(typed), typed.type() != TypedField.Type.GEO);
  }

  private static String type(TypedField field) {
    return field.type().name().toLowerCase(Locale.ROOT);
  }

  /** Returns what the word at the caret of a request may become. */
  synchronized Completion complete(ExploreRequest request) throws RequestException {
    return working(() -> Completion.of(reader, fields, request.query(), request.caret()));
  }

  /** Returns a page of the best hits, of both sides. */
  synchronized ExploreReport.Hits search(ExploreRequest request) throws RequestException {
    return working(
        () -> {
          Asked asked = parse(request);
          Wanted wanted = wanted(request);
          Answer onDevice =
              SearchSide.device(reader, directory, strict, null).answer(asked.query, wanted);
          Answer onHost = SearchSide.host(reader).answer(asked.query, wanted);
          long matches = Math.max(onDevice.count(), onHost.count()); // both may be lower bounds
          return new ExploreReport.Hits(
              asked.query.toString(),
              request.from(),
              (int) Math.min(matches, ExploreRequest.MAX_HITS),
              onDevice.work().place(onDevice.count()),
              Identity.of(onDevice, onHost),
              onDevice.withHits(request.from(), request.size()),
              onHost.withHits(request.from(), request.size()),
              asked.notes,
              searcher().explainPlan(asked.query));
        });
  }

  /** Returns the matches by the values of each typed field, as both sides find them. */
  synchronized ExploreReport.Facets facets(ExploreRequest request) throws RequestException {
    return working(() -> ExploreFacets.of(parse(request).query, fields, directory, reader, strict));
  }

  /** Returns what the query would take on a modelled device, and which pages it reads. */
  synchronized ExploreReport.Modelled model(ExploreRequest request) throws RequestException {
    if (!Profiles.names().contains(request.profile())) {
      throw RequestException.wrong("the profile must be one of " + Profiles.names());
    }
    return working(
        () -> {
          Asked asked = parse(request);
          DeviceProfile profile = Profiles.load(request.profile());
          try {
            List<ModelMeter.ModelledProgram> programs = modelled(request, asked, profile);
            List<ModelMeter.ModelledProgram> inTurn =
                modelled(request, asked, Profiles.change(profile, NOTHING_AHEAD, "explore"));
            return new ExploreReport.Modelled(
                programs.isEmpty() ? "nothing of this query ran on the device" : null,
                ModelledCost.of(profile.name(), programs),
                TimeLine.ofDevice(programs),
                TimeLine.ofHost(programs),
                programs.stream().mapToLong(ModelMeter.ModelledProgram::lost).sum(),
                PageStrip.of(
                    searcher().explainPlan(asked.query),
                    new PageStrip.Pages(TimeLine.pagesRead(inTurn), TimeLine.pagesRead(programs))));
          } catch (Unmodelled e) {
            return ExploreReport.Modelled.none(e.getMessage());
          }
        });
  }

  private List<ModelMeter.ModelledProgram> modelled(
      ExploreRequest request, Asked asked, DeviceProfile profile)
      throws IOException, RequestException {
    try (ModelMeter meter = meter(profile)) {
      SearchSide.device(reader, directory, strict, null).answer(asked.query, wanted(request));
      return meter.take();
    }
  }

  /** The device models nothing. */
  private static final class Unmodelled extends IOException {
    private static final long serialVersionUID = 1L;

    Unmodelled(Failure cause) {
      super(cause.getMessage(), cause);
    }
  }

  private ModelMeter meter(DeviceProfile profile) throws IOException {
    try {
      return ModelOptions.start(directory, profile, TRACE_RECORDS);
    } catch (Failure e) {
      throw new Unmodelled(e);
    }
  }

  private OffloadIndexSearcher searcher() {
    OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
    searcher.setQueryCache(null);
    return searcher;
  }

  private Wanted wanted(ExploreRequest request) throws RequestException {
    try {
      return Wanted.top(request.from() + request.size(), request.sort(), fields);
    } catch (Failure | InputException e) {
      throw RequestException.wrong(e.getMessage());
    }
  }

  private Asked parse(ExploreRequest request) throws IOException, RequestException {
    List<QueryLine> lines =
        Stream.concat(Stream.of(request.query()), request.filters().stream())
            .filter(text -> !text.isBlank())
            .map(text -> new QueryLine(text, null))
            .toList();
    StringWriter notes = new StringWriter();
    List<Query> parsed;
    try {
      parsed = new ArrayList<>(QueryOptions.parse(lines, reader, new PrintWriter(notes)));
    } catch (Failure | InputException e) {
      throw RequestException.wrong(e.getMessage());
    }
    Query query = request.query().isEmpty() ? MatchAllDocsQuery.INSTANCE : parsed.removeFirst();
    if (!parsed.isEmpty()) {
      BooleanQuery.Builder all = new BooleanQuery.Builder().add(query, Occur.MUST);
      parsed.forEach(filter -> all.add(filter, Occur.FILTER));
      query = all.build();
    }
    return new Asked(
        query, notes.toString().lines().map(line -> line.replace("offload: note: ", "")).toList());
  }

  /** Works on the latest commit of the index, and puts every failure in one form. */
  private <T> T working(Work<T> work) throws RequestException {
    try {
      refresh();
      return work.run();
    } catch (IndexSearcher.TooManyClauses | UnsupportedOperationException e) {
      throw RequestException.wrong(e.getMessage());
    } catch (IllegalStateException e) {
      throw RequestException.unavailable(e.getMessage(), e);
    } catch (StackOverflowError e) {
      throw RequestException.wrong("the query is nested too deeply");
    } catch (IOException | RuntimeException e) {
      throw RequestException.unavailable(ErrorReport.sentence(e), e);
    }
  }

  private void refresh() throws IOException {
    if (!IndexOnNode.isOne(index) && !(Files.isDirectory(index) && IndexOptions.isIndex(index))) {
      throw Failure.of("the index has gone: there is none in " + index + " any more");
    }
    DirectoryReader newer = DirectoryReader.openIfChanged(reader);
    if (newer != null) {
      reader.close();
      reader = newer;
      fields = TypedFields.of(newer);
    }
  }

  @Override
  public synchronized void close() throws IOException {
    reader.close();
  }
}
