/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.luceneoffload.DamagedBytes;
import org.luceneoffload.OffloadDirectory;

/** The term hash with bytes altered and its checksum right: terms are found, or not, or refused. */
@Timeout(60)
class TestDamagedTermHash extends ImageTestCase {
  private static final int ROUNDS = 150;

  private final Random seeded = new Random(DamagedBytes.seed(getClass()));

  @Test
  void lookupsEndWithATermOrAnIOException() throws IOException {
    try (OffloadDirectory directory = OffloadDirectory.wrap(plain, device)) {
      try (IndexWriter writer = writer(directory, false, false)) {
        addDocuments(writer, 150, 150);
      }
      String name =
          Arrays.stream(plain.listAll()).filter(f -> f.endsWith(".odh")).findFirst().get();
      byte[] good = read(name);
      byte[] body = Arrays.copyOf(good, good.length - CodecUtil.footerLength());
      int opened = 0;
      for (int i = 0; i < ROUNDS; i++) {
        byte[] bytes = body.clone();
        DamagedBytes.alter(seeded, bytes, seeded.nextBoolean() ? 0 : seeded.nextInt(body.length));
        replace(name, bytes, true);
        try (DirectoryReader reader = DirectoryReader.open(directory)) {
          opened++;
          lookUp(reader.leaves().get(0));
        } catch (
            @SuppressWarnings("unused")
            IOException expected) {
          // refused
        }
      }
      assertTrue(opened > 0);
      replace(name, good, false);
      assertComplete(directory);
    }
  }

  private static void lookUp(LeafReaderContext leaf) throws IOException {
    OffloadTerms terms = (OffloadTerms) leaf.reader().terms("body");
    for (int word = 0; word < 60; word++) {
      terms.find(new BytesRef("w" + word));
    }
    terms.find(new BytesRef("absent"));
  }
}
