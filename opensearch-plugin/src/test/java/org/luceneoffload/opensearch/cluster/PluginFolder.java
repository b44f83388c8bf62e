/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.cluster;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.opensearch.Version;

/** A folder of installed plugins, compiled here: they are on no class path. */
public final class PluginFolder {
  private final Path folder;

  /** Makes the folder when the first plugin is installed. */
  public PluginFolder(Path folder) {
    this.folder = folder;
  }

  /** Returns where the plugins are. */
  public Path path() {
    return folder;
  }

  /**
   * Installs a plugin.
   *
   * @param name its name, and that of its class in the package {@code other}
   * @param source the class
   * @param extended a plugin that it extends; null: none
   * @param compiledWith a jar that the class needs; null: none but the server's
   * @return its jar
   */
  public Path install(String name, String source, String extended, Path compiledWith)
      throws IOException {
    Path home = Files.createDirectories(folder.resolve(name));
    Path classes = Files.createTempDirectory("classes");
    JavaFileObject file =
        new SimpleJavaFileObject(
            URI.create("string:///other/" + name + ".java"), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return source;
          }
        };
    String path = System.getProperty("java.class.path");
    List<String> options =
        List.of(
            "-proc:none",
            "-d",
            classes.toString(),
            "-classpath",
            compiledWith == null ? path : path + File.pathSeparator + compiledWith);
    assertTrue(
        ToolProvider.getSystemJavaCompiler()
            .getTask(null, null, null, options, null, List.of(file))
            .call(),
        name);
    Path jar = home.resolve(name + ".jar");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
        Stream<Path> compiled = Files.walk(classes)) {
      for (Path each : compiled.filter(Files::isRegularFile).toList()) {
        out.putNextEntry(new JarEntry(classes.relativize(each).toString()));
        Files.copy(each, out);
      }
    }
    Files.write(
        home.resolve("plugin-descriptor.properties"),
        List.of(
            "name=" + name,
            "description=of a test",
            "version=1",
            "classname=other." + name,
            "java.version=21",
            "opensearch.version=" + Version.CURRENT,
            "extended.plugins=" + (extended == null ? "" : extended)));
    return jar;
  }
}
