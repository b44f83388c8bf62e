/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.luceneoffload.ImageBytes.IMAGE;
import static org.luceneoffload.ImageBytes.OTHER_IMAGE;
import static org.luceneoffload.ImageBytes.image;
import static org.luceneoffload.ImageBytes.read;
import static org.luceneoffload.ImageBytes.write;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
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
import org.luceneoffload.report.OffloadStats;
import org.luceneoffload.store.image.ImageDirectory;
import org.luceneoffload.store.image.ImageInput;

/** Images on a device and stubs in a directory, behind the interface of a directory. */
class TestOffloadDirectory {
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
  void aCopyThatGetsItsNameLastIsOnTheDevice() throws IOException {
    byte[] image = image(4, 30);
    try (OffloadDirectory directory = wrapRam()) {
      write(directory, "recovery.x." + IMAGE, image);
      directory.rename("recovery.x." + IMAGE, IMAGE);
      assertInstanceOf(ImageInput.class, open(directory, IMAGE));
      assertArrayEquals(image, read(directory, IMAGE));
      assertArrayEquals(new String[] {IMAGE}, directory.listAll());
    }
    // Too small for it: nothing is lost.
    try (OffloadDirectory directory =
        OffloadDirectory.wrap(new ByteBuffersDirectory(), new RamBlockDevice(16))) {
      write(directory, "recovery.x." + IMAGE, image);
      directory.rename("recovery.x." + IMAGE, IMAGE);
      assertArrayEquals(image, read(directory, IMAGE));
      assertArrayEquals(new String[] {IMAGE}, directory.listAll());
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
}
