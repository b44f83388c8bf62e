/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store.image;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Set;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.report.OffloadStats;
import org.luceneoffload.store.guard.DeviceHandle;
import org.luceneoffload.store.node.NodeDirectory;
import org.luceneoffload.store.volume.Volume;
import org.luceneoffload.store.volume.VolumeId;
import org.luceneoffload.store.volume.VolumeReader;
import org.luceneoffload.util.CauseLog;

/**
 * The posting images of one directory: stubs in the application's directory, the images themselves
 * in a volume. A stub whose image is not there, or cannot be reached, is read as the stub that it
 * is; who wants an image sees that this is none.
 */
public final class ImageStore {
  /** The directory in which the store lies, as a user of its volume. */
  public static final String OWNER = ".";

  /** A user of a volume whose place is unknown. */
  public static final String UNKNOWN = "?";

  private final Directory directory;
  private final DeviceHandle handle;
  private final OffloadOptions options;
  private final String user;
  private final Path file; // null: the device's store is none, or nobody said where it is

  /**
   * The images whose stubs are in {@code directory}.
   *
   * @param user who the volume is told uses it, see {@link Volume#addUser}: {@link #OWNER}, {@link
   *     #UNKNOWN}, or a name of the directory
   * @param file the file that holds the device's store; null if there is none, or it is not known
   */
  public ImageStore(
      Directory directory, DeviceHandle handle, OffloadOptions options, String user, Path file) {
    this.directory = directory;
    this.handle = handle;
    this.options = options;
    this.user = user;
    this.file = file;
  }

  /**
   * Makes the volume writable, as whatever changes images does.
   *
   * @throws IOException if it cannot be written; see {@link DeviceHandle#openForWriting}
   */
  public void openForWriting() throws IOException {
    if (directory instanceof NodeDirectory node) {
      handle.openForWriting(node.index()); // whose stubs are there as long as their images are
    } else {
      handle.openForWriting(this::deleteLeftovers);
    }
  }

  private boolean tryOpenForWriting() {
    try {
      openForWriting();
      return true;
    } catch (IOException | AlreadyClosedException e) {
      return false;
    }
  }

  /** Creates an image. */
  public IndexOutput create(String name, IOContext context) throws IOException {
    return create(name, context, options, expectedBytes(context));
  }

  /**
   * Creates the image {@link ImageFiles#REPLACEMENT}, which is written whole or fails; one that is
   * there is deleted.
   *
   * @param expectedBytes guess of its length; 0: none
   */
  public IndexOutput createReplacement(long expectedBytes) throws IOException {
    deleteReplacement();
    String name = ImageFiles.REPLACEMENT;
    return create(name, IOContext.DEFAULT, options.withStrict(true), expectedBytes);
  }

  private IndexOutput create(String name, IOContext context, OffloadOptions how, long expectedBytes)
      throws IOException {
    openForWriting();
    handle.volume().addUser(user);
    IndexOutput plain = directory.createOutput(name, context);
    return new ImageOutput(name, plain, handle, how, expectedBytes);
  }

  /** Opens an image, or the file of that name in the application's directory if there is none. */
  public IndexInput open(String name, IOContext context) throws IOException {
    ImageStub stub = stub(name);
    if (stub != null && handle.tryRetain()) {
      VolumeReader reader = null;
      try {
        reader = handle.volume().openFile(stub.volumeName());
        return new ImageInput(name, handle, reader);
      } catch (IOException | AlreadyClosedException e) {
        CauseLog.warn("image missing", name, name + ": " + e.getMessage() + ImageFiles.REMEDY);
      } finally {
        if (reader == null) {
          handle.release();
        }
      }
    }
    return directory.openInput(name, context);
  }

  /**
   * Returns why {@link #open} finds no image, as far as its stub tells: another store was opened,
   * or it is unknown which.
   *
   * @return words for people; null if the image was given up, or nothing is known
   */
  public String whyNotHere(String name) {
    ImageStub stub;
    try {
      stub = anyStub(name);
    } catch (IOException e) {
      return "the file that names it cannot be read: " + e;
    }
    VolumeId here = handle.volume().id();
    if (stub == null) {
      return isDamaged(name) ? "the file that names it is damaged" : null;
    } else if (stub.uid() == 0 || stub.volume().equals(here)) {
      return null;
    } else if (file != null && Files.notExists(file)) {
      return "its store " + file + " does not exist";
    }
    String where = file == null ? "it" : "its store " + file;
    return here == null
        ? where + " is empty"
        : where + " holds volume " + here + ", and the image is on volume " + stub.volume();
  }

