/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.aggregate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.io.IOException;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;
import org.luceneoffload.search.aggregate.keyword.Keywords;

class TestKeywords {
  private static void add(IndexWriter writer, String field, int keywords) throws IOException {
    for (int i = 0; i < keywords; i++) {
      Document document = new Document();
      document.add(new SortedSetDocValuesField(field, new BytesRef("keyword " + i)));
      document.add(new SortedSetDocValuesField(field, new BytesRef("other " + i / 2)));
      writer.addDocument(document);
    }
  }

  private static Keywords of(LeafReader reader, String field) throws IOException {
    return Keywords.of(reader, field);
  }

  private static void assertSameKeywords(LeafReader reader, String field) throws IOException {
    SortedSetDocValues values = DocValues.getSortedSet(reader, field);
    Keywords keywords = of(reader, field);
    assertEquals(values.getValueCount(), keywords.count());
    for (long ord = 0; ord < keywords.count(); ord++) {
      assertEquals(values.lookupOrd(ord), keywords.get(ord));
    }
  }

  @Test
  void theyAreThoseOfTheDictionaryAndGoWithTheSegment() throws IOException {
    int before = Keywords.segmentsKept();
    try (Directory directory = new ByteBuffersDirectory();
        IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
      add(writer, "few", 300);
      add(writer, "many", (int) Keywords.MAX_KEPT);
      writer.forceMerge(1);
      try (DirectoryReader reader = DirectoryReader.open(writer)) {
        LeafReader leaf = reader.leaves().get(0).reader();
        assertSameKeywords(leaf, "few");
        assertSameKeywords(leaf, "many");
        assertSameKeywords(leaf, "absent");
        assertSame(of(leaf, "few").get(7), of(leaf, "few").get(7));
        assertNotSame(of(leaf, "many").get(7), of(leaf, "many").get(7));
        assertEquals(before + 1, Keywords.segmentsKept());
        writer.deleteAll();
        add(writer, "few", 5);
      }
    }
    assertEquals(before, Keywords.segmentsKept());
  }
}
