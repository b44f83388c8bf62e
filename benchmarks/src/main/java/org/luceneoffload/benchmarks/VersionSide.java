/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.lucene.index.DirectoryReader;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.workload.BenchKind;
import org.luceneoffload.workload.BenchQueries;
import org.luceneoffload.workload.BenchSides;

/**
 * One version's side of {@link VersionRounds}: an index, its queries and both searchers. A class
 * loader of its own loads it, beside the jars of that version.
 */
public final class VersionSide implements VersionRounds.Side {
  private final OffloadDirectory directory;
  private final DirectoryReader reader;
  private final BenchQueries queries;
  private final BenchSides sides;

  /** Opens an index with the version beside this class. */
  public VersionSide(String index, String queryFile) throws IOException {
    directory = OffloadDirectory.open(Path.of(index), "sim:readonly=true");
    reader = DirectoryReader.open(directory);
    queries = BenchQueries.read(Path.of(queryFile), reader);
    sides = new BenchSides(reader);
  }

  @Override
  public List<String> kinds() {
    return queries.kinds().stream().map(BenchKind::name).toList();
  }

  @Override
  public int queries() {
    return queries.size();
  }

  @Override
  public String where(int query) {
    return queries.where(query);
  }

  @Override
  public VersionRounds.Timer timer(String name, boolean stock) {
    BenchKind kind = BenchKind.valueOf(name);
    return query -> sides.time(kind, queries.get(kind, query), stock);
  }

  @Override
  public boolean same(String name, int query) throws IOException {
    BenchKind kind = BenchKind.valueOf(name);
    return BenchKind.same(
        sides.run(kind, queries.get(kind, query), true),
        sides.run(kind, queries.get(kind, query), false));
  }

  @Override
  public void close() throws IOException {
    reader.close();
    directory.close();
  }
}
