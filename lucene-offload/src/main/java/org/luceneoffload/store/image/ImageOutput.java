/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store.image;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.IndexOutput;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.events.OffloadEvents;
import org.luceneoffload.events.OffloadEvents.Trouble;
import org.luceneoffload.report.OffloadStats;
import org.luceneoffload.store.guard.DeviceHandle;
import org.luceneoffload.store.volume.Transfers;
import org.luceneoffload.store.volume.VolumeWriter;
import org.luceneoffload.util.CauseLog;
import org.luceneoffload.wire.OffloadWire;

/**
 * Writes a posting image to a volume and, when closed, its stub to the application's directory.
 *
 * <p>Who creates a file of this name may not be our codec: {@code Directory.copyFrom} of Lucene and
 * tools that copy an index give the bytes of a stub, or of an image that was copied off its device.
 * So the first page is held back, and what it is decides where it goes. At least a page that starts
 * with the index header of an image: to the volume. A stub of this volume: the image that it names
 * gets a further name, with no copying. Anything else: as it is into the application's directory.
 *
 * <p>If the device fails or is full, the image is given up: a stub that names no file is left, and,
 * unless strict, the writer does not notice.
 */
final class ImageOutput extends IndexOutput {
  private enum State {
    /** Not a page yet: the bytes are in {@link #head}. */
    HEAD,
    /** To the volume. */
    IMAGE,
    /** Nowhere: the image was given up. */
    DROPPED,
    /** To the application's directory. */
    PLAIN
  }

  private final IndexOutput plain;
  private final DeviceHandle handle;
  private final OffloadOptions options;
  private final long expectedBytes;
  private final CRC32 crc = new CRC32();
  private final byte[] single = new byte[1];
  private final byte[] head = new byte[OffloadWire.PAGE_BYTES];
  private State state = State.HEAD;
  private long length;
  private boolean closed;

  // In states IMAGE and DROPPED.
  private ImageStub stub;
  private VolumeWriter writer;
  private ByteBuffer buffer;

  /**
   * An output.
   *
   * @param plain file of that name in the application's directory; closed with this output
   * @param expectedBytes guess of the length; 0: none
   */
  ImageOutput(
      String name,
      IndexOutput plain,
      DeviceHandle handle,
      OffloadOptions options,
      long expectedBytes) {
    super(ImageFiles.kind(name) + " " + name + " on device " + handle.device().name(), name);
    this.plain = plain;
    this.handle = handle;
    this.options = options;
    this.expectedBytes = expectedBytes;
  }

  @Override
  public long getFilePointer() {
    return length;
  }

  @Override
  public long getChecksum() {
    return crc.getValue();
  }

  @Override
  public void writeByte(byte b) throws IOException {
    single[0] = b;
    writeBytes(single, 0, 1);
  }

  @Override
  public void writeBytes(byte[] b, int offset, int count) throws IOException {
    if (closed) {
      throw new AlreadyClosedException(toString());
    }
    crc.update(b, offset, count);
    int from = offset;
    int rest = count;
    if (state == State.HEAD) {
      int taken = (int) Math.min(rest, head.length - length);
      System.arraycopy(b, from, head, (int) length, taken);
      length += taken;
      from += taken;
      rest -= taken;
      if (length == head.length) {
        decideFromFirstPage();
      }
    }
    if (rest > 0) {
      length += rest;
      put(b, from, rest);
    }
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    try (plain) {
      switch (state) {
        case HEAD -> closeShort();
        case IMAGE -> closeImage();
        case DROPPED -> stub.write(plain);
        case PLAIN -> {}
      }
    } finally {
      if (writer != null) {
        writer.abort(); // harmless after success
      }
      if (buffer != null) {
        Transfers.release(buffer);
        buffer = null;
      }
    }
  }

  /** Decides, once the first page is complete, where the file goes. */
  private void decideFromFirstPage() throws IOException {
    stub = ImageStub.forImage(head, head.length, handle.volume().id());
    if (stub == null) {
      state = State.PLAIN;
      plain.writeBytes(head, head.length);
      return;
    }
    state = State.IMAGE;
    try {
      stub = stub.with(ImageFiles.randomNumber(), 0);
      writer = handle.volume().create(stub.volumeName(), expectedBytes);
      buffer = Transfers.acquire();
      buffer.put(head);
    } catch (IOException | AlreadyClosedException e) {
      drop(e);
    }
  }

  private void put(byte[] b, int offset, int count) throws IOException {
    if (state == State.PLAIN) {
      plain.writeBytes(b, offset, count);
      return;
    }
    int from = offset;
    int rest = count;
    while (rest > 0 && state == State.IMAGE) {
      int taken = Math.min(rest, buffer.remaining());
      buffer.put(b, from, taken);
      from += taken;
      rest -= taken;
      if (!buffer.hasRemaining()) {
        flushBuffer();
      }
    }
  }

  private void flushBuffer() throws IOException {
    try {
      writer.append(buffer.flip());
      buffer.clear();
    } catch (IOException | AlreadyClosedException e) {
      drop(e);
    }
  }

  private void closeImage() throws IOException {
    while (buffer.position() % OffloadWire.PAGE_BYTES != 0) {
      buffer.put((byte) 0);
    }
    if (buffer.position() > 0) {
      flushBuffer();
    }
    if (state == State.IMAGE) {
      try {
        writer.finish(length);
        handle.stats().increment(OffloadStats.Counter.IMAGES_WRITTEN);
        handle.stats().add(OffloadStats.Counter.IMAGE_BYTES_WRITTEN, length);
        OffloadEvents.imageWritten(handle.device(), getName(), length);
        stub = stub.with(stub.uid(), length);
      } catch (IOException | AlreadyClosedException e) {
        drop(e);
      }
    }
    writeStub();
  }

  /** Closes a file of less than a page: a stub of this volume, or nothing that this class knows. */
  private void closeShort() throws IOException {
    stub = ImageStub.parse(head, (int) length);
    if (stub == null || stub.uid() == 0 || !stub.volume().equals(handle.volume().id())) {
      plain.writeBytes(head, (int) length);
      return;
    }
    String source = stub.volumeName();
    ImageStub target = stub.with(ImageFiles.randomNumber(), stub.imageLength());
    try {
      handle.volume().link(source, target.volumeName());
    } catch (IOException | AlreadyClosedException e) {
      drop(e);
      target = stub;
    }
    stub = target;
    writeStub();
  }

  private void writeStub() throws IOException {
    try {
      stub.write(plain);
    } catch (Throwable t) {
      if (stub.uid() != 0) {
        try {
          handle.volume().delete(stub.volumeName());
        } catch (IOException | AlreadyClosedException e) {
          t.addSuppressed(e);
        }
      }
      throw t;
    }
  }

  private void drop(Exception cause) throws IOException {
    state = State.DROPPED;
    stub = stub.with(0, 0);
    if (writer != null) {
      writer.abort();
    }
    String why = "posting image given up: " + cause.getMessage();
    handle.stats().increment(OffloadStats.Counter.IMAGES_DROPPED);
    handle.stats().countReason(why);
    OffloadEvents.imageUnusable(handle.device(), getName(), Trouble.DROPPED, cause.getMessage());
    if (options.strict()) {
      throw new IOException(getName() + ": " + why, cause);
    }
    CauseLog.warn("image given up", why, getName() + ": " + why + ImageFiles.REMEDY);
  }
}
