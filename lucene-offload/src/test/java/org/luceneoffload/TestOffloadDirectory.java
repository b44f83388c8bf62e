/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.TrackingDirectoryWrapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.device.RamBlockDevice;
import org.luceneoffload.device.RamDeviceProvider;
import org.luceneoffload.report.OffloadStats;
import org.luceneoffload.store.image.ImageDirectory;
import org.luceneoffload.store.image.ImageFiles;
import org.luceneoffload.store.image.ImageInput;
import org.luceneoffload.store.volume.VolumeWriter;
import org.luceneoffload.wire.OffloadWire;

class TestOffloadDirectory {
  private static final String IMAGE = "_0_Offload104_0.odp";
  private static final String OTHER_IMAGE = "_1_Offload104_0.odp";
  private static final byte[] SEGMENT_ID = new byte[16];
  private static final OffloadOptions STRICT = OffloadOptions.DEFAULT.withStrict(true);

  @TempDir Path path;

  @Test
  void imagesGoToTheDeviceAndStubsToTheDirectory() throws IOException {
    byte[] image = image(1, 5);
    Directory plain = new ByteBuffersDirectory();
    RamBlockDevice device = new RamBlockDevice(2048);
    try (OffloadDirectory directory = OffloadDirectory.wrap(plain, device)) {
      write(directory, IMAGE, image);
      write(directory, "_0.doc", image);
      assertEquals(image.length, directory.fileLength(IMAGE));
      assertTrue(plain.fileLength(IMAGE) < 200);
      assertEquals(image.length, plain.fileLength("_0.doc"));
      assertArrayEquals(image, read(directory, IMAGE));
      assertEquals(1, ImageDirectory.find(directory).handle().volume().list().size());
      try (IndexInput stub = plain.openInput(IMAGE, IOContext.DEFAULT)) {
        CodecUtil.checksumEntireFile(stub);
        assertArrayEquals(image, read(directory, IMAGE));
      }
      directory.deleteFile(IMAGE);
      assertEquals(0, ImageDirectory.find(directory).handle().volume().list().size());
      assertThrows(NoSuchFileException.class, () -> plain.fileLength(IMAGE));
      assertThrows(NoSuchFileException.class, () -> directory.fileLength(IMAGE));
      assertThrows(IOException.class, () -> directory.openInput(IMAGE, IOContext.DEFAULT));
    }
  }

  @Test
  void imageUnderWayHasALength() throws IOException {
    byte[] image = image(1, 5);
    // This one refuses to open what is not closed yet; a file system would not.
    try (OffloadDirectory directory = wrapRam()) {
      try (IndexOutput out = directory.createOutput(IMAGE, IOContext.DEFAULT)) {
        assertTrue(directory.fileLength(IMAGE) >= 0);
        out.writeBytes(image, image.length);
        assertTrue(directory.fileLength(IMAGE) >= 0);
      }
      assertEquals(image.length, directory.fileLength(IMAGE));
    }
  }

  @Test
  void imageInputsBehaveLikeInputs() throws IOException {
    byte[] image = image(2, 40);
    try (OffloadDirectory directory = wrapRam()) {
      write(directory, IMAGE, image);
      IndexInput in = directory.openInput(IMAGE, IOContext.DEFAULT);
      assertEquals(image.length, in.length());
      Random random = new Random(4);
      IndexInput clone = in.clone();
      IndexInput slice = in.slice("part", 1000, 50_000);
      for (int i = 0; i < 300; i++) {
        int at = random.nextInt(40_000);
        byte[] some = new byte[random.nextInt(random.nextBoolean() ? 10 : 9000)];
        for (IndexInput each : List.of(in, clone, slice.clone())) {
          int base = each == in || each == clone ? 0 : 1000;
          each.seek(at);
          each.readBytes(some, 0, some.length);
          assertArrayEquals(Arrays.copyOfRange(image, base + at, base + at + some.length), some);
          assertEquals(at + some.length, each.getFilePointer());
          assertEquals(image[base + at + some.length], each.readByte());
        }
      }
      IndexInput inner = slice.slice("inner", 10, 5);
      assertEquals(image[1010], inner.readByte());
      assertThrows(EOFException.class, () -> inner.readBytes(new byte[5], 0, 5));
      assertThrows(EOFException.class, () -> inner.seek(6));
      inner.seek(5);
      assertThrows(EOFException.class, inner::readByte);
      assertThrows(IllegalArgumentException.class, () -> slice.slice("no", 49_999, 2));
      in.seek(in.length());
      assertThrows(EOFException.class, in::readByte);
      in.close();
      in.close();
      assertThrows(AlreadyClosedException.class, () -> in.seek(0));
      assertThrows(AlreadyClosedException.class, in::clone);
      clone.seek(30_000 * 3);
      assertThrows(AlreadyClosedException.class, clone::readByte);
    }
  }

