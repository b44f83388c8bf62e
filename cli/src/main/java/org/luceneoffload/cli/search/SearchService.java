/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.search;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.cli.command.ErrorReport;
import org.luceneoffload.cli.command.Failure;
import org.luceneoffload.cli.model.ModelMeter;
import org.luceneoffload.cli.model.ModelOptions;
import org.luceneoffload.cli.model.TraceWriter;
import org.luceneoffload.cli.options.IndexOptions;
import org.luceneoffload.cli.options.QueryOptions;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.workload.QueryLine;
import org.luceneoffload.workload.TypedFields;

/** Runs queries on the device, on the host, or on both and compares. */
final class SearchService {
  /** Who is asked. */
  enum On {
    DEVICE,
    HOST,
    BOTH
  }

  /**
   * The search to run.
   *
   * @param on who is asked
   * @param mode what is asked
   * @param k hits wanted in mode TOP, at least 1
   * @param sort order of the hits as the command line says it; null: by score
   * @param aggregates aggregations as the command line says them
   * @param profile of the device to be modelled; null: none is
   * @param trace where the simulated timeline of the query goes; null: nowhere
   */
  record Request(
      On on,
      SearchMode mode,
      int k,
      String sort,
      List<String> aggregates,
      DeviceProfile profile,
      Path trace) {
    /** Returns what each query is asked for in an index with these fields. */
    Wanted wanted(TypedFields fields) {
      return new Wanted(
          mode,
          k,
          sort == null ? null : SortOrder.parse(sort, fields),
          aggregates.stream().map(text -> AggregateOption.parse(text, fields)).toList(),
          on != On.BOTH);
    }
  }

  /** Records of a trace that are kept, of one plan and side. */
  private static final int TRACE_RECORDS = 1 << 20;

  private SearchService() {}

  /**
   * Runs the queries in order; when both sides are asked, up to the first difference.
   *
   * @param lines the queries; all are parsed before the first one runs
   * @param output takes each result as it comes
   * @param err takes notes on the queries
   * @throws Failure naming the query if its syntax is wrong or it cannot be run
   */
  static SearchSummary run(
      IndexOptions index,
      Request request,
      List<QueryLine> lines,
      SearchOutput output,
      PrintWriter err)
      throws IOException {
    boolean device = request.on() != On.HOST;
    boolean host = request.on() != On.DEVICE;
    try (OffloadDirectory directory = device ? index.openOrHost() : index.openOnHost();
        DirectoryReader reader = DirectoryReader.open(directory);
        ModelMeter meter = meter(directory, request)) {
      TypedFields fields = TypedFields.of(reader);
      List<Query> parsed = QueryOptions.parse(lines, reader, err);
      Wanted wanted = request.wanted(fields);
      SearchSide deviceSide =
          device ? SearchSide.device(reader, directory, index.strict(), meter) : null;
      SearchSide hostSide = host ? SearchSide.host(reader) : null;
      output.begin(report(index, request, reader, lines.size()));
      DeviceWork.Mark mark = DeviceWork.mark(directory);
      int run = 0;
      int differences = 0;
      int offloaded = 0;
      while (run < lines.size() && differences == 0) {
        QueryResult result = runOne(lines.get(run), parsed.get(run), wanted, deviceSide, hostSide);
        output.add(result);
        run++;
        differences += Boolean.FALSE.equals(result.identical()) ? 1 : 0;
        offloaded += device && result.device().work().allOnDevice() ? 1 : 0;
      }
      SearchSummary summary =
          new SearchSummary(
              run,
              device ? offloaded : null,
              device && host ? differences == 0 : null,
              device && host ? differences : null,
              device ? mark.since(run) : null,
              request.trace() == null ? null : writeTrace(request, lines.get(0), deviceSide));
      output.end(summary);
      return summary;
    }
  }

  private static SearchReport report(
      IndexOptions index, Request request, DirectoryReader reader, int queries) {
    return new SearchReport(
        index.index(),
        index.device(),
        SearchReport.name(request.on()),
        SearchReport.name(request.mode()),
        request.k(),
        reader.numDocs(),
        reader.leaves().size(),
        queries,
        request.profile() == null ? null : request.profile().name());
  }

  /** Returns the meter; null if nothing is to be modelled. */
  private static ModelMeter meter(OffloadDirectory directory, Request request) throws IOException {
    if (request.profile() == null) {
      return null;
    }
    int records = request.trace() == null ? 0 : TRACE_RECORDS;
    return ModelOptions.start(directory, request.profile(), records);
  }

  /** Returns how many records are missing. */
  private static long writeTrace(Request request, QueryLine line, SearchSide side) {
    try {
      return TraceWriter.write(
          request.trace(), request.profile(), line.text(), side.modelledPrograms());
    } catch (IOException e) {
      throw Failure.of("--trace cannot be written: " + ErrorReport.sentence(e), e);
    }
  }

  private static QueryResult runOne(
      QueryLine line, Query query, Wanted wanted, SearchSide device, SearchSide host)
      throws IOException {
    try {
      Answer d = device == null ? null : device.answer(query, wanted);
      Answer h = host == null ? null : host.answer(query, wanted);
      String difference = d == null || h == null ? null : Comparison.firstDifference(d, h);
      Boolean identical = d == null || h == null ? null : difference == null;
      return new QueryResult(line.text(), line.origin(), identical, difference, d, h);
    } catch (IndexSearcher.TooManyClauses
        | UnsupportedOperationException
        | IllegalStateException e) {
      throw Failure.of(line.where() + ": " + e.getMessage(), e);
    } catch (StackOverflowError e) {
      throw Failure.of(line.where() + ": nested too deeply to be run", e);
    }
  }
}
