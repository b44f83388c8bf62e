/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.MultiTermQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.TermRangeQuery;
import org.apache.lucene.search.WildcardQuery;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.codec.ListPeek;
import org.luceneoffload.codec.OffloadTerms;
import org.luceneoffload.codec.term.OffloadTermState;
import org.luceneoffload.device.RamBlockDevice;
import org.luceneoffload.device.ReferenceProgram;

/** Walks find the terms that stock's enums find, and say of each what its state says. */
class TestTermWalk {
  private static final String FIELD = "key";
  private static final int TERMS = 4000;

  private final Random random = new Random(9);
  private final List<BytesRef> all = new ArrayList<>();
  private OffloadDirectory directory;
  private DirectoryReader reader;
  private OffloadTerms terms;

  /** Few different bytes, the greatest and the least among them, so that terms begin alike. */
  private BytesRef term() {
    byte[] bytes = new byte[random.nextInt(7)];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (random.nextInt(3) == 0 ? -random.nextInt(2) : 'a' + random.nextInt(6));
    }
    return new BytesRef(bytes);
  }

  @BeforeEach
  void open() throws IOException {
    RamBlockDevice device = new RamBlockDevice(1 << 12, new ReferenceProgram());
    directory = OffloadDirectory.wrap(new ByteBuffersDirectory(), device);
    IndexWriterConfig config = new IndexWriterConfig().setCodec(new OffloadCodec());
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      for (int i = 0; i < TERMS; i++) {
        Document document = new Document();
        BytesRef term = term();
        all.add(term);
        document.add(new StringField(FIELD, term, Field.Store.NO));
        writer.addDocument(document);
      }
      writer.forceMerge(1);
    }
    reader = DirectoryReader.open(directory);
    terms = (OffloadTerms) reader.leaves().get(0).reader().terms(FIELD);
  }

  @AfterEach
  void close() throws IOException {
    reader.close();
    directory.close();
  }

  private BytesRef some() {
    return random.nextBoolean() ? term() : all.get(random.nextInt(TERMS));
  }

  private static void assertSameList(TermsEnum stock, OffloadTermState found) throws IOException {
    OffloadTermState expected = (OffloadTermState) stock.termState();
    assertEquals(stock.docFreq(), found.docFreq);
    assertEquals(expected.hasDeviceList(), found.hasDeviceList());
    assertEquals(expected.isInline(), found.isInline());
    if (found.isInline()) {
      assertEquals(expected.inlineDoc(), found.inlineDoc());
    } else {
      assertEquals(expected.firstPage(), found.firstPage());
      assertEquals(expected.slot(), found.slot());
      assertEquals(expected.pageCount(), found.pageCount());
    }
  }

  private int check(MultiTermQuery query) throws IOException {
    TermsEnum stock = query.getTermsEnum(terms);
    int count = 0;
    try (TermWalk walk = TermWalk.of(query, terms)) {
      for (BytesRef term = stock.next(); term != null; term = stock.next(), count++) {
        BytesRef found = walk.next();
        assertEquals(term, found, query::toString);
        assertSameList(stock, walk.list(found));
      }
      assertEquals(null, walk.next(), query::toString);
    }
    return count;
  }

  @Test
  void prefixes() throws IOException {
    int found = check(new PrefixQuery(new Term(FIELD, new BytesRef())));
    assertEquals(terms.size(), found);
    for (int i = 0; i < 300; i++) {
      BytesRef from = some();
      from.length = Math.min(from.length, random.nextInt(4));
      found += check(new PrefixQuery(new Term(FIELD, BytesRef.deepCopyOf(from))));
    }
    assertTrue(found > 3 * TERMS);
  }

  @Test
  void ranges() throws IOException {
    int found = check(new TermRangeQuery(FIELD, null, null, true, true));
    assertEquals(terms.size(), found);
    for (int i = 0; i < 400; i++) {
      BytesRef low = random.nextInt(8) == 0 ? null : some();
      BytesRef high =
          random.nextInt(8) == 0 ? null : low != null && random.nextInt(8) == 0 ? low : some();
      found +=
          check(new TermRangeQuery(FIELD, low, high, random.nextBoolean(), random.nextBoolean()));
    }
    assertTrue(found > 3 * TERMS);
  }

  @Test
  void patterns() throws IOException {
    assertTrue(check(new WildcardQuery(new Term(FIELD, "*a"))) > 0);
    assertTrue(check(new WildcardQuery(new Term(FIELD, "a?b*"))) > 0);
  }

  /** An enum that does not hand postings on that may be used again. */
  @Test
  void enumsThatShowNoStateAreAskedForACopy() throws IOException {
    TermsEnum inner = terms.iterator();
    TermsEnum wrapped =
        new FilterLeafReader.FilterTermsEnum(inner) {
          @Override
          public PostingsEnum postings(PostingsEnum reuse, int flags) throws IOException {
            return super.postings(null, flags);
          }
        };
    ListPeek peek = new ListPeek(terms);
    TermsEnum stock = terms.iterator();
    OffloadTermState before = null;
    for (BytesRef term = wrapped.next(); term != null; term = wrapped.next()) {
      assertEquals(term, stock.next());
      OffloadTermState found = peek.of(wrapped, term);
      assertSameList(stock, found);
      assertNotSame(before, found);
      before = found;
    }
  }

  @Test
  void stateIsNotCopied() throws IOException {
    ListPeek peek = new ListPeek(terms);
    TermsEnum at = terms.iterator();
    OffloadTermState first = peek.of(at, at.next());
    assertSame(first, peek.of(at, at.term()));
  }
}
