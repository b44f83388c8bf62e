/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.lucene.util.IOUtils;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.luceneoffload.opensearch.probe.PhaseTimes;
import org.opensearch.common.settings.Settings;

/** One cluster of two nodes for all tests that leave it as they found it. */
public final class SharedCluster implements BeforeAllCallback {
  private static Running running;

  /** Ends with the last test. */
  private static final class Running implements AutoCloseable {
    private final Path folder;
    private final EmbeddedCluster cluster;

    Running() throws IOException {
      folder = Files.createTempDirectory("offload-cluster");
      cluster = new EmbeddedCluster(folder, 2, Settings.EMPTY, List.of(PhaseTimes.class));
    }

    @Override
    public void close() throws IOException {
      cluster.close();
      IOUtils.rm(folder);
    }
  }

  @Override
  public synchronized void beforeAll(ExtensionContext context) throws IOException {
    if (running == null) {
      running = new Running();
      context.getRoot().getStore(ExtensionContext.Namespace.GLOBAL).put("cluster", running);
    }
  }

  /** A client of one of its nodes, 0 or 1. */
  public static Rest rest(int node) {
    return running.cluster.rest(node);
  }

  /** Where its nodes have their files, each in a folder of its name. */
  public static Path folder() {
    return running.folder;
  }
}
