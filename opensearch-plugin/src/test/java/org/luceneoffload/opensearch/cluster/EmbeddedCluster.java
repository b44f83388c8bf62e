/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.cluster;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.opensearch.common.settings.Settings;

/** Nodes of one cluster in this JVM. */
public final class EmbeddedCluster implements AutoCloseable {
  private final Path folder;
  private final List<EmbeddedNode> nodes = new ArrayList<>();

  /** Starts as many nodes, with these settings and further plugins. */
  public EmbeddedCluster(Path folder, int count, Settings settings, List<Class<?>> plugins)
      throws IOException {
    this.folder = folder;
    try {
      for (int i = 0; i < count; i++) {
        add(settings, plugins);
      }
      rest(0).awaitNodes(count);
    } catch (Throwable t) {
      close();
      throw t;
    }
  }

  /** Starts one more node; returns its name. */
  public String add(Settings settings, List<Class<?>> plugins) throws IOException {
    String name = "node-" + nodes.size();
    String seed = nodes.isEmpty() ? null : nodes.get(0).transportAddress();
    nodes.add(EmbeddedNode.start(folder.resolve(name), name, seed, settings, plugins));
    return name;
  }

  /** A client of a node. */
  public Rest rest(int node) {
    return new Rest(nodes.get(node).httpAddress());
  }

  /** Ends a node; the others stay. */
  public void end(int node) throws IOException {
    nodes.get(node).close();
  }

  @Override
  public void close() throws IOException {
    for (int i = nodes.size() - 1; i >= 0; i--) {
      nodes.get(i).close();
    }
  }
}
