/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.device.RamBlockDevice;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.store.image.ImageFiles;
import org.luceneoffload.wire.OffloadWire;

/** Damage of an image or its device is found, and costs no more than the image. */
class TestImageDamage extends ImageTestCase {
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 5, 7})
  void aFailingDeviceCostsOnlyTheImage(int writesBeforeFailure) throws IOException {
    try (OffloadDirectory directory = OffloadDirectory.wrap(plain, device)) {
      try (IndexWriter writer = writer(directory, true, false)) {
        assertNull(directory.whyNoImages());
        device.failWritesAfter(writesBeforeFailure);
        addDocuments(writer, 3000, 1000);
        device.heal();
        addDocuments(writer, 100, 100);
      }
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        assertEquals(3100, reader.numDocs());
        ImageCheck.Result result = ImageCheck.run(reader, (done, of) -> {});
        assertEquals(4, result.segments());
        assertEquals(List.of(), result.problems());
        assertTrue(result.segmentsChecked() < 4, result.toString());
        assertTrue(result.segmentsChecked() >= 1, result.toString());
        assertEquals(4 - result.segmentsChecked(), directory.stats().get(Counter.IMAGES_DROPPED));
      }
    }
  }

  @Test
  void aFullDeviceCostsOnlyTheImage() throws IOException {
    RamBlockDevice tiny = new RamBlockDevice(24);
    try (OffloadDirectory directory = OffloadDirectory.wrap(plain, tiny)) {
      try (IndexWriter writer = writer(directory, true, false)) {
        addDocuments(writer, 20_000, 20_000);
      }
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        assertEquals(20_000, reader.numDocs());
        assertEquals(0, ImageCheck.run(reader, (done, of) -> {}).segmentsChecked());
      }
      assertEquals(1, directory.stats().get(Counter.IMAGES_DROPPED));
      assertTrue(directory.stats().reasons().toString().contains("NO_SPACE"));
    }
  }

  @Test
  void strictTurnsAFailingDeviceIntoAnError() throws IOException {
    OffloadOptions strict = OffloadOptions.DEFAULT.withStrict(true);
    try (OffloadDirectory directory = OffloadDirectory.wrap(plain, device, strict)) {
      IndexWriter writer = writer(directory, true, false);
      addDocuments(writer, 100, 1000);
      device.failWritesAfter(0);
      IOException e = assertThrows(IOException.class, writer::commit);
      assertTrue(e.getMessage().contains("injected write failure"), e.getMessage());
      writer.rollback();
      device.heal();
    }
  }

  @Test
  void damageIsFoundAndOnlyCostsTheImage() throws IOException {
    try (OffloadDirectory directory = OffloadDirectory.wrap(plain, device)) {
      try (IndexWriter writer = writer(directory, false, false)) {
        addDocuments(writer, 400, 400);
      }
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        OffloadTerms terms = (OffloadTerms) reader.leaves().get(0).reader().terms("body");
        assertTrue(terms.image().usable());
        long lba = terms.image().extents().get(0).lba();
        device.lba(lba + 1)[200] ^= 1;
        ImageCheck.Result result = ImageCheck.run(reader, (done, of) -> {});
        assertFalse(result.problems().isEmpty());
        assertTrue(result.problems().get(0).contains("PAGE_CORRUPT"), result.toString());
        reader.leaves().get(0).reader().checkIntegrity();
        assertFalse(terms.image().usable());
        assertEquals(1, directory.stats().get(Counter.IMAGES_BAD));
        device.lba(lba)[10] ^= 1; // the header page
      }
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        OffloadTerms terms = (OffloadTerms) reader.leaves().get(0).reader().terms("body");
        assertFalse(terms.image().usable());
        assertTrue(terms.image().bad());
        assertEquals(2, directory.stats().get(Counter.IMAGES_BAD));
        assertEquals(400, reader.numDocs());
      }
    }
  }

  @Test
  void anImageWithoutStubIsMissing() throws IOException {
    try (OffloadDirectory directory = OffloadDirectory.wrap(plain, device)) {
      try (IndexWriter writer = writer(directory, false, false)) {
        addDocuments(writer, 200, 200);
      }
      for (String name : plain.listAll()) {
        if (name.endsWith(".odp")) {
          plain.deleteFile(name);
        }
      }
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        SegmentImage image = ((OffloadTerms) reader.leaves().get(0).reader().terms("body")).image();
        assertFalse(image.usable());
        assertFalse(image.bad());
        assertEquals("the segment's image is not in the directory", image.unusableReason());
        assertEquals(1, directory.stats().get(Counter.IMAGES_MISSING));
        assertEquals(0, directory.stats().get(Counter.IMAGES_BAD));
        assertEquals(200, reader.numDocs());
      }
    }
  }

  @Test
  void aWrongListIsFound() throws IOException {
    try (OffloadDirectory directory = OffloadDirectory.wrap(plain, device)) {
      try (IndexWriter writer = writer(directory, false, false)) {
        addDocuments(writer, 400, 400);
      }
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        OffloadTerms terms = (OffloadTerms) reader.leaves().get(0).reader().terms("body");
        SegmentImage image = terms.image();
        // Two pages of right checksum and wrong place: as if they had been written crosswise.
        long lba = image.extents().get(0).lba();
        byte[] one = device.lba(lba + 1).clone();
        System.arraycopy(device.lba(lba + 2), 0, device.lba(lba + 1), 0, one.length);
        ImageCheck.Result result = ImageCheck.run(reader, (done, of) -> {});
        assertTrue(result.problems().get(0).contains("PAGE_STALE"), result.toString());
      }
    }
  }

  @Test
  void anImageOfAnotherWireVersionIsGivenUp() throws IOException {
    try (OffloadDirectory directory = OffloadDirectory.wrap(plain, device)) {
      try (IndexWriter writer = writer(directory, false, false)) {
        addDocuments(writer, 200, 200);
      }
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        OffloadTerms terms = (OffloadTerms) reader.leaves().get(0).reader().terms("body");
        // In the header page, after the index header and the stamp; Lucene writes it little-endian.
        String suffix = terms.image().fileName().replaceFirst("^_0_(.*)\\.odp$", "$1");
        int at = CodecUtil.indexHeaderLength(ImageFiles.CODEC, suffix) + Long.BYTES;
        byte[] header = device.lba(terms.image().extents().get(0).lba());
        assertEquals(OffloadWire.VERSION, header[at]);
        header[at]++;
      }
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        SegmentImage image = ((OffloadTerms) reader.leaves().get(0).reader().terms("body")).image();
        assertFalse(image.usable());
        assertTrue(image.bad());
        String expected = "wire version " + (OffloadWire.VERSION + 1);
        assertTrue(image.unusableReason().contains(expected), image.unusableReason());
        assertEquals(1, directory.stats().get(Counter.IMAGES_BAD));
        assertEquals(200, reader.numDocs());
      }
    }
  }
}
