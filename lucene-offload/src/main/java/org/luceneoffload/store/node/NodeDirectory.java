/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store.node;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.security.SecureRandom;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.BaseDirectory;
import org.apache.lucene.store.ByteBuffersDataInput;
import org.apache.lucene.store.ByteBuffersIndexInput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.OutputStreamIndexOutput;
import org.apache.lucene.util.IOUtils;
import org.luceneoffload.config.OffloadOptions.IndexCache;
import org.luceneoffload.store.guard.DeviceHandle;
import org.luceneoffload.store.volume.VolumeReader;

/**
 * Lucene's files of one index, on the volume of a storage node. In the volume a file is called
 * INDEX/FILE; so one node holds many indexes, and images of any of them beside.
 *
 * <p>What is on the node is the index, not a copy: what fails is an error, never silently left out.
 * A file is there, whole, once it is closed, and durable with a sync of any file; a commit is one
 * snapshot of the volume, so that a crash of the node or the writer leaves the latest commit whole.
 *
 * <p>A process that does not write sees what another has committed when it next lists the files, as
 * {@code DirectoryReader.openIfChanged} does.
 */
public final class NodeDirectory extends BaseDirectory {
  private static final int OUTPUT_BUFFER_BYTES = 8 << 10;
  private static final int FIRST_RUN_OF_SCANS = 16;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final DeviceHandle handle;
  private final String index;
  private final NodeCache cache;
  private final Map<String, NodeOutput> outputs = new ConcurrentHashMap<>();
  private final AtomicLong nextTemporary = new AtomicLong();

  /**
   * Opens the files of an index, which need not exist yet.
   *
   * @param handle the node; the caller keeps it until this is closed
   * @param index name of the index
   * @param bounds of the cache, if nobody in this process uses the node yet
   */
  public NodeDirectory(DeviceHandle handle, String index, IndexCache bounds) throws IOException {
    super(new NodeLockFactory(handle));
    this.handle = handle;
    this.index = NodeName.checkIndex(index);
    handle.volume().keepFiles(index);
    this.cache =
        handle.attachment(NodeCache.class, device -> new NodeCache(bounds, device.stats()));
  }

  /** Returns the name of the index. */
  public String index() {
    return index;
  }

  @Override
  public String[] listAll() throws IOException {
    ensureOpen();
    handle.volume().refresh();
    Set<String> names = new TreeSet<>(outputs.keySet());
    for (String name : handle.volume().list()) {
      if (NodeIndexes.isFileOf(index, name)) {
        names.add(name.substring(index.length() + 1));
      }
    }
    return names.toArray(String[]::new);
  }

  @Override
  public void deleteFile(String name) throws IOException {
    ensureOpen();
    makeWritable();
    handle.volume().delete(volumeName(name));
  }

  @Override
  public long fileLength(String name) throws IOException {
    ensureOpen();
    NodeOutput output = outputs.get(name);
    return output != null ? output.length() : handle.volume().length(volumeName(name));
  }

  @Override
  public IndexOutput createOutput(String name, IOContext context) throws IOException {
    ensureOpen();
    makeWritable();
    String volumeName = volumeName(name);
    NodeIndexes.note(handle.volume(), index);
    long stamp;
    do {
      stamp = RANDOM.nextLong();
    } while (stamp == 0);
    NodeOutput output =
        new NodeOutput(
            handle, cache, volumeName, stamp, expectedBytes(context), o -> outputs.remove(name, o));
    if (outputs.putIfAbsent(name, output) != null) {
      throw new FileAlreadyExistsException(volumeName);
    }
    if (handle.volume().exists(volumeName)) {
      outputs.remove(name, output);
      throw new FileAlreadyExistsException(volumeName);
    }
    return new OutputStreamIndexOutput(
        volumeName + " on " + handle.device().name(), name, output, OUTPUT_BUFFER_BYTES);
  }

  @Override
  public IndexOutput createTempOutput(String prefix, String suffix, IOContext context)
      throws IOException {
    while (true) {
      String number = Long.toString(nextTemporary.getAndIncrement(), Character.MAX_RADIX);
      String name = IndexFileNames.segmentFileName(prefix, suffix + "_" + number, "tmp");
      try {
        return createOutput(name, context);
      } catch (FileAlreadyExistsException e) {
        // Left by a process that was killed; another number.
      }
    }
  }

  @Override
  public void sync(Collection<String> names) throws IOException {
    ensureOpen();
    for (String name : names) {
      if (!handle.volume().exists(volumeName(name))) {
        throw new NoSuchFileException(volumeName(name));
      }
    }
    syncMetaData();
  }

  @Override
  public void syncMetaData() throws IOException {
    ensureOpen();
    if (handle.volume().isWritable()) {
      handle.volume().sync();
    }
  }

  @Override
  public void rename(String source, String dest) throws IOException {
    ensureOpen();
    makeWritable();
    handle.volume().rename(volumeName(source), volumeName(dest));
  }

  @Override
  public IndexInput openInput(String name, IOContext context) throws IOException {
    ensureOpen();
    if (outputs.containsKey(name)) {
      throw new AccessDeniedException(volumeName(name), null, "it is being written");
    }
    VolumeReader reader = handle.volume().openFile(volumeName(name));
    boolean opened = false;
    try {
      String description = volumeName(name) + " on " + handle.device().name();
      byte[] inline = reader.inline();
      if (inline != null) {
        return new ByteBuffersIndexInput(
            new ByteBuffersDataInput(List.of(ByteBuffer.wrap(inline))), description);
      }
      if (!handle.tryRetain()) {
        throw new AlreadyClosedException(description);
      }
      NodeFile file = new NodeFile(description, handle, reader, cache);
      opened = true;
      return new NodeInput(description, file, firstRun(context));
    } finally {
      if (!opened) {
        IOUtils.closeWhileHandlingException(reader);
      }
    }
  }

  private static int firstRun(IOContext context) {
    return context.context() == IOContext.Context.MERGE ? FIRST_RUN_OF_SCANS : 1;
  }

  @Override
  public Set<String> getPendingDeletions() {
    return Set.of();
  }

  /** Closes this directory; the node's handle stays the caller's. */
  @Override
  public void close() {
    isOpen = false;
  }

  @Override
  public String toString() {
    return "NodeDirectory(" + handle.device().name() + ", " + index + ")";
  }

  private void makeWritable() throws IOException {
    handle.openForWriting(index);
  }

  private String volumeName(String name) {
    return NodeIndexes.volumeName(index, name);
  }

  /** Returns a guess of the bytes to come; better too few than too many. */
  private static long expectedBytes(IOContext context) {
    if (context.mergeInfo() != null) {
      return context.mergeInfo().estimatedMergeBytes() / 8;
    }
    return context.flushInfo() != null ? context.flushInfo().estimatedSegmentSize() / 8 : 0;
  }
}
