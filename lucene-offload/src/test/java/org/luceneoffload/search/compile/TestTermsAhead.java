/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.QuickRun;
import org.luceneoffload.SlowDirectory;
import org.luceneoffload.codec.term.ReadAhead;
import org.luceneoffload.device.RamBlockDevice;
import org.luceneoffload.device.ReferenceProgram;

/** How often the look-ups of a query wait for a drive. */
class TestTermsAhead {
  private static final int SEGMENTS = 8; // so many that look-ups are timed
  private static final int WORDS = 4000;
  private static final int TERMS = 6;

  private SlowDirectory slow;
  private OffloadDirectory directory;
  private DirectoryReader reader;
  private IndexSearcher searcher;
  private IndexedFields fields;
  private int meanwhile;

  @BeforeEach
  void open() throws IOException {
    slow = new SlowDirectory(new ByteBuffersDirectory());
    directory = OffloadDirectory.wrap(slow, new RamBlockDevice(1 << 12, new ReferenceProgram()));
    IndexWriterConfig config =
        new IndexWriterConfig(new StandardAnalyzer())
            .setMergePolicy(NoMergePolicy.INSTANCE)
            .setCodec(new OffloadCodec());
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      for (int segment = 0; segment < SEGMENTS; segment++) {
        for (int doc = 0; doc < 2; doc++) {
          StringBuilder body = new StringBuilder();
          for (int i = 0; i < WORDS; i++) {
            body.append(word(i)).append(' ');
          }
          Document document = new Document();
          document.add(new TextField("body", body.toString(), Field.Store.NO));
          writer.addDocument(document);
        }
        writer.flush();
      }
    }
    reader = DirectoryReader.open(directory);
    searcher = new IndexSearcher(reader);
    fields = new IndexedFields(searcher);
    assertTrue(fields.get(searcher, "body").isHashed());
    slow.forget();
  }

  @AfterEach
  void close() throws IOException {
    reader.close();
    directory.close();
  }

  private static String word(int number) {
    return "word" + number * 7919 % 100_003;
  }

  private static List<Term> terms() {
    List<Term> terms = new ArrayList<>();
    for (int i = 0; i < TERMS; i++) {
      terms.add(new Term("body", i == 2 ? "absent" : word(i * WORDS / TERMS)));
    }
    return terms;
  }

  /** Looks all terms up, and checks what is found. */
  private void lookUp(ReadAhead ahead) throws IOException {
    IndexedField field = fields.get(searcher, "body");
    for (Term term : terms()) {
      int before = slow.delays();
      TermLookup lookup = TermLookup.now(field, term, false, ahead);
      int delays = slow.delays() - before;
      assertTrue(ahead == null || delays <= 2 || term.equals(terms().getFirst()), () -> term + "");
      assertEquals(term.text().equals("absent") ? 0 : 2 * SEGMENTS, lookup.docFreq());
    }
  }

  private TermsAhead ahead() {
    BooleanQuery.Builder query = new BooleanQuery.Builder();
    for (Term term : terms()) {
      boolean last = term.equals(terms().getLast());
      query.add(new TermQuery(term), last ? Occur.MUST_NOT : Occur.MUST);
    }
    query.add(new TermQuery(new Term("nowhere", "word")), Occur.SHOULD);
    return new TermsAhead(searcher, fields, query.build(), () -> meanwhile = slow.asks());
  }

  @Test
  void withoutItEachLookUpWaits() throws IOException {
    lookUp(null);
    assertTrue(slow.delays() >= TERMS * SEGMENTS, () -> slow.delays() + " delays");
    assertEquals(0, slow.asks());
  }

  /**
   * Slots and entries, one after the other, and no more however many terms there are. Hashes differ
   * from time to time, so that some searches go on in the page behind their first slot's.
   */
  @Test
  void allLookUpsWaitTogether() throws IOException {
    for (int i = 0; i < QuickRun.times(5, 20); i++) {
      close();
      open();
      lookUp(ahead());
      assertEquals(2, slow.delays());
    }
  }

  /** Other work goes on while the drive reads; without a drive to wait for there is no gap. */
  @Test
  void otherWorkIsDoneWhileSlotsAreWaitedFor() throws IOException {
    lookUp(ahead());
    assertTrue(meanwhile >= TERMS * SEGMENTS, () -> meanwhile + " asks");
    assertTrue(meanwhile < slow.asks(), "the entries are asked for after that");
    meanwhile = 0;
    lookUp(ahead());
    slow.forget();
    ahead().afterWaiting();
    assertEquals(0, meanwhile);
  }

  @Test
  void whatWasReadIsNotAskedFor() throws IOException {
    lookUp(ahead());
    int asks = slow.asks();
    lookUp(ahead()::beforeReading); // no clock may say that a read has waited
    assertEquals(asks, slow.asks());
    TermsAhead late = ahead();
    late.beforeReading(); // as if another page had been met
    assertEquals(asks, slow.asks());
  }

  /** After the first look-up that had to wait, which a clock tells, here or elsewhere. */
  @Test
  void whatTheSystemHasLetGoOfIsAskedForAgain() throws IOException {
    lookUp(ahead());
    slow.forget();
    TermsAhead ahead = ahead();
    ahead.afterWaiting();
    lookUp(ahead);
    assertEquals(2, slow.delays());
    int asks = slow.asks();
    ahead.afterWaiting();
    assertEquals(asks, slow.asks(), "once is enough");
  }

  /** A read of a word that takes longer than any from memory. */
  @Test
  void aSlowLookSaysThatItHasWaited() throws IOException {
    lookUp(ahead());
    slow.setNanosOfARead(1_000_000);
    int[] told = new int[1];
    ReadAhead ahead =
        new ReadAhead() {
          @Override
          public void beforeReading() {}

          @Override
          public void afterWaiting() {
            told[0]++;
          }
        };
    TermLookup.now(fields.get(searcher, "body"), terms().getFirst(), false, ahead);
    assertEquals(1, told[0]);
  }

  @Test
  void lateLookUpsAskToo() throws IOException {
    Term term = terms().getFirst();
    TermLookup lookup = TermLookup.late(searcher, fields.get(searcher, "body"), term, ahead());
    lookup.state(reader.leaves().getFirst());
    assertEquals(2, slow.delays());
    assertTrue(slow.asks() > TERMS, () -> slow.asks() + " asks");
  }
}
