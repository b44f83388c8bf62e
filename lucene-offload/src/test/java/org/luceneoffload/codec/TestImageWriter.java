/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SegmentReader;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.codec.term.OffloadTermState;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.maintain.IndexDetach;
import org.luceneoffload.maintain.IndexImport;
import org.luceneoffload.maintain.IndexRepair;
import org.luceneoffload.maintain.MaintenanceProgress;
import org.luceneoffload.maintain.MaintenanceReport;
import org.luceneoffload.store.image.CoreFiles;
import org.luceneoffload.store.image.ImageDirectory;
import org.luceneoffload.store.image.ImageFiles;
import org.luceneoffload.store.image.SidecarFiles;

/** Images of segments that exist, on a device in memory, in a directory without atomic renaming. */
class TestImageWriter extends ImageTestCase {
  private OffloadDirectory open() throws IOException {
    return OffloadDirectory.wrap(plain, device, OffloadOptions.DEFAULT);
  }

  private void write(Directory directory, Codec codec) throws IOException {
    IndexWriterConfig config = new IndexWriterConfig(analyzer).setCodec(codec);
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      for (int i = 0; i < 500; i++) {
        Document document = new Document();
        document.add(new TextField("a", text(), Field.Store.NO));
        document.add(new TextField("b", text(), Field.Store.NO));
        writer.addDocument(document);
      }
    }
  }

  private static SegmentReader only(DirectoryReader reader) {
    return Sidecars.segment(reader.leaves().getFirst().reader());
  }

  @Test
  void anImageMadeAgainIsTheSame() throws IOException {
    try (OffloadDirectory directory = open()) {
      write(directory, new OffloadCodec());
      String image = ImageFiles.compoundName("_0_Offload104_0.odp");
      long length = ImageDirectory.find(directory).images().lengthOnDevice(image);
      assertTrue(length > 0, List.of(plain.listAll()).toString());
      assertEquals(1, IndexDetach.run(directory).images());
      assertEquals(Set.of(), ImageDirectory.find(directory).handle().volume().list());
      MaintenanceReport report = IndexRepair.run(directory, MaintenanceProgress.NONE);
      assertEquals(1, report.segmentsWritten(), report.toString());
      assertEquals(length, report.bytes());
      assertEquals(length, ImageDirectory.find(directory).images().lengthOnDevice(image));
      assertEquals(Set.of(), SidecarFiles.ids(directory));
      assertComplete(directory);
    }
  }

  @Test
  void listsThatWouldLieElsewhereAreNotPutInPlace() throws IOException {
    try (OffloadDirectory directory = open()) {
      write(directory, new OffloadCodec());
      IndexDetach.run(directory);
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        SegmentReader segment = only(reader);
        SegmentImage lost = ((OffloadTerms) segment.terms("a")).image();
        ImageWriter writer = new ImageWriter(segment, ImageDirectory.find(directory), more -> {});
        // Without the lists of the field before, these begin too early.
        assertNull(writer.rewrite(lost, new TreeSet<>(Set.of("b"))));
        assertEquals(Set.of(), ImageDirectory.find(directory).handle().volume().list());
        assertFalse(List.of(plain.listAll()).contains(ImageFiles.REPLACEMENT));

        assertNotNull(writer.writeSidecar(new TreeSet<>(Set.of("a", "b"))));
        CoreFiles.changed();
        OffloadTerms beside = (OffloadTerms) DeviceTerms.of(segment, "b");
        assertTrue(beside.image().usable());
        BytesRef word = new BytesRef("w1");
        OffloadTermState stock = stateOf(segment, "b", word);
        OffloadTermState found = beside.withList(stock, word, false);
        assertEquals(stock.docFreq, found.docFreq);
        assertNull(found.inner, "the state of the segment's own dictionary leads elsewhere");
      }
      assertComplete(directory);
    }
  }

  private static OffloadTermState stateOf(SegmentReader segment, String field, BytesRef word)
      throws IOException {
    var at = segment.terms(field).iterator();
    assertTrue(at.seekExact(word));
    return (OffloadTermState) at.termState();
  }

  @Test
  void anImportOnADeviceThatFails() throws IOException {
    write(plain, Codec.getDefault());
    try (OffloadDirectory directory = open()) {
      assertNull(directory.whyNoImages());
      device.close();
      MaintenanceReport report = IndexImport.run(directory, MaintenanceProgress.NONE);
      assertEquals(1, report.leftOut().size(), report.toString());
      assertTrue(report.leftOut().getFirst().contains("CLOSED"), report.toString());
      assertEquals(Set.of(), SidecarFiles.ids(plain));
    }
  }

  @Test
  void anImportedSegmentWithoutItsFiles() throws IOException {
    write(plain, Codec.getDefault());
    try (OffloadDirectory directory = open()) {
      assertEquals(1, IndexImport.run(directory, MaintenanceProgress.NONE).segmentsWritten());
      ImageCheck.Result result = assertComplete(directory);
      assertTrue(result.lists() > 0);
      String id = SidecarFiles.ids(plain).iterator().next();
      SidecarFiles.delete(directory, id);
      assertEquals(Set.of(), ImageDirectory.find(directory).handle().volume().list());
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        assertFalse(DeviceTerms.of(only(reader), "a") instanceof OffloadTerms);
      }
    }
  }
}
