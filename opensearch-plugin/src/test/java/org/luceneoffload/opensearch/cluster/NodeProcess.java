/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.cluster;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.lucene.util.IOUtils;
import org.opensearch.Version;

/** Nodes as users run them: a JVM each, OpenSearch's own {@code main}, the plugin from its zip. */
public final class NodeProcess implements Closeable {
  private static final String HEAP = "512m";

  /** Three nodes start at once, perhaps on one core with other work. */
  private static final Duration START = Duration.ofMinutes(10);

  private static final long END_MINUTES = 5;

  /** What the tests need, and a node has in the plugin, in another release, or not at all. */
  private static final List<String> NOT_OF_A_NODE =
      List.of(
          "/com/fasterxml/",
          "/dev/hardwood/",
          "/org/xerial/",
          "/org/junit/",
          "/org/opentest4j/",
          "/org/apiguardian/",
          "/picocli/");

  private final Path folder;
  private final String name;
  private final int http;
  private final int transport;
  private final String seeds;
  private Process process;

  private NodeProcess(Path folder, String name, int http, int transport, String seeds) {
    this.folder = folder;
    this.name = name;
    this.http = http;
    this.transport = transport;
    this.seeds = seeds;
  }

  private static Path scripts() {
    return Path.of("node").toAbsolutePath();
  }

  /** Why there can be no such nodes here; null if they can. */
  public static String whyNot(int nodes) throws IOException {
    long needed = nodes * 1_300L; // heap, code, threads, device memory as it is touched
    String os = System.getProperty("os.name");
    if (!os.equals("Linux")) {
      return "nodes are started by a script for Linux, not " + os;
    } else if (!Files.exists(Path.of(System.getProperty("offload.plugin.zip")))) {
      return "no zip of the plugin: it is there from the phase package on";
    } else if (availableMegabytes() < needed) {
      return nodes + " nodes need " + needed + " MB, and " + availableMegabytes() + " are free";
    } else if (ProcessHandle.current().info().user().orElse("").equals("root")
        && Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
            .noneMatch(path -> Files.isExecutable(Path.of(path, "setpriv")))) {
      return "a node does not run as root, and there is no setpriv to be another user";
    }
    return null;
  }

  private static long availableMegabytes() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/meminfo"))) {
      if (line.startsWith("MemAvailable:")) {
        return Long.parseLong(line.replaceAll("\\D", "")) / 1024;
      }
    }
    return Long.MAX_VALUE;
  }

  /** Lays out a distribution from the class path of the tests. */
  public static void distribution(Path folder) throws IOException {
    String path =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    Path project = Path.of("..").toAbsolutePath().normalize();
    String jars =
        Arrays.stream(path.split(File.pathSeparator))
            .filter(entry -> entry.endsWith(".jar") && !Path.of(entry).startsWith(project))
            .filter(entry -> !entry.contains("/org/luceneoffload/"))
            .filter(entry -> NOT_OF_A_NODE.stream().noneMatch(entry::contains))
            .collect(Collectors.joining(File.pathSeparator));
    run(
        "sh",
        scripts().resolve("distribution.sh").toString(),
        folder.toString(),
        System.getProperty("offload.plugin.zip"),
        jars);
    run("chmod", "-R", "a+rX", folder.getParent().toString());
  }

  private static void run(String... command) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
    java(builder);
    builder.environment().put("OPENSEARCH_VERSION", Version.CURRENT.toString());
    try {
      int code = builder.start().waitFor();
      if (code != 0) {
        throw new IOException(String.join(" ", command) + " ended with " + code);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException();
    }
  }

  /** The scripts take the JDK that runs the tests. */
  private static void java(ProcessBuilder builder) {
    String home = System.getProperty("java.home");
    builder.environment().put("JAVA_HOME", home);
    builder.environment().merge("PATH", home + "/bin", (path, bin) -> bin + ":" + path);
  }

  /** Nodes of one cluster, on ports that were free a moment ago; they are not started yet. */
  public static List<NodeProcess> of(Path folder, int count) throws IOException {
    List<Integer> ports = FreePorts.take(2 * count);
    // The first node, too, finds the others when it comes back.
    String seeds =
        ports.subList(count, 2 * count).stream()
            .map(String::valueOf)
            .collect(Collectors.joining(","));
    List<NodeProcess> nodes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      nodes.add(new NodeProcess(folder, "node-" + i, ports.get(i), ports.get(count + i), seeds));
    }
    return nodes;
  }

  /** Starts it, anew perhaps, on the data that it has; does not wait until it answers. */
  public void start(String... settings) throws IOException {
    List<String> command = new ArrayList<>();
    command.addAll(List.of("sh", scripts().resolve("start.sh").toString()));
    command.addAll(List.of(folder.resolve("node").toString(), folder.resolve(name).toString()));
    command.addAll(List.of(name, "" + http, "" + transport, seeds));
    MachineSettings.ALL.forEach((setting, value) -> command.add(setting + "=" + value));
    command.addAll(List.of(settings));
    ProcessBuilder builder = new ProcessBuilder(command);
    java(builder);
    builder.environment().put("HEAP", HEAP);
    // Nodes live for seconds: most of that is their start, and much of it the second compiler.
    builder.environment().put("JDK_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC");
    builder
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()));
    process = builder.start();
  }

  /** Waits until it answers. */
  public Rest await() throws IOException {
    Rest rest = new Rest("127.0.0.1:" + http);
    try {
      rest.awaitNode(START, process::isAlive);
    } catch (IOException e) {
      throw new IOException(name + (process.isAlive() ? "" : " has ended") + ":\n" + tail(), e);
    }
    return rest;
  }

  /** What it printed last. */
  public String tail() throws IOException {
    List<String> lines = Files.readAllLines(log());
    return String.join("\n", lines.subList(Math.max(0, lines.size() - 30), lines.size()));
  }

  /** Everything that it printed. */
  public String printed() throws IOException {
    return Files.readString(log());
  }

  private Path log() {
    return folder.resolve(name + ".log");
  }

  /** Its name in the cluster. */
  public String name() {
    return name;
  }

  /** Tells all of them to end, as a service manager does, and waits until they have. */
  public static void close(List<NodeProcess> nodes) throws IOException {
    for (NodeProcess node : nodes) {
      if (node.process != null) {
        node.process.destroy();
      }
    }
    IOUtils.close(nodes);
  }

  /** {@code kill -9}. */
  public void kill() throws IOException {
    end(true);
  }

  /** Ends it as a service manager does. */
  @Override
  public void close() throws IOException {
    if (process != null) {
      end(false);
    }
  }

  private void end(boolean force) throws IOException {
    try {
      if (force || !process.isAlive()) {
        process.destroyForcibly();
      } else {
        process.destroy();
      }
      if (!process.waitFor(END_MINUTES, TimeUnit.MINUTES)) {
        process.destroyForcibly().waitFor();
        throw new IOException(name + " did not end by itself:\n" + tail());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException();
    }
  }
}
