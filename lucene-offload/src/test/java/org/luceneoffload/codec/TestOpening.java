/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;
import org.luceneoffload.CountingDirectory;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.codec.term.TermHash;
import org.luceneoffload.codec.term.TermHashPages;

/** The bytes read to open an index do not grow with its terms. */
class TestOpening extends ImageTestCase {
  private static final int FEW = 2_000;
  private static final int MANY = 40_000;

  /** Header, footer and list of fields of a term hash. */
  private static final int HASH_BYTES = 512;

  /** The stub, and what the terms dictionary has in addition. */
  private static final int MORE_THAN_STOCK = 1024;

  /** An entry of a term of five bytes in two documents: at most five more numbers. */
  private static final int MAX_ENTRY_BYTES = 16;

  private final CountingDirectory counted = new CountingDirectory(plain);

  private static IndexWriter writer(Directory directory, Codec codec) throws IOException {
    return new IndexWriter(
        directory,
        new IndexWriterConfig()
            .setCodec(codec)
            .setUseCompoundFile(false)
            .setMergePolicy(NoMergePolicy.INSTANCE));
  }

  /** Writes a segment of terms that are each in two documents. */
  private static void write(IndexWriter writer, int terms) throws IOException {
    for (int i = 0; i < terms; i++) {
      Document document = new Document();
      document.add(new TextField("body", "t" + i + " t" + (i + 1), Field.Store.NO));
      writer.addDocument(document);
    }
    writer.commit();
  }

  /** Returns the bytes that are read to open an index of two segments. */
  private long open(Directory directory, String extension) throws IOException {
    long before = counted.bytesRead(extension);
    DirectoryReader.open(directory).close();
    return counted.bytesRead(extension) - before;
  }

  private long stock(int terms) throws IOException {
    try (IndexWriter writer = writer(plain, Codec.getDefault())) {
      writer.deleteAll();
      write(writer, terms);
      write(writer, terms);
    }
    return open(counted, "");
  }

  @Test
  void openingReadsSegmentsAndNotTerms() throws IOException {
    for (int terms : new int[] {FEW, MANY}) {
      long stock = stock(terms);
      try (OffloadDirectory directory = OffloadDirectory.wrap(counted, device)) {
        try (IndexWriter writer = writer(directory, new OffloadCodec())) {
          writer.deleteAll();
          write(writer, terms);
          write(writer, terms);
        }
        long hash = open(directory, "odh");
        assertTrue(hash > 0 && hash <= 2 * HASH_BYTES, hash + " bytes of term hashes");
        long all = open(directory, "");
        long most = stock + 2 * (HASH_BYTES + MORE_THAN_STOCK);
        assertTrue(all <= most, all + " bytes, stock " + stock + ", " + terms + " terms");
      }
    }
  }

  @Test
  void reopeningReadsNewSegmentsAndNotTheirTerms() throws IOException {
    try (OffloadDirectory directory = OffloadDirectory.wrap(counted, device);
        IndexWriter writer = writer(directory, new OffloadCodec())) {
      write(writer, FEW);
      try (DirectoryReader first = DirectoryReader.open(writer)) {
        write(writer, MANY);
        long before = counted.bytesRead("odh");
        try (DirectoryReader second = DirectoryReader.openIfChanged(first)) {
          assertEquals(2, second.leaves().size());
          long hash = counted.bytesRead("odh") - before;
          assertTrue(hash > 0 && hash <= HASH_BYTES, hash + " bytes of the new term hash");
          assertALookUpReadsAFewPages(second);
        }
      }
    }
  }

  private void assertALookUpReadsAFewPages(DirectoryReader reader) throws IOException {
    OffloadTerms terms = (OffloadTerms) reader.leaves().get(1).reader().terms("body");
    assertTrue(terms.isHashed());
    long before = counted.bytesRead("odh");
    assertNotNull(terms.find(new BytesRef("t4711")));
    long first = counted.bytesRead("odh") - before;
    assertTrue(first > 0 && first <= 4 * TermHashPages.PAGE_BYTES, first + " bytes");
    assertNotNull(terms.find(new BytesRef("t4711")));
    long second = counted.bytesRead("odh") - before - first;
    // No page again: the slots from the term's home on, which the hash's random seed decides, and
    // an entry for each of them that has the term's hash, mostly one.
    List<Long> slots = slotsTo(new BytesRef("t4711"), terms);
    long same = slots.stream().filter(slots.getLast()::equals).count();
    long least = slots.size() * (long) Long.BYTES;
    assertTrue(
        second > least && second <= least + same * MAX_ENTRY_BYTES,
        second + " bytes for " + slots.size() + " slots");
  }

  /** Returns the hashes in the slots from a term's home to the last one that has its hash. */
  private static List<Long> slotsTo(BytesRef term, OffloadTerms terms) throws IOException {
    int seed = TermHash.seed(terms.segmentHash().stamp());
    List<Long> hashes = new ArrayList<>();
    TermsEnum all = terms.iterator();
    for (BytesRef next = all.next(); next != null; next = all.next()) {
      hashes.add(TermHash.hash(next, seed));
    }
    Collections.sort(hashes);
    long homes = TermHash.homes(hashes.size());
    long wanted = TermHash.hash(term, seed);
    List<Long> slots = new ArrayList<>();
    long slot = -1;
    for (long hash : hashes) {
      slot = Math.max(slot + 1, TermHash.home(hash, homes));
      if (hash <= wanted && slot >= TermHash.home(wanted, homes)) {
        slots.add(hash);
      }
    }
    return slots;
  }
}