  /** Returns the length of the file that {@link #open} opens. */
  public long length(String name) throws IOException {
    long plain = directory.fileLength(name);
    // Of a file that is being written, its length may be asked, but it may not be opened.
    ImageStub stub = stubIfReadable(name);
    if (stub == null) {
      return plain;
    }
    try {
      return handle.volume().length(stub.volumeName());
    } catch (IOException e) {
      return plain; // as in open
    }
  }

  /** Returns the length of an image on the device; 0 if none is there. */
  public long lengthOnDevice(String name) throws IOException {
    ImageStub stub = stubIfReadable(name);
    return stub != null && handle.volume().exists(stub.volumeName())
        ? handle.volume().length(stub.volumeName())
        : 0;
  }

  /** Deletes an image and its stub. */
  public void delete(String name) throws IOException {
    ImageStub stub = stubIfReadable(name);
    directory.deleteFile(name);
    // If another process writes, the image stays until leftovers are deleted next.
    if (stub != null && tryOpenForWriting()) {
      try {
        handle.volume().delete(stub.volumeName());
      } catch (NoSuchFileException | AlreadyClosedException e) {
        // Gone already; the stub was all that there was.
      }
    }
  }

  /** Deletes the image {@link ImageFiles#REPLACEMENT}, if there is one. */
  public void deleteReplacement() throws IOException {
    try {
      delete(ImageFiles.REPLACEMENT);
    } catch (NoSuchFileException | FileNotFoundException e) {
      // Not there.
    }
  }

  /** Puts the image {@link ImageFiles#REPLACEMENT} in the place of another, or of its stub. */
  public void replace(String name) throws IOException {
    ImageStub old = stubIfReadable(name);
    openForWriting();
    sync();
    directory.sync(Set.of(ImageFiles.REPLACEMENT));
    moveDurably(ImageFiles.REPLACEMENT, name);
    deleteImage(old);
  }

  /**
   * Takes an image from the device; its stub stays, and says so.
   *
   * @return bytes of the image; 0 if none was there, and nothing was done
   */
  public long giveUp(String name) throws IOException {
    ImageStub old = stubIfReadable(name);
    if (old == null || !handle.volume().exists(old.volumeName())) {
      return 0;
    }
    openForWriting();
    deleteReplacement();
    try (IndexOutput out = directory.createOutput(ImageFiles.REPLACEMENT, IOContext.DEFAULT)) {
      old.with(0, 0).write(out);
    }
    directory.sync(Set.of(ImageFiles.REPLACEMENT));
    moveDurably(ImageFiles.REPLACEMENT, name);
    deleteImage(old);
    return old.imageLength();
  }

  /** Gives a file of the application's directory the name of another, which it replaces. */
  public void moveDurably(String from, String to) throws IOException {
    try {
      directory.rename(from, to);
    } catch (FileAlreadyExistsException e) {
      directory.deleteFile(to); // a directory that cannot do both at once
      directory.rename(from, to);
    }
    directory.syncMetaData();
  }

  private void deleteImage(ImageStub stub) throws IOException {
    if (stub != null && handle.volume().exists(stub.volumeName())) {
      handle.volume().delete(stub.volumeName());
    }
  }

  /** Gives an image another name, which is that of an image, too. */
  public void rename(String from, String to) throws IOException {
    directory.rename(from, to);
  }

  /** Makes all images durable. */
  public void sync() throws IOException {
    if (!handle.volume().isWritable()) {
      return; // nothing of this process can be unwritten
    }
    try {
      handle.volume().sync();
    } catch (IOException | AlreadyClosedException e) {
      handle.stats().increment(OffloadStats.Counter.VOLUME_SYNC_FAILURES);
      String why = "posting images may be lost at the next restart: " + e.getMessage();
      handle.stats().countReason(why);
      if (options.strict()) {
        throw new IOException(why, e);
      }
      CauseLog.warn("images may be lost", why, why);
    }
  }