  @Test
  void imageOutputsBehaveLikeOutputs() throws IOException {
    try (OffloadDirectory directory = wrapRam();
        Directory plain = new ByteBuffersDirectory()) {
      byte[] image = image(3, 7);
      try (IndexOutput ours = directory.createOutput(IMAGE, IOContext.DEFAULT);
          IndexOutput theirs = plain.createOutput(IMAGE, IOContext.DEFAULT)) {
        for (int at = 0, step = 1; at < image.length; at += step, step = step * 3 % 5003) {
          step = Math.min(step, image.length - at);
          ours.writeBytes(image, at, step);
          theirs.writeBytes(image, at, step);
          assertEquals(theirs.getFilePointer(), ours.getFilePointer());
          assertEquals(theirs.getChecksum(), ours.getChecksum());
        }
      }
      assertArrayEquals(image, read(directory, IMAGE));
      assertThrows(
          FileAlreadyExistsException.class, () -> directory.createOutput(IMAGE, IOContext.DEFAULT));
      IndexOutput closed = directory.createOutput(OTHER_IMAGE, IOContext.DEFAULT);
      closed.close();
      assertThrows(AlreadyClosedException.class, () -> closed.writeByte((byte) 0));
    }
  }

  @Test
  void whatIsNoImageStaysInTheDirectory() throws IOException {
    try (OffloadDirectory directory = wrapRam()) {
      byte[] junk = new byte[20_000];
      new Random(1).nextBytes(junk);
      write(directory, IMAGE, junk);
      write(directory, OTHER_IMAGE, Arrays.copyOf(junk, 100));
      assertEquals(0, ImageDirectory.find(directory).handle().volume().list().size());
      assertArrayEquals(junk, read(directory, IMAGE));
      assertEquals(100, directory.fileLength(OTHER_IMAGE));
      directory.deleteFile(IMAGE);
      directory.deleteFile(OTHER_IMAGE);
      assertEquals(0, directory.listAll().length);
    }
  }

  @Test
  void renameAndCopy() throws IOException {
    byte[] image = image(4, 3);
    try (OffloadDirectory directory = wrapRam();
        OffloadDirectory other = wrapRam();
        Directory plain = new ByteBuffersDirectory()) {
      write(directory, IMAGE, image);
      directory.rename(IMAGE, OTHER_IMAGE);
      assertArrayEquals(image, read(directory, OTHER_IMAGE));
      other.copyFrom(directory, OTHER_IMAGE, IMAGE, IOContext.DEFAULT);
      assertArrayEquals(image, read(other, IMAGE));
      assertInstanceOf(ImageInput.class, open(other, IMAGE));
      plain.copyFrom(other, IMAGE, IMAGE, IOContext.DEFAULT);
      assertEquals(image.length, plain.fileLength(IMAGE)); // all of it: there is no device
      directory.copyFrom(plain, IMAGE, IMAGE, IOContext.DEFAULT);
      assertInstanceOf(ImageInput.class, open(directory, IMAGE));
      directory.rename(IMAGE, "backup");
      assertArrayEquals(image, read(directory, "backup"));
      assertEquals(1, ImageDirectory.find(directory).handle().volume().list().size());
    }
  }

