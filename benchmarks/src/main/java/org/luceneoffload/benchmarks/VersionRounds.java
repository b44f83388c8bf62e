/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Two versions of the project and stock Lucene, query by query in turn in one JVM, so that all
 * three meet the same noise. Each version has a class loader and a native library of its own.
 *
 * <p>Whoever is loaded second is a few per cent quicker, as it finds a JVM that has compiled more.
 * So everything is done twice, in JVMs of their own, with the versions in either order, and the
 * ratio of the versions is the geometric mean of both.
 */
public final class VersionRounds {
  private static final String ONE_ORDER = "--one-order";
  private static final double WARM_UP = 0.6; // of the time that is measured
  // All orders of stock, before and now: who comes after another version finds pages that they
  // share in the processor's caches.
  private static final int[][] ORDERS = {
    {0, 1, 2}, {2, 1, 0}, {1, 2, 0}, {0, 2, 1}, {2, 0, 1}, {1, 0, 2}
  };

  private VersionRounds() {}

  /** A version with an index open; the only type that both class loaders share with this class. */
  public interface Side extends AutoCloseable {
    /** Returns the kinds of work that the index has data for. */
    List<String> kinds();

    /** Returns how many queries there are. */
    int queries();

    /** Returns where a query stands in its file. */
    String where(int query);

    /** Returns what runs a query of a kind, on stock Lucene or on the device. */
    Timer timer(String kind, boolean stock);

    /** Returns whether device and stock Lucene agree. */
    boolean same(String kind, int query) throws IOException;

    @Override
    void close() throws IOException;
  }

  /** Runs a query. */
  @FunctionalInterface
  public interface Timer {
    /** Runs a query, and returns the microseconds that it takes. */
    double micros(int query) throws IOException;
  }

  /** Gives the class loader of a version the types that it shares with this class. */
  private static final class Shared extends ClassLoader {
    Shared() {
      super(ClassLoader.getPlatformClassLoader());
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      for (Class<?> shared : List.of(Side.class, Timer.class)) {
        if (shared.getName().equals(name)) {
          return shared;
        }
      }
      throw new ClassNotFoundException(name);
    }
  }

  private static Side open(Path tree, String index, String queries) throws Exception {
    List<URL> urls = new ArrayList<>();
    urls.add(VersionRounds.class.getProtectionDomain().getCodeSource().getLocation());
    Path library = tree.resolve("benchmarks").resolve("target").resolve("lib");
    if (!Files.isDirectory(library)) {
      throw new IllegalArgumentException(
          library + " is missing; run mvn -B -DskipTests package in " + tree);
    }
    try (DirectoryStream<Path> jars = Files.newDirectoryStream(library, "*.jar")) {
      for (Path jar : jars) {
        urls.add(url(jar));
      }
    }
    // Closed when the JVM ends.
    @SuppressWarnings("resource")
    URLClassLoader loader = new URLClassLoader(urls.toArray(URL[]::new), new Shared());
    Thread.currentThread().setContextClassLoader(loader);
    try {
      return (Side)
          loader
              .loadClass(VersionSide.class.getName())
              .getConstructor(String.class, String.class)
              .newInstance(index, queries);
    } catch (InvocationTargetException e) {
      throw new IllegalStateException(tree + " cannot open " + index, e.getCause());
    }
  }

  private static URL url(Path file) throws MalformedURLException {
    return file.toUri().toURL();
  }

  /** Measures the best times of all queries of a kind; the sides take turns in all orders. */
  private static VersionTimes measure(Side before, Side now, String kind, double seconds)
      throws IOException {
    Timer[] timers = {now.timer(kind, true), before.timer(kind, false), now.timer(kind, false)};
    double[][] best = new double[timers.length][now.queries()];
    for (double[] times : best) {
      Arrays.fill(times, Double.MAX_VALUE);
    }
    int rounds = 0;
    long end = System.nanoTime() + (long) (seconds * 1e9);
    do {
      for (int i = 0; i < now.queries(); i++) {
        for (int side : ORDERS[(rounds + i) % ORDERS.length]) {
          best[side][i] = Math.min(best[side][i], timers[side].micros(i));
        }
      }
      rounds++;
    } while (System.nanoTime() < end);
    return VersionTimes.of(kind, rounds, best, now::where);
  }

  private static int differences(Side side, String kind) throws IOException {
    int differences = 0;
    for (int i = 0; i < side.queries(); i++) {
      differences += side.same(kind, i) ? 0 : 1;
    }
    return differences;
  }

  /** Measures with the versions in one order; prints a line for each kind, for the parent. */
  private static void oneOrder(boolean nowFirst, List<String> arguments) throws Exception {
    Path beforeTree = Path.of(arguments.get(0));
    Path nowTree = Path.of(arguments.get(1));
    String index = arguments.get(2);
    String queries = arguments.get(3);
    double seconds = Double.parseDouble(arguments.get(5));
    try (Side first = open(nowFirst ? nowTree : beforeTree, index, queries);
        Side second = open(nowFirst ? beforeTree : nowTree, index, queries)) {
      Side before = nowFirst ? second : first;
      Side now = nowFirst ? first : second;
      List<String> kinds = kinds(arguments.get(4), before.kinds(), now.kinds());
      for (String kind : kinds) {
        int differences = differences(before, kind) + differences(now, kind);
        if (differences > 0) {
          throw new IllegalStateException(differences + " answers of " + kind + " differ");
        }
        measure(before, now, kind, seconds * WARM_UP);
      }
      for (String kind : kinds) {
        System.out.println(measure(before, now, kind, seconds).line());
      }
    }
  }

  private static List<String> kinds(String asked, List<String> before, List<String> now) {
    List<String> both = now.stream().filter(before::contains).toList();
    if (asked.equals("all")) {
      return both;
    }
    List<String> kinds = List.of(asked.split(","));
    for (String kind : kinds) {
      if (!both.contains(kind)) {
        throw new IllegalArgumentException(
            "no kind " + kind + " over this index; there are " + String.join(", ", both));
      }
    }
    return kinds;
  }

  /** Runs this class once more, in a JVM with the same options. */
  private static List<VersionTimes> run(boolean nowFirst, String[] arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(VersionRounds.class.getName(), ONE_ORDER, Boolean.toString(nowFirst)));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    List<VersionTimes> times = new ArrayList<>();
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        VersionTimes.parse(line).ifPresent(times::add);
      }
    }
    if (process.waitFor() != 0) {
      throw new IllegalStateException("the JVM that measures ended with an error; see above");
    }
    return times;
  }

  /**
   * Compares two versions.
   *
   * @param arguments two trees of the project, both packaged; an index; a file of queries; kinds of
   *     work with commas between, or {@code all}; seconds for each kind and order
   */
  public static void main(String[] arguments) throws Exception {
    if (arguments.length == 8 && arguments[0].equals(ONE_ORDER)) {
      List<String> all = List.of(arguments);
      oneOrder(Boolean.parseBoolean(arguments[1]), all.subList(2, all.size()));
      return;
    }
    if (arguments.length != 6) {
      System.err.println("usage: VersionRounds BEFORE NOW INDEX QUERIES KIND,..|all SECONDS");
      System.exit(2);
    }
    List<VersionTimes> one = run(false, arguments);
    List<VersionTimes> other = run(true, arguments);
    System.out.println(VersionTimes.HEADING);
    for (int i = 0; i < one.size(); i++) {
      System.out.println(one.get(i).row(other.get(i)));
    }
  }
}
