/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.settings;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.opensearch.plugins.PluginInfo;
import org.opensearch.plugins.PluginsService;
import org.opensearch.plugins.SearchPlugin;

/** The plugins that are installed on a node, looked at before any of them is asked for anything. */
public final class InstalledPlugins {
  private static final Logger LOG = LogManager.getLogger(InstalledPlugins.class);
  private static final String QUERY_PHASE = "getQueryPhaseSearcher";

  private final Path folder;

  /**
   * The plugins of a node.
   *
   * @param folder where they are installed, each in a folder of its own
   */
  public InstalledPlugins(Path folder) {
    this.folder = folder;
  }

  /**
   * Returns the name of a plugin beside one's own that brings a {@code QueryPhaseSearcher}, of
   * which a node has one; null if none does. A class that cannot be looked at is taken for one that
   * does: a node without ours works, a node with two does not start.
   *
   * @param own the class of the plugin that asks
   */
  public String withQueryPhase(Class<? extends SearchPlugin> own) {
    try {
      for (Path plugin : PluginsService.findPluginDirs(folder)) {
        PluginInfo info = PluginInfo.readFromProperties(plugin);
        if (!info.getClassname().equals(own.getName()) && bringsQueryPhase(plugin, info)) {
          return info.getName();
        }
      }
    } catch (IOException | IllegalArgumentException e) {
      // The node says itself what is wrong with a plugin's folder.
      LOG.debug("the folder of plugins cannot be read", e);
    }
    return null;
  }

  private boolean bringsQueryPhase(Path plugin, PluginInfo info) throws IOException {
    List<URL> jars = new ArrayList<>(jars(plugin));
    for (String extended : info.getExtendedPlugins()) {
      jars.addAll(jars(folder.resolve(extended)));
    }
    ClassLoader server = SearchPlugin.class.getClassLoader();
    try (URLClassLoader loader = new URLClassLoader(jars.toArray(URL[]::new), server)) {
      Class<?> type = Class.forName(info.getClassname(), false, loader);
      return SearchPlugin.class.isAssignableFrom(type)
          && type.getMethod(QUERY_PHASE).getDeclaringClass() != SearchPlugin.class;
    } catch (ReflectiveOperationException | LinkageError e) {
      LOG.debug("the class of the plugin {} cannot be looked at", info.getName(), e);
      return true;
    }
  }

  private static List<URL> jars(Path plugin) throws IOException {
    List<URL> found = new ArrayList<>();
    if (Files.isDirectory(plugin)) {
      try (DirectoryStream<Path> jars = Files.newDirectoryStream(plugin, "*.jar")) {
        for (Path jar : jars) {
          found.add(jar.toUri().toURL());
        }
      }
    }
    return found;
  }
}
