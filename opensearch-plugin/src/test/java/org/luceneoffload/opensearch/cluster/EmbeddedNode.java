/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.luceneoffload.opensearch.OffloadPlugin;
import org.opensearch.Version;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.http.HttpServerTransport;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;
import org.opensearch.node.NodeValidationException;
import org.opensearch.plugins.PluginInfo;
import org.opensearch.transport.Netty4ModulePlugin;
import org.opensearch.transport.TransportService;

/** A node in this JVM, with ports that the system chose. */
public final class EmbeddedNode extends Node {
  private EmbeddedNode(Environment environment, Collection<PluginInfo> plugins) {
    super(environment, plugins, true);
  }

  /**
   * Starts a node.
   *
   * @param home its home; the same again for the same node
   * @param seed transport address of a node of its cluster; null: it is the first
   * @param more further settings
   * @param plugins further plugins
   */
  static EmbeddedNode start(
      Path home, String name, String seed, Settings more, List<Class<?>> plugins)
      throws IOException {
    Files.createDirectories(home.resolve("config"));
    Settings.Builder settings =
        Settings.builder()
            .put("path.home", home)
            .put("path.repo", home.resolveSibling("repo"))
            .put("node.name", name)
            .put("cluster.name", "offload-test")
            .put("transport.type", "netty4")
            .put("http.type", "netty4")
            .put("network.host", "127.0.0.1")
            .put("transport.port", "0")
            .put("http.port", "0")
            .put("cluster.routing.allocation.disk.threshold_enabled", false);
    MachineSettings.ALL.forEach(settings::put);
    settings.put(more);
    if (seed == null) {
      settings.putList("cluster.initial_cluster_manager_nodes", name);
      settings.putList("discovery.seed_hosts");
    } else {
      settings.putList("discovery.seed_hosts", seed);
    }
    List<PluginInfo> infos = new ArrayList<>();
    infos.add(info(Netty4ModulePlugin.class));
    infos.add(info(OffloadPlugin.class));
    plugins.forEach(plugin -> infos.add(info(plugin)));
    EmbeddedNode node =
        new EmbeddedNode(
            InternalSettingsPreparer.prepareEnvironment(
                settings.build(), Map.of(), home.resolve("config"), () -> name),
            infos);
    try {
      node.start();
    } catch (NodeValidationException e) {
      throw new IOException(e);
    }
    return node;
  }

  private static PluginInfo info(Class<?> plugin) {
    return new PluginInfo(
        plugin.getName(),
        "of this test",
        "1",
        Version.CURRENT,
        "21",
        plugin.getName(),
        null,
        List.of(),
        false);
  }

  /** Several nodes share this JVM, and its one identity in log lines. */
  @Override
  protected void configureNodeAndClusterIdStateListener(ClusterService clusterService) {}

  /** Where other nodes find this one. */
  String transportAddress() {
    return injector()
        .getInstance(TransportService.class)
        .boundAddress()
        .publishAddress()
        .toString();
  }

  /** Where clients find it. */
  String httpAddress() {
    return injector()
        .getInstance(HttpServerTransport.class)
        .boundAddress()
        .publishAddress()
        .toString();
  }
}