  /**
   * Copies an image of another store without moving a byte, if both are in one volume.
   *
   * @return whether it was done
   */
  public boolean copyByLink(ImageStore from, String source, String target, IOContext context)
      throws IOException {
    ImageStub stub = from.handle == handle ? from.stub(source) : null;
    if (stub == null || !tryOpenForWriting()) {
      return false;
    }
    return writeLink(stub, target, create(target, context));
  }

  /**
   * Writes the stub of an image into an output that may end in this store, or, wrapped or cached on
   * the way, elsewhere.
   *
   * @return false if the image does not exist in this store; nothing is written then
   */
  public boolean writeLink(String source, IndexOutput out) throws IOException {
    ImageStub stub = stub(source);
    if (stub == null || !handle.volume().isWritable()) {
      return false;
    }
    stub.write(out);
    return true;
  }

  /** Writes, as the whole of an output, the stub of {@code source} with its image given up. */
  public boolean writeGivenUp(String source, IndexOutput out) throws IOException {
    ImageStub stub = stub(source);
    if (stub == null) {
      return false;
    }
    stub.with(0, 0).write(out);
    return true;
  }

  /**
   * Removes what a crash has left, of this directory alone. The volume has just become writable.
   */
  private void deleteLeftovers() throws IOException {
    SidecarFiles.deleteOrphans(
        new FilterDirectory(directory) {
          @Override
          public void deleteFile(String name) throws IOException {
            if (ImageFiles.isImage(name)) {
              ImageStore.this.delete(name);
            } else {
              in.deleteFile(name);
            }
          }
        });
    if (user.equals(OWNER)) {
      deleteOrphans();
    }
  }

  /**
   * Deletes every file of the volume that has no stub here, if the volume has no other user.
   * Deletes none if a stub is damaged, since it is unknown which file it stood for.
   */
  private void deleteOrphans() throws IOException {
    Volume volume = handle.volume();
    Set<String> orphans = volume.list();
    for (String name : directory.listAll()) {
      if (ImageFiles.isImage(name)) {
        ImageStub stub = stubIfReadable(name);
        if (stub != null) {
          orphans.remove(stub.volumeName());
        } else if (isDamaged(name)) {
          CauseLog.warn("damaged stub", name, name + " is damaged; nothing is cleared away");
          return;
        }
      }
    }
    if (orphans.isEmpty()) {
      return;
    }
    if (volume.users().isEmpty()) {
      // An earlier version wrote it, and did not say for whom.
      volume.addUser(UNKNOWN);
    }
    if (volume.users().equals(Set.of(user))) {
      for (String name : orphans) {
        volume.delete(name);
      }
    }
  }

  private boolean writeLink(ImageStub stub, String target, IndexOutput out) throws IOException {
    try (out) {
      stub.write(out);
    }
    if (stub(target) != null) {
      return true;
    }
    directory.deleteFile(target); // the link failed, and this is no image
    return false;
  }

  /** Returns the stub of an image in this volume; null if the file is something else. */
  private ImageStub stub(String name) throws IOException {
    ImageStub stub = anyStub(name);
    if (stub == null || stub.uid() == 0) {
      return null;
    }
    if (handle.volume().id() == null) {
      handle.volume().exists(stub.volumeName()); // another process may have made the volume since
    }
    if (!stub.volume().equals(handle.volume().id())) {
      return null;
    }
    return stub;
  }

  /** Returns the stub of an image in any volume; null if the file is something else. */
  private ImageStub anyStub(String name) throws IOException {
    try (IndexInput in = directory.openInput(name, IOContext.READONCE)) {
      return ImageStub.read(in);
    }
  }

  private boolean isDamaged(String name) {
    try (IndexInput in = directory.openInput(name, IOContext.READONCE)) {
      return ImageStub.isDamaged(in);
    } catch (NoSuchFileException e) {
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  private ImageStub stubIfReadable(String name) {
    try {
      return stub(name);
    } catch (IOException e) {
      return null; // the caller meets the reason, if it matters, when it touches the file itself
    }
  }

  /**
   * Returns a guess of the bytes of an image, at most a third of a segment's; better too few than
   * too many.
   */
  private static long expectedBytes(IOContext context) {
    if (context.mergeInfo() != null) {
      return context.mergeInfo().estimatedMergeBytes() / 8;
    }
    if (context.flushInfo() != null) {
      return context.flushInfo().estimatedSegmentSize() / 8;
    }
    return 0;
  }
}
