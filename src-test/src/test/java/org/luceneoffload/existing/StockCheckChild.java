/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.existing;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.Bits;

/** Checks, searches and opens for writing with stock Lucene; names no class of this library. */
final class StockCheckChild {
  private StockCheckChild() {}

  /** Arguments: index, seed, whether deletes are soft. Prints what {@link #inspect} returns. */
  public static void main(String[] args) throws Exception {
    Path index = Path.of(args[0]);
    try (Directory plain = FSDirectory.open(index)) {
      check(plain);
      IndexWriterConfig config = new IndexWriterConfig().setMergePolicy(NoMergePolicy.INSTANCE);
      if (args[2].equals("true")) {
        config.setSoftDeletesField(StockIndex.SOFT_DELETES);
      }
      new IndexWriter(plain, config).close();
      if (DirectoryReader.listCommits(plain).size() != 1) {
        throw new AssertionError("commits: " + DirectoryReader.listCommits(plain));
      }
    }
    inspect(index, Long.parseLong(args[1])).forEach(Child::print);
  }

  private static void check(Directory plain) throws Exception {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    try (CheckIndex check = new CheckIndex(plain)) {
      check.setInfoStream(new PrintStream(said, true, StandardCharsets.UTF_8), true);
      check.setLevel(CheckIndex.Level.MIN_LEVEL_FOR_SLOW_CHECKS);
      if (!check.checkIndex().clean) {
        throw new AssertionError(said.toString(StandardCharsets.UTF_8));
      }
    }
  }

  /** QueryAnswers to the queries of a seed, then the values that were updated, a line each. */
  static List<String> inspect(Path index, long seed) throws Exception {
    List<String> lines =
        new ArrayList<>(QueryAnswers.ofStock(index, QueryAnswers.queries(seed, 40)));
    try (Directory plain = FSDirectory.open(index);
        DirectoryReader reader = DirectoryReader.open(plain)) {
      for (LeafReaderContext leaf : reader.leaves()) {
        StringBuilder values = new StringBuilder();
        NumericDocValues value = leaf.reader().getNumericDocValues("value");
        Bits live = leaf.reader().getLiveDocs();
        while (value != null && value.nextDoc() < leaf.reader().maxDoc()) {
          boolean alive = live == null || live.get(value.docID());
          values.append(' ').append(value.docID()).append('=').append(value.longValue());
          values
              .append(alive ? "" : "-")
              .append(reader.storedFields().document(leaf.docBase + value.docID()).get("id"));
        }
        lines.add(values.toString());
      }
    }
    return lines;
  }
}
