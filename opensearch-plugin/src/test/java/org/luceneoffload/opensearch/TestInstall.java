/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.Reader;
import java.net.SocketPermission;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.util.IOUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.luceneoffload.opensearch.cluster.NodeProcess;
import org.opensearch.plugins.Plugin;
import org.opensearch.plugins.PluginInfo;
import org.opensearch.plugins.PluginsService;
import org.opensearch.secure_sm.policy.GrantEntry;
import org.opensearch.secure_sm.policy.PermissionEntry;
import org.opensearch.secure_sm.policy.PolicyFile;
import org.opensearch.secure_sm.policy.PolicyParser;

/**
 * What {@code opensearch-plugin install} checks of a zip, by the classes of the server that it
 * asks. The command itself is in no artifact of this release.
 */
@Tag("packaged")
class TestInstall {
  private static final int SYMBOLIC_LINK = 0xA000;
  private static final int CENTRAL_ENTRY = 0x02014b50;
  private static final int CENTRAL_END = 0x06054b50;

  private final Path zip = Path.of(System.getProperty("offload.plugin.zip"));
  private Path folder;
  private Path staged;

  @BeforeEach
  void stage() throws IOException {
    folder = Files.createTempDirectory("offload-install");
    NodeProcess.distribution(folder.resolve("node"));
    IOUtils.rm(folder.resolve("node/plugins/lucene-offload"));
    staged = Files.createDirectory(folder.resolve("staged"));
    try (ZipInputStream in = new ZipInputStream(Files.newInputStream(zip))) {
      for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
        Path file = staged.resolve(entry.getName()).normalize();
        assertTrue(file.startsWith(staged), "outside of the folder: " + entry);
        assertFalse(entry.getName().startsWith("opensearch/"), "the old structure: " + entry);
        assertFalse(entry.isDirectory(), "a folder: " + entry);
        Files.copy(in, file);
      }
    }
  }

  @AfterEach
  void delete() throws IOException {
    IOUtils.rm(folder);
  }

  private PluginInfo checked() throws IOException {
    PluginInfo info = PluginInfo.readFromProperties(staged);
    PluginsService.verifyCompatibility(info);
    PluginsService.checkForFailedPluginRemovals(folder.resolve("node/plugins"));
    return info;
  }

  private void checkJars(PluginInfo info) throws Exception {
    Set<URL> server = new HashSet<>(urls(folder.resolve("node/lib")));
    assertFalse(server.isEmpty());
    PluginsService.checkJarHellForPlugin(
        server, info, staged, folder.resolve("node/plugins"), folder.resolve("node/modules"));
  }

  private static List<URL> urls(Path jars) throws IOException {
    List<URL> urls = new ArrayList<>();
    try (Stream<Path> files = Files.list(jars)) {
      for (Path jar : files.filter(f -> f.toString().endsWith(".jar")).sorted().toList()) {
        urls.add(jar.toUri().toURL());
      }
    }
    return urls;
  }

  @Test
  void isInstalled() throws Exception {
    PluginInfo info = checked();
    assertFalse(info.hasNativeController());
    assertFalse(Files.exists(folder.resolve("node/modules").resolve(info.getName())));
    assertEquals(System.getProperty("opensearch.version"), versions(info));
    checkJars(info);
    try (URLClassLoader loader =
        new URLClassLoader(urls(staged).toArray(URL[]::new), Plugin.class.getClassLoader())) {
      assertTrue(Plugin.class.isAssignableFrom(loader.loadClass(info.getClassname())));
    }
    try (Stream<Path> files = Files.list(staged)) {
      for (Path file : files.toList()) {
        assertFalse(file.endsWith("bin") || file.endsWith("config"), "moved elsewhere: " + file);
      }
    }
  }

  private static String versions(PluginInfo info) {
    return info.getOpenSearchVersionRangesString().replaceAll("[\\[\\]=]", "");
  }

  @Test
  void asksForTwoPermissions() throws Exception {
    Path policy = staged.resolve(PluginInfo.OPENSEARCH_PLUGIN_POLICY);
    List<String> asked = new ArrayList<>();
    try (Reader reader = Files.newBufferedReader(policy)) {
      for (GrantEntry grant : PolicyParser.read(reader)) {
        for (PermissionEntry entry : grant.permissionEntries()) {
          asked.add(entry.permission() + " " + entry.name());
        }
      }
    }
    assertEquals(
        List.of("java.net.SocketPermission *", "java.lang.RuntimePermission loadLibrary.*"), asked);
    new PolicyFile(policy.toUri().toURL()); // fails on what it does not know
    assertEquals("connect,resolve", new SocketPermission("*", "connect,resolve").getActions());
  }

  @Test
  void holdsNoLinks() throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(zip)).order(ByteOrder.LITTLE_ENDIAN);
    int end = bytes.limit() - 22; // no comment
    assertEquals(CENTRAL_END, bytes.getInt(end));
    int at = bytes.getInt(end + 16);
    int entries = 0;
    for (; bytes.getInt(at) == CENTRAL_ENTRY; entries++) {
      int mode = bytes.getInt(at + 38) >>> 16;
      assertFalse((mode & 0xF000) == SYMBOLIC_LINK, "a symbolic link, entry " + entries);
      at += 46 + bytes.getShort(at + 28) + bytes.getShort(at + 30) + bytes.getShort(at + 32);
    }
    assertEquals(bytes.getShort(end + 10), entries);
  }

  /** The checks find what they are for. */
  @Test
  void refusesWhatIsWrong() throws Exception {
    PluginInfo info = checked();
    Path lucene =
        Path.of(IndexWriter.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Path copy = Files.copy(lucene, staged.resolve("lucene.jar"));
    Exception hell = assertThrows(Exception.class, () -> checkJars(info));
    assertTrue((hell + " " + hell.getCause()).contains("jar hell"), hell.toString());
    Files.delete(copy);

    Path descriptor = staged.resolve("plugin-descriptor.properties");
    String text = Files.readString(descriptor);
    String version = System.getProperty("opensearch.version");
    refused(descriptor, text.replace("opensearch.version=" + version, "opensearch.version=3.8.0"));
    refused(descriptor, text.replaceFirst("java.version=.*", "java.version=99"));
    refused(descriptor, text.replaceFirst("classname=.*", ""));
    Path policy = staged.resolve(PluginInfo.OPENSEARCH_PLUGIN_POLICY);
    Files.writeString(policy, "grant { permission java.lang.RuntimePermission \"x\"");
    URL url = policy.toUri().toURL();
    assertThrows(Exception.class, () -> new PolicyFile(url));
  }

  private void refused(Path descriptor, String text) throws IOException {
    assertFalse(Files.readString(descriptor).equals(text), text);
    Files.writeString(descriptor, text);
    assertThrows(RuntimeException.class, this::checked, text);
  }
}
