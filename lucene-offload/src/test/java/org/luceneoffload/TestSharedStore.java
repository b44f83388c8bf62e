/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.luceneoffload.ImageBytes.IMAGE;
import static org.luceneoffload.ImageBytes.OTHER_IMAGE;
import static org.luceneoffload.ImageBytes.image;
import static org.luceneoffload.ImageBytes.read;
import static org.luceneoffload.ImageBytes.write;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.device.RamDeviceProvider;
import org.luceneoffload.store.image.ImageDirectory;
import org.luceneoffload.store.image.ImageInput;
import org.luceneoffload.store.volume.VolumeWriter;
import org.luceneoffload.wire.OffloadWire;

/** Stores that are opened by name: by several directories, beside a writer, with leftovers. */
class TestSharedStore {
  private static final OffloadOptions STRICT = OffloadOptions.DEFAULT.withStrict(true);

  @TempDir Path path;

  @Test
  void opensByNameAndSharesTheStore() throws IOException {
    byte[] image = image(5, 4);
    try (OffloadDirectory one = OffloadDirectory.open(path, "testram");
        OffloadDirectory two = OffloadDirectory.open(path, "testram");
        OffloadDirectory reading = OffloadDirectory.open(path, "testram:readonly=true")) {
      assertSame(ImageDirectory.find(one).handle(), ImageDirectory.find(two).handle());
      assertSame(ImageDirectory.find(one).handle(), ImageDirectory.find(reading).handle());
      write(one, IMAGE, image);
      assertArrayEquals(image, read(two, IMAGE));
      one.sync(List.of(IMAGE));
      assertTrue(Files.exists(path.resolve(RamDeviceProvider.STORE_FILE)));
      assertEquals(List.of(IMAGE), List.of(one.listAll()));
    }
    try (OffloadDirectory again = OffloadDirectory.open(path, "testram", STRICT)) {
      assertArrayEquals(image, read(again, IMAGE));
      assertInstanceOf(ImageInput.class, open(again, IMAGE));
    }
  }

  @Test
  void anOpenImageKeepsTheDevice() throws IOException {
    byte[] image = image(5, 4);
    OffloadDirectory directory = OffloadDirectory.open(path, "testram");
    write(directory, IMAGE, image);
    IndexInput in = directory.openInput(IMAGE, IOContext.DEFAULT);
    directory.close();
    directory.close();
    byte[] bytes = new byte[image.length];
    in.readBytes(bytes, 0, bytes.length);
    assertArrayEquals(image, bytes);
    try (OffloadDirectory again = OffloadDirectory.open(path, "testram")) {
      assertSame(((ImageInput) in).handle(), ImageDirectory.find(again).handle());
      in.close();
    }
  }

  @Test
  void aStoreThatAnotherProcessWritesIsRead() throws IOException {
    byte[] image = image(5, 4);
    try (OffloadDirectory writer = OffloadDirectory.open(path, "testram")) {
      write(writer, IMAGE, image);
    }
    RamDeviceProvider.setLocked(path, true);
    try (OffloadDirectory reader = OffloadDirectory.open(path, "testram", STRICT)) {
      assertArrayEquals(image, read(reader, IMAGE));
      assertFalse(ImageDirectory.find(reader).handle().volume().isWritable());
      String why = reader.whyNoImages();
      assertTrue(why.contains("LOCKED"), why);
      write(reader, OTHER_IMAGE, image); // stays in the directory
      assertFalse(open(reader, OTHER_IMAGE) instanceof ImageInput);
      reader.deleteFile(IMAGE);
      assertEquals(1, ImageDirectory.find(reader).handle().volume().list().size());
      RamDeviceProvider.setLocked(path, false);
      assertNull(reader.whyNoImages());
      assertEquals(0, ImageDirectory.find(reader).handle().volume().list().size());
    } finally {
      RamDeviceProvider.setLocked(path, false);
    }
  }

  @Test
  void readingWritesNothing() throws IOException {
    try (OffloadDirectory reader = OffloadDirectory.open(path, "testram", STRICT)) {
      assertEquals(0, reader.listAll().length);
      write(reader, "_0.si", new byte[100]);
      assertEquals(100, reader.fileLength("_0.si"));
      reader.sync(List.of("_0.si"));
      reader.deleteFile("_0.si");
      assertFalse(Files.exists(path.resolve(RamDeviceProvider.STORE_FILE)));
      assertNull(reader.whyNoImages());
      assertTrue(Files.exists(path.resolve(RamDeviceProvider.STORE_FILE)));
    }
  }

  @Test
  void aReadOnlyDeviceIsNeverTheWriter() throws IOException {
    try (OffloadDirectory reader = OffloadDirectory.open(path, "testram:readonly=true");
        OffloadDirectory writer = OffloadDirectory.open(path, "testram")) {
      assertNotSame(ImageDirectory.find(reader).handle(), ImageDirectory.find(writer).handle());
      assertTrue(reader.whyNoImages().contains("READ_ONLY"), reader.whyNoImages());
      byte[] image = image(5, 4);
      write(writer, IMAGE, image);
      writer.sync(List.of(IMAGE));
      assertArrayEquals(image, read(reader, IMAGE));
      assertInstanceOf(ImageInput.class, open(reader, IMAGE));
    }
  }

