/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.CRC32C;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;
import org.luceneoffload.DamagedBytes;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.codec.term.TermHashOutput;

/**
 * The term hash with bytes altered and its checksums right, as nothing but an attacker makes it:
 * look-ups end with an answer, right or not.
 */
class TestDamagedTermHash extends ImageTestCase {
  private static final int ROUNDS = 150;

  private final Random seeded = new Random(DamagedBytes.seed(getClass()));

  @Test
  void lookupsEnd() throws IOException {
    try (OffloadDirectory directory = OffloadDirectory.wrap(plain, device)) {
      try (IndexWriter writer = writer(directory, false, false)) {
        addDocuments(writer, 150, 150);
      }
      String name =
          Arrays.stream(plain.listAll()).filter(f -> f.endsWith(".odh")).findFirst().get();
      byte[] good = read(name);
      int hashed = 0;
      for (int i = 0; i < ROUNDS; i++) {
        writeAltered(name, good);
        try (DirectoryReader reader = DirectoryReader.open(directory)) {
          hashed += lookUp(reader.leaves().get(0)) ? 1 : 0;
        }
      }
      assertTrue(hashed > ROUNDS / 4, hashed + " rounds with a hash that was asked");
      replace(name, good, false);
      assertComplete(directory);
    }
  }

  /** Alters the pages or the list of fields, and makes the checksums right. */
  private void writeAltered(String name, byte[] good) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(good).order(ByteOrder.LITTLE_ENDIAN);
    int end = good.length - CodecUtil.footerLength() - Long.BYTES;
    int listStart = (int) buffer.getLong(end);
    int pagesEnd = (int) buffer.getLong(end - Integer.BYTES - Long.BYTES);
    byte[] pages = Arrays.copyOf(good, pagesEnd);
    byte[] list = Arrays.copyOfRange(good, listStart, end - Integer.BYTES);
    if (seeded.nextInt(3) == 0) {
      DamagedBytes.alter(seeded, list, 0);
    } else {
      DamagedBytes.alter(seeded, pages, seeded.nextInt(pages.length));
    }
    plain.deleteFile(name);
    try (IndexOutput file = plain.createOutput(name, IOContext.DEFAULT)) {
      TermHashOutput out = new TermHashOutput(file);
      out.writeBytes(pages, pages.length);
      out.finish();
      file.writeBytes(list, list.length);
      CRC32C crc = new CRC32C();
      crc.update(list);
      file.writeInt((int) crc.getValue());
      file.writeLong(listStart);
      CodecUtil.writeFooter(file);
    }
  }

  private static boolean lookUp(LeafReaderContext leaf) throws IOException {
    OffloadTerms terms = (OffloadTerms) leaf.reader().terms("body");
    if (!terms.isHashed()) {
      return false;
    }
    for (int word = 0; word < 60; word++) {
      terms.find(new BytesRef("w" + word));
    }
    terms.find(new BytesRef("absent"));
    return true;
  }
}