  @Test
  void aCopyWithinAVolumeIsALink() throws IOException {
    byte[] image = image(4, 30);
    RamBlockDevice device = new RamBlockDevice(2048);
    try (OffloadDirectory one = OffloadDirectory.wrap(new ByteBuffersDirectory(), device);
        OffloadDirectory two = OffloadDirectory.wrap(new ByteBuffersDirectory(), device)) {
      assertSame(ImageDirectory.find(one).handle(), ImageDirectory.find(two).handle());
      write(one, IMAGE, image);
      long written = device.lbasWritten();
      TrackingDirectoryWrapper tracking = new TrackingDirectoryWrapper(two);
      tracking.copyFrom(one, IMAGE, IMAGE, IOContext.DEFAULT);
      assertEquals(written, device.lbasWritten());
      one.deleteFile(IMAGE);
      assertArrayEquals(image, read(two, IMAGE));
      assertTrue(tracking.getCreatedFiles().contains(IMAGE));
    }
  }

  @Test
  void aCopyFromAFailingDeviceLeavesTheImageOut() throws IOException {
    RamBlockDevice device = new RamBlockDevice(2048);
    try (OffloadDirectory source = OffloadDirectory.wrap(new ByteBuffersDirectory(), device);
        OffloadDirectory lenient = wrapRam();
        OffloadDirectory strict =
            OffloadDirectory.wrap(new ByteBuffersDirectory(), new RamBlockDevice(2048), STRICT)) {
      write(source, IMAGE, image(1, 3));
      device.failReadsAfter(0);
      lenient.copyFrom(source, IMAGE, IMAGE, IOContext.DEFAULT);
      assertFalse(open(lenient, IMAGE) instanceof ImageInput);
      assertThrows(
          IOException.class, () -> strict.copyFrom(source, IMAGE, IMAGE, IOContext.DEFAULT));
      assertEquals(0, strict.listAll().length);
    }
  }

  @Test
  void aForeignVolumeOnTheDeviceIsLeftAlone() throws IOException {
    RamBlockDevice device = new RamBlockDevice(2048);
    device.lba(0)[7] = 42;
    try (OffloadDirectory directory = OffloadDirectory.wrap(new ByteBuffersDirectory(), device)) {
      assertNull(ImageDirectory.find(directory).handle());
      write(directory, IMAGE, image(1, 2)); // stays in the directory
      assertArrayEquals(image(1, 2), read(directory, IMAGE));
    }
    assertThrows(
        IOException.class, () -> OffloadDirectory.wrap(new ByteBuffersDirectory(), device, STRICT));
    assertEquals(0, device.lbasWritten());
  }

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
  void aStubWithoutItsImageIsReadAsAStub() throws IOException {
    try (OffloadDirectory directory = OffloadDirectory.open(path, "testram")) {
      write(directory, IMAGE, image(5, 4));
      ImageDirectory.find(directory)
          .handle()
          .volume()
          .delete(ImageDirectory.find(directory).handle().volume().list().iterator().next());
      assertFalse(open(directory, IMAGE) instanceof ImageInput);
      assertTrue(directory.fileLength(IMAGE) < 200);
      directory.deleteFile(IMAGE);
    }
  }

  @Test
  void theHostNeedsNoDevice() throws IOException {
    try (OffloadDirectory directory = OffloadDirectory.open(path, "host", STRICT)) {
      assertNull(ImageDirectory.find(directory).handle());
      assertNotNull(directory.whyNoImages());
      write(directory, IMAGE, image(1, 1));
      assertArrayEquals(image(1, 1), read(directory, IMAGE));
      assertEquals(0, directory.stats().get(OffloadStats.Counter.IMAGES_WRITTEN));
    }
    assertThrows(
        IllegalArgumentException.class, () -> OffloadDirectory.open(path, "host:something"));
  }

  @Test
  void badNamesAreRefused() {
    IllegalArgumentException unknown =
        assertThrows(IllegalArgumentException.class, () -> OffloadDirectory.open(path, "nosuch:x"));
    assertTrue(unknown.getMessage().contains("nosuch"), unknown.getMessage());
    assertTrue(unknown.getMessage().contains("host"), unknown.getMessage());
    assertTrue(unknown.getMessage().contains("testram"), unknown.getMessage());
    assertThrows(
        IllegalArgumentException.class, () -> OffloadDirectory.open(path, "testram:what=1"));
  }

