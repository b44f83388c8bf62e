/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.existing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;

/** Some indexes need this library's jar, and others not even that. */
class TestJarAlone extends ExistingIndexTestCase {
  private static boolean withoutBackends(String entry) {
    return !Child.isModule(entry, "jni-bridge")
        && !Child.isModule(entry, "lucene-offload-native")
        && !entry.contains("jna");
  }

  private static boolean withoutLibrary(String entry) {
    return withoutBackends(entry) && !Child.isModule(entry, "lucene-offload");
  }

  /** Written by us: the one jar, with no device, no native library and no JNA, is enough. */
  @Test
  void anIndexOfOursWithTheJarAlone() throws Exception {
    for (boolean compound : new boolean[] {false, true}) {
      index = temp.resolve("ours" + compound);
      try (OffloadDirectory directory = open(index)) {
        new StockIndex(random, new StockIndex.Shape(2, 500, false, compound, false, false, true))
            .write(directory, new OffloadCodec());
      }
      List<String> expected = QueryAnswers.ofStock(index, queries);
      assertOffloaded(expected);
      assertEquals(
          expected,
          Child.run(TestJarAlone::withoutBackends, SearchChild.class, index, "host", seed));
    }
    List<String> unknown =
        Child.run(TestJarAlone::withoutBackends, SearchChild.class, index, "sim", seed);
    assertTrue(unknown.toString().contains("unknown device \"sim\""), unknown.toString());
  }

  /** Nothing but facets and spans needs Lucene's. */
  @Test
  void anIndexOfOursWithLuceneCoreAlone() throws Exception {
    index = temp.resolve("ours");
    try (OffloadDirectory directory = open(index)) {
      new StockIndex(random, new StockIndex.Shape(2, 500, false, true, false, false, true))
          .write(directory, new OffloadCodec());
    }
    assertEquals(
        QueryAnswers.ofStock(index, queries),
        Child.run(TestJarAlone::withoutModules, SearchChild.class, index, "sim", seed));
  }

  private static boolean withoutModules(String entry) {
    return !entry.contains("lucene-facet") && !entry.contains("lucene-queries");
  }

  /** Imported: it is a stock index still. */
  @Test
  void anImportedIndexWithStockLuceneAlone() throws Exception {
    writeStock(new StockIndex.Shape(2, 500, false, true, false, false, true));
    importAll(index);
    List<String> expected = QueryAnswers.ofStock(index, queries);
    assertOffloaded(expected);
    assertEquals(expected, Child.run(TestJarAlone::withoutLibrary, StockChild.class, index, seed));
    assertEquals(
        expected, Child.run(TestJarAlone::withoutBackends, SearchChild.class, index, "host", seed));
    try (Directory plain = FSDirectory.open(index)) {
      assertTrue(plain.listAll().length > 0);
    }
  }
}
