/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.corpus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TestCorpusQueries {
  /** Documents in which a few words stand often and many seldom. */
  private static TermTable table(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    TermTable table = new TermTable();
    for (int doc = 0; doc < 2000; doc++) {
      table.add(
          IntStream.range(0, 30)
              .map(i -> (int) (900 * Math.pow(random.nextDouble(), 4)))
              .mapToObj(
                  i ->
                      "w"
                          + Character.toString('a' + i % 26)
                          + Character.toString('a' + i / 26 % 26)
                          + Character.toString('a' + i / 676))
              .collect(Collectors.joining(" ")));
    }
    return table;
  }

  @Test
  void everyShapeIsThereAndEveryWordOccurs() {
    TermTable table = table(7);
    Set<String> known = new HashSet<>();
    for (int doc = 0; doc < table.docCount(); doc++) {
      for (int term : table.termsOf(doc)) {
        known.add(table.term(term));
      }
    }
    List<String> lines = new CorpusQueries(table).generate();
    List<String> queries = lines.stream().filter(line -> !line.startsWith("#")).toList();
    assertTrue(queries.size() > 3 * CorpusQueries.PER_SHAPE, "only " + queries.size());
    assertEquals(queries.size(), new HashSet<>(queries).size(), "repeated queries");
    for (String shape : List.of("# AND", "# OR", "# NOT", "# MIXED")) {
      assertTrue(lines.contains(shape), shape);
    }
    for (String query : queries) {
      for (String word : query.split("[^a-z]+")) {
        assertTrue(word.isEmpty() || known.contains(word), word + " of " + query);
      }
    }
  }

  @Test
  void conjunctionsHaveAHit() {
    TermTable table = table(8);
    List<String> lines = new CorpusQueries(table).generate();
    List<String> conjunctions = lines.subList(lines.indexOf("# AND") + 1, lines.indexOf("# OR"));
    for (String query : conjunctions) {
      Set<String> words = Set.of(query.substring(1).split(" \\+"));
      assertTrue(
          IntStream.range(0, table.docCount())
              .anyMatch(
                  doc ->
                      IntStream.of(table.termsOf(doc))
                          .mapToObj(table::term)
                          .collect(Collectors.toSet())
                          .containsAll(words)),
          query);
    }
  }

  @Test
  void theSameCorpusGivesTheSameQueries() {
    assertEquals(new CorpusQueries(table(9)).generate(), new CorpusQueries(table(9)).generate());
  }

  @Test
  void anEmptyCorpusGivesNoQueries() {
    List<String> lines = new CorpusQueries(new TermTable()).generate();
    assertTrue(lines.stream().allMatch(line -> line.startsWith("#")), lines.toString());
  }
}
