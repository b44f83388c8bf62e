/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.maintain.node;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.Lock;
import org.apache.lucene.util.IOFunction;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.store.guard.DeviceHandle;
import org.luceneoffload.store.guard.DeviceRegistry;
import org.luceneoffload.store.image.ImageDirectory;
import org.luceneoffload.store.node.NodeIndexes;
import org.luceneoffload.store.node.NodeName;
import org.luceneoffload.store.volume.Volume;

/**
 * Lists, makes and deletes the indexes on a storage node. Names are those of {@link
 * OffloadDirectory#open(String)}.
 */
public final class NodeAdmin {
  private static final Path NO_HOME = Path.of(".");
  private static final OffloadOptions OPTIONS =
      OffloadOptions.DEFAULT.withStrict(true).withDeviceTimeout(OffloadDirectory.NODE_TIMEOUT);

  /**
   * An index on a node.
   *
   * @param name its name
   * @param files how many of Lucene's files it has, stubs of images included
   * @param bytes of these files; those of its images are not part of it
   */
  public record NodeIndex(String name, int files, long bytes) {}

  private NodeAdmin() {}

  private static <T> T with(NodeName node, IOFunction<DeviceHandle, T> work) throws IOException {
    DeviceHandle handle = DeviceRegistry.open(NO_HOME, node.device(), OPTIONS);
    try {
      return work.apply(handle);
    } finally {
      handle.release();
    }
  }

  /**
   * Returns the indexes on a node, by name.
   *
   * @param node {@code csd:HOST:PORT}
   * @throws IllegalArgumentException if the name is malformed
   * @throws IOException if the node cannot be reached
   */
  public static List<NodeIndex> list(String node) throws IOException {
    return with(NodeName.parseNode(node), handle -> NodeIndexes.list(handle.volume())).stream()
        .map(found -> new NodeIndex(found.name(), found.files(), found.bytes()))
        .toList();
  }

  /**
   * Makes an empty index, and the node's volume if it has none and may get one. It is not needed:
   * who writes to an index makes it.
   *
   * @param index {@code csd:HOST:PORT/NAME}
   * @return false if there is such an index already
   * @throws IllegalArgumentException if the name is malformed
   * @throws IOException if the node cannot be reached or written
   */
  public static boolean create(String index) throws IOException {
    NodeName name = NodeName.parse(index);
    return with(
        name,
        handle -> {
          handle.openForWriting(name.index());
          Volume volume = handle.volume();
          if (NodeIndexes.exists(volume, name.index())) {
            return false;
          }
          NodeIndexes.create(volume, name.index());
          return true;
        });
  }

  /**
   * Deletes an index with its images. Readers that have it open fail from now on.
   *
   * @param index {@code csd:HOST:PORT/NAME}
   * @return false if there is no such index
   * @throws IllegalArgumentException if the name is malformed
   * @throws org.apache.lucene.store.LockObtainFailedException if somebody writes it
   * @throws IOException if the node cannot be reached or written
   */
  public static boolean delete(String index) throws IOException {
    NodeName name = NodeName.parse(index);
    try (OffloadDirectory directory = OffloadDirectory.open(index, OPTIONS)) {
      Volume volume = ImageDirectory.find(directory).handle().volume();
      if (!NodeIndexes.exists(volume, name.index())) {
        return false;
      }
      try (Lock lock = directory.obtainLock(IndexWriter.WRITE_LOCK_NAME)) {
        lock.ensureValid();
        deleteFiles(directory);
        NodeIndexes.forget(volume, name.index());
        return true;
      }
    }
  }

  /** Deletes all files, the commits first: what a crash leaves is no index. */
  private static void deleteFiles(OffloadDirectory directory) throws IOException {
    for (boolean commits : new boolean[] {true, false}) {
      for (String file : directory.listAll()) {
        if (!commits || SegmentInfos.getLastCommitGeneration(new String[] {file}) >= 0) {
          try {
            directory.deleteFile(file);
          } catch (NoSuchFileException e) {
            // One that went with another.
          }
        }
      }
      directory.syncMetaData();
    }
  }
}