  @Test
  void whatHasNoStubIsDeletedAtTheNextWrite() throws IOException {
    try (OffloadDirectory directory = OffloadDirectory.open(path, "testram")) {
      write(directory, IMAGE, image(5, 4));
      write(directory, OTHER_IMAGE, image(6, 4));
    }
    Files.delete(path.resolve(IMAGE));
    try (OffloadDirectory directory = OffloadDirectory.open(path, "testram")) {
      assertEquals(2, ImageDirectory.find(directory).handle().volume().list().size());
      assertNull(directory.whyNoImages());
      assertEquals(1, ImageDirectory.find(directory).handle().volume().list().size());
      assertArrayEquals(image(6, 4), read(directory, OTHER_IMAGE));
    }
  }

  @Test
  void whatAnotherIndexKeepsInTheStoreIsLeftAlone() throws IOException {
    Path two = path.resolve("two");
    String device = "testram:store=../testram.vol";
    try (OffloadDirectory one = OffloadDirectory.open(path, "testram")) {
      write(one, IMAGE, image(1, 4));
      write(one, OTHER_IMAGE, image(3, 4));
    }
    try (OffloadDirectory other = OffloadDirectory.open(two, device)) {
      write(other, IMAGE, image(2, 4));
    }
    Files.delete(path.resolve(OTHER_IMAGE));
    try (OffloadDirectory one = OffloadDirectory.open(path, "testram", STRICT)) {
      assertNull(one.whyNoImages());
      write(one, "_2_Offload104_0.odp", image(4, 4));
      assertEquals(Set.of(".", "two"), ImageDirectory.find(one).handle().volume().users());
    }
    try (OffloadDirectory other = OffloadDirectory.open(two, device, STRICT)) {
      assertArrayEquals(image(2, 4), read(other, IMAGE));
      assertInstanceOf(ImageInput.class, open(other, IMAGE));
    }
  }

  /** A volume of an earlier version does not say who uses it. */
  @Test
  void whatAnEarlierVersionLeftIsNotTakenForLeftovers() throws IOException {
    try (OffloadDirectory one = OffloadDirectory.open(path, "testram")) {
      assertNull(one.whyNoImages());
      VolumeWriter writer =
          ImageDirectory.find(one).handle().volume().create("0123456789abcdef", 0);
      writer.append(
          ByteBuffer.allocateDirect(OffloadWire.LBA_BYTES).order(ByteOrder.LITTLE_ENDIAN));
      writer.finish(OffloadWire.LBA_BYTES);
      assertEquals(Set.of(), ImageDirectory.find(one).handle().volume().users());
    }
    for (int i = 0; i < 2; i++) {
      try (OffloadDirectory one = OffloadDirectory.open(path, "testram")) {
        write(one, i == 0 ? IMAGE : OTHER_IMAGE, image(1, 4));
        assertTrue(ImageDirectory.find(one).handle().volume().exists("0123456789abcdef"));
      }
    }
  }

  @Test
  void indexesMayShareAStoreElsewhere() throws IOException {
    String device = "testram:store=../shared.vol";
    try (OffloadDirectory one = OffloadDirectory.open(path.resolve("one"), device)) {
      write(one, IMAGE, image(1, 4));
      try (OffloadDirectory two = OffloadDirectory.open(path.resolve("two"), device)) {
        assertSame(ImageDirectory.find(one).handle(), ImageDirectory.find(two).handle());
        write(two, IMAGE, image(2, 4));
      }
      assertArrayEquals(image(1, 4), read(one, IMAGE));
    }
    try (OffloadDirectory two = OffloadDirectory.open(path.resolve("two"), device);
        OffloadDirectory one = OffloadDirectory.open(path.resolve("one"), device)) {
      assertArrayEquals(image(2, 4), read(two, IMAGE));
      assertArrayEquals(image(1, 4), read(one, IMAGE));
    }
  }

  @Test
  void wrappingADeviceThatIsOpenByNameSharesIt() throws IOException {
    try (OffloadDirectory named = OffloadDirectory.open(path, "testram");
        OffloadDirectory wrapped =
            OffloadDirectory.wrap(
                new ByteBuffersDirectory(), ImageDirectory.find(named).handle().device())) {
      assertSame(ImageDirectory.find(named).handle(), ImageDirectory.find(wrapped).handle());
    }
  }

  /** An input that is closed again, to look at its class. */
  private static IndexInput open(Directory directory, String name) throws IOException {
    try (IndexInput in = directory.openInput(name, IOContext.DEFAULT)) {
      return in;
    }
  }
}
