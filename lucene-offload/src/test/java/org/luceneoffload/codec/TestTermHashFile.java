/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.codec.term.OffloadTermState;
import org.luceneoffload.codec.term.TermHash;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.report.OffloadStats.Counter;

/**
 * The term hash among a segment's files: there, missing, damaged, and in an index from before it.
 */
class TestTermHashFile extends ImageTestCase {
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void termsAreFoundByHash(boolean compound) throws IOException {
    try (OffloadDirectory directory = OffloadDirectory.wrap(plain, device)) {
      try (IndexWriter writer = writer(directory, compound, false)) {
        addDocuments(writer, 400, 200);
      }
      assertComplete(directory); // compares every term's entry
      assertEquals(!compound, hashFile() != null);
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        for (LeafReaderContext leaf : reader.leaves()) {
          for (String field : List.of("id", "body")) {
            OffloadTerms terms = (OffloadTerms) leaf.reader().terms(field);
            assertTrue(terms.isHashed());
            OffloadTermState found = terms.find(terms.getMax());
            assertThrows(UnsupportedOperationException.class, found::clone);
            assertNull(terms.find(new BytesRef("absent")));
          }
        }
      }
    }
  }

  /** The dictionary knows all that the hash does. */
  @ParameterizedTest
  @EnumSource(Harm.class)
  void aSegmentIsCompleteWithoutItsTermHash(Harm harm) throws IOException {
    try (OffloadDirectory directory = OffloadDirectory.wrap(plain, device)) {
      try (IndexWriter writer = writer(directory, false, false)) {
        addDocuments(writer, 100, 100);
      }
      Map<String, Integer> expected = docFreqs(directory);
      String name = hashFile();
      harm.does(this, name);
      assertEquals(expected, docFreqs(directory));
      assertTrue(directory.stats().get(Counter.TERM_HASHES_UNUSABLE) > 0);
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        ImageCheck.Result result = ImageCheck.run(reader, (done, of) -> {});
        assertEquals(1, result.problems().size(), result.problems().toString());
        assertTrue(result.problems().get(0).contains(name), result.problems().toString());
        reader.leaves().get(0).reader().checkIntegrity();
      }
      try (DirectoryReader reader = DirectoryReader.open(plain)) { // with this jar, and no device
        reader.leaves().get(0).reader().checkIntegrity();
      }
    }
  }

  /** The damage that a file may take. */
  enum Harm {
    MISSING,
    CUT,
    EMPTY,
    FLIPPED,
    OTHER;

    void does(TestTermHashFile test, String name) throws IOException {
      byte[] bytes = test.read(name);
      switch (this) {
        case MISSING -> test.plain.deleteFile(name);
        case CUT -> test.replace(name, Arrays.copyOf(bytes, bytes.length - 1), false);
        case EMPTY -> test.replace(name, new byte[0], false);
        case FLIPPED -> {
          for (int i = 0; i < bytes.length; i += 100) {
            bytes[i] ^= 1;
          }
          test.replace(name, bytes, false);
        }
        default -> {
          bytes[Integer.BYTES + 1 + TermHash.CODEC.length() + Integer.BYTES] ^= 1; // segment ID
          test.replace(name, Arrays.copyOf(bytes, bytes.length - CodecUtil.footerLength()), true);
        }
      }
    }
  }

  /** Documents with each word, looked up one by one as a query does. */
  private static Map<String, Integer> docFreqs(OffloadDirectory directory) throws IOException {
    Map<String, Integer> found = new TreeMap<>();
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      OffloadTerms terms = (OffloadTerms) reader.leaves().get(0).reader().terms("body");
      for (int i = 0; i < 500; i++) {
        BytesRef word = new BytesRef("w" + i);
        OffloadTermState state;
        if (terms.isHashed()) {
          state = terms.find(word);
        } else {
          TermsEnum at = terms.iterator();
          state = at.seekExact(word) ? (OffloadTermState) at.termState() : null;
        }
        found.put("w" + i, state == null ? 0 : state.docFreq);
      }
    }
    return found;
  }

  /** Lists and hash are derived from the postings: no reason to fail a merge. */
  @Test
  void mergingLeavesDamageBehind() throws IOException {
    try (OffloadDirectory directory = OffloadDirectory.wrap(plain, device)) {
      try (IndexWriter writer = writer(directory, false, false)) {
        addDocuments(writer, 100, 100);
      }
      String name = hashFile();
      byte[] damaged = read(name);
      damaged[damaged.length / 2] ^= 1;
      replace(name, damaged, false);
      try (IndexWriter writer = writer(directory, false, true)) {
        addDocuments(writer, 100, 100);
        writer.forceMerge(1);
      }
      assertNotEquals(name, hashFile());
      assertComplete(directory);
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        assertEquals(200, reader.numDocs());
        reader.leaves().get(0).reader().checkIntegrity();
      }
    }
  }

  @Test
  void anIndexOfTheFirstVersionIsReadWithoutAHash() throws IOException {
    OffloadOptions options = OffloadOptions.DEFAULT.withPositions();
    try (OffloadDirectory directory = OffloadDirectory.wrap(plain, device, options)) {
      try (IndexWriter writer = writer(directory, false, false)) {
        addDocuments(writer, 300, 300);
      }
      String name =
          Arrays.stream(plain.listAll()).filter(f -> f.endsWith(".tmd")).findFirst().get();
      byte[] metadata = read(name);
      String text = new String(metadata, StandardCharsets.ISO_8859_1);
      int version =
          text.indexOf(Offload104PostingsFormat.TERMS_CODEC)
              + Offload104PostingsFormat.TERMS_CODEC.length()
              + Integer.BYTES
              - 1;
      assertEquals(Offload104PostingsFormat.VERSION_TERM_HASH, metadata[version]);
      metadata[version] = Offload104PostingsFormat.VERSION_START;
      replace(name, Arrays.copyOf(metadata, metadata.length - CodecUtil.footerLength()), true);
      plain.deleteFile(hashFile());
      assertComplete(directory);
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        OffloadTerms terms = (OffloadTerms) reader.leaves().get(0).reader().terms("body");
        assertFalse(terms.isHashed());
      }
    }
  }

  /** Name of the one term hash; null if there is none by itself. */
  private String hashFile() throws IOException {
    return Arrays.stream(plain.listAll()).filter(f -> f.endsWith(".odh")).findFirst().orElse(null);
  }
}