  @Test
  void aDeviceThatDoesNotOpenLeavesTheHost() throws IOException {
    for (String name : List.of("testbroken", "testbroken:link", "testbroken:state")) {
      try (OffloadDirectory directory = OffloadDirectory.open(path, name)) {
        assertNull(ImageDirectory.find(directory).handle());
      }
      assertThrows(IOException.class, () -> OffloadDirectory.open(path, name, STRICT));
    }
  }

  @Test
  void aFailedSyncCostsOnlyTheImages() throws IOException {
    RamBlockDevice device = new RamBlockDevice(2048);
    try (OffloadDirectory directory = OffloadDirectory.wrap(new ByteBuffersDirectory(), device)) {
      write(directory, IMAGE, image(1, 2));
      device.failFlushesAfter(0);
      directory.sync(List.of(IMAGE));
      assertEquals(1, directory.stats().get(OffloadStats.Counter.VOLUME_SYNC_FAILURES));
      device.heal();
    }
  }

  @Test
  void aDeviceClosedTooEarlyCostsOnlyTheImages() throws IOException {
    RamBlockDevice device = new RamBlockDevice(2048);
    Directory plain = new ByteBuffersDirectory();
    OffloadDirectory directory = OffloadDirectory.wrap(plain, device);
    write(directory, IMAGE, image(1, 2));
    device.close();
    write(directory, OTHER_IMAGE, image(2, 2));
    assertEquals(1, directory.stats().get(OffloadStats.Counter.IMAGES_DROPPED));
    directory.close();
    RamBlockDevice other = new RamBlockDevice(2048);
    OffloadDirectory strict = OffloadDirectory.wrap(new ByteBuffersDirectory(), other, STRICT);
    write(strict, IMAGE, image(1, 2));
    other.close();
    assertThrows(IOException.class, strict::close);
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

  @Test
  void findsItselfInAChain() throws IOException {
    try (OffloadDirectory directory = wrapRam()) {
      assertSame(directory, OffloadDirectory.find(new TrackingDirectoryWrapper(directory)));
      assertSame(directory, OffloadDirectory.find(directory));
    }
    try (Directory plain = FSDirectory.open(path)) {
      assertNull(OffloadDirectory.find(new TrackingDirectoryWrapper(plain)));
    }
  }

  private static OffloadDirectory wrapRam() throws IOException {
    return OffloadDirectory.wrap(new ByteBuffersDirectory(), new RamBlockDevice(2048));
  }

  /** An input that is closed again, to look at its class. */
  private static IndexInput open(Directory directory, String name) throws IOException {
    try (IndexInput in = directory.openInput(name, IOContext.DEFAULT)) {
      return in;
    }
  }

  /** A file with the header and footer of an image, and random pages. */
  private static byte[] image(int seed, int pages) throws IOException {
    try (Directory memory = new ByteBuffersDirectory()) {
      try (IndexOutput out = memory.createOutput("x", IOContext.DEFAULT)) {
        CodecUtil.writeIndexHeader(out, ImageFiles.CODEC, 1, SEGMENT_ID, "Offload104_0");
        byte[] random = new byte[(1 + pages) * OffloadWire.PAGE_BYTES - (int) out.getFilePointer()];
        new Random(seed).nextBytes(random);
        out.writeBytes(random, random.length);
        CodecUtil.writeFooter(out);
      }
      return read(memory, "x");
    }
  }

  private static void write(Directory directory, String name, byte[] bytes) throws IOException {
    try (IndexOutput out = directory.createOutput(name, IOContext.DEFAULT)) {
      out.writeBytes(bytes, bytes.length);
    }
  }

  private static byte[] read(Directory directory, String name) throws IOException {
    try (IndexInput in = directory.openInput(name, IOContext.DEFAULT)) {
      byte[] bytes = new byte[(int) in.length()];
      in.readBytes(bytes, 0, bytes.length);
      return bytes;
    }
  }
}
