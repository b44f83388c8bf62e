/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.LockFactory;
import org.apache.lucene.util.IOFunction;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.device.Devices;
import org.luceneoffload.opensearch.settings.IndexOffload;
import org.luceneoffload.opensearch.settings.NodeSettings;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.common.settings.Settings;
import org.opensearch.index.IndexModule;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.shard.ShardPath;
import org.opensearch.index.store.FsDirectoryFactory;
import org.opensearch.plugins.IndexStorePlugin;

/**
 * The store type {@value #TYPE}: images on a device, every other file where the store type that it
 * wraps has it.
 */
public final class OffloadStore implements IndexStorePlugin.DirectoryFactory {
  /** The value of {@code index.store.type}. */
  public static final String TYPE = "offload";

  private static final Logger LOG = LogManager.getLogger(OffloadStore.class);

  private final NodeSettings node;
  private final Function<IndexSettings, IndexOffload> indexes;
  private final FsDirectoryFactory wrapped = new FsDirectoryFactory();

  /**
   * A factory for the shards of a node.
   *
   * @param indexes what is set for an index
   */
  public OffloadStore(NodeSettings node, Function<IndexSettings, IndexOffload> indexes) {
    this.node = node;
    this.indexes = indexes;
  }

  @Override
  public Directory newDirectory(IndexSettings index, ShardPath shard) throws IOException {
    Path location = shard.resolveIndex();
    Files.createDirectories(location);
    return open(location, index, path -> wrapped.newDirectory(inner(index), shard));
  }

  @Override
  public Directory newFSDirectory(Path location, LockFactory lockFactory, IndexSettings index)
      throws IOException {
    return open(location, index, path -> wrapped.newFSDirectory(path, lockFactory, inner(index)));
  }

  /** Opens a directory. A device that this node lacks is no reason not to open the shard. */
  private Directory open(Path location, IndexSettings index, IOFunction<Path, Directory> plain)
      throws IOException {
    IndexOffload offload = indexes.apply(index);
    String device = node.deviceName(offload.device());
    OffloadOptions options = offload.options();
    try {
      return OffloadDirectory.open(plain, location, device, options);
    } catch (IllegalArgumentException e) {
      if (options.strict()) {
        throw new IOException("shard in " + location + ": " + e.getMessage(), e);
      }
      LOG.warn("shard in {} works without device \"{}\": {}", location, device, e.getMessage());
      return OffloadDirectory.open(plain, location, Devices.HOST, options);
    }
  }

  /**
   * Returns the index's settings with the wrapped store type: OpenSearch's factory knows its own
   * only.
   */
  private static IndexSettings inner(IndexSettings index) {
    IndexMetadata metadata = index.getIndexMetadata();
    Settings settings =
        Settings.builder()
            .put(metadata.getSettings())
            .put(
                IndexModule.INDEX_STORE_TYPE_SETTING.getKey(),
                IndexOffload.WRAPPED_STORE.get(metadata.getSettings()))
            .build();
    return new IndexSettings(
        IndexMetadata.builder(metadata).settings(settings).build(), index.getNodeSettings());
  }
}
