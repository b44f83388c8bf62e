/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.workload.Queries;
import org.luceneoffload.workload.QueryLine;
import org.luceneoffload.workload.TypedFields;

/**
 * A storage node on this machine beside the engine in the process: the first ten hits of the same
 * queries over the same posting lists, from some threads, in turn. Both share the processors, so
 * that what a query costs them is told beside queries a second, for this process and for the node.
 * Runs on Linux alone.
 */
public final class NodeRounds {
  private static final int HITS = 10;
  private static final int WARM_TURNS = 12;
  private static final int STRIDE = 37; // threads begin with different queries
  private static final Pattern STARTED = Pattern.compile("csd-target: \\S+ on \\S+ port (\\d+)");

  private final List<Query> queries = new ArrayList<>();
  private final OperatingSystemMXBean system =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  private final long node;
  private final long nanos;

  private NodeRounds(long node, double seconds) {
    this.node = node;
    this.nanos = (long) (seconds * 1e9);
  }

  /** One of the two sides. */
  private static final class Side implements AutoCloseable {
    private final OffloadDirectory directory;
    private final DirectoryReader reader;
    private final OffloadIndexSearcher searcher;
    private final List<Turn> turns = new ArrayList<>();

    Side(Path index, String device) throws IOException {
      directory = OffloadDirectory.open(index, device);
      reader = DirectoryReader.open(directory);
      searcher = new OffloadIndexSearcher(reader);
      searcher.setQueryCache(null);
    }

    double median(ToDoubleFunction<Turn> value) {
      double[] sorted = turns.stream().mapToDouble(value).sorted().toArray();
      return sorted[sorted.length / 2];
    }

    @Override
    public void close() throws IOException {
      reader.close();
      directory.close();
    }
  }

  /** What a turn came to, in microseconds for each query. */
  private record Turn(double wall, double hostCpu, double nodeCpu) {}

  /** Returns the processor time that the node's threads have used, in nanoseconds. */
  private long nodeNanos() throws IOException {
    long sum = 0;
    Path threads = Path.of("/proc", Long.toString(node), "task");
    try (DirectoryStream<Path> all = Files.newDirectoryStream(threads)) {
      for (Path thread : all) {
        try {
          sum += Long.parseLong(Files.readString(thread.resolve("schedstat")).split(" ")[0]);
        } catch (NoSuchFileException e) {
          // It has ended.
        }
      }
    }
    return sum;
  }

  private Turn turn(Side side, int threads) throws Exception {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    CountDownLatch go = new CountDownLatch(1);
    long[] done = new long[threads];
    Thread[] clients = new Thread[threads];
    for (int t = 0; t < threads; t++) {
      int number = t;
      clients[t] =
          new Thread(
              () -> {
                try {
                  go.await();
                  done[number] = search(side, number * STRIDE);
                } catch (Throwable e) {
                  failure.set(e);
                }
              });
      clients[t].start();
    }
    long nodeBefore = nodeNanos();
    long hostBefore = system.getProcessCpuTime();
    long start = System.nanoTime();
    go.countDown();
    for (Thread client : clients) {
      client.join();
    }
    double micros = Arrays.stream(done).sum() * 1e3;
    long end = System.nanoTime();
    long host = system.getProcessCpuTime() - hostBefore;
    if (failure.get() != null) {
      throw new IllegalStateException("a search failed", failure.get());
    }
    return new Turn((end - start) / micros, host / micros, (nodeNanos() - nodeBefore) / micros);
  }

  /** Searches until the turn is over, and returns how often it did. */
  private long search(Side side, int first) throws IOException {
    long end = System.nanoTime() + nanos;
    long count = 0;
    do {
      side.searcher.search(queries.get((int) ((first + count) % queries.size())), HITS);
      count++;
    } while (System.nanoTime() < end);
    return count;
  }

  private void compare(Side one, Side other) throws IOException {
    for (Query query : queries) {
      if (!hits(one, query).equals(hits(other, query))) {
        throw new IllegalStateException("the sides differ: " + query);
      }
    }
  }

  private static List<String> hits(Side side, Query query) throws IOException {
    List<String> hits = new ArrayList<>();
    for (ScoreDoc hit : side.searcher.search(query, HITS).scoreDocs) {
      hits.add(hit.doc + ":" + Float.floatToRawIntBits(hit.score));
    }
    return hits;
  }

  private void run(Side engine, Side remote, int[] threadCounts, int rounds) throws Exception {
    System.out.println("threads  queries/s, node to engine   CPU us: engine   host + node   ratio");
    for (int i = 0; i < WARM_TURNS; i++) {
      turn(engine, 1);
      turn(remote, 1);
    }
    for (int threads : threadCounts) {
      engine.turns.clear();
      remote.turns.clear();
      double[] ratios = new double[rounds];
      turn(engine, threads);
      turn(remote, threads);
      for (int i = 0; i < rounds; i++) {
        engine.turns.add(turn(engine, threads));
        remote.turns.add(turn(remote, threads));
        ratios[i] = engine.turns.getLast().wall / remote.turns.getLast().wall;
      }
      Arrays.sort(ratios);
      double alone = engine.median(Turn::hostCpu);
      double host = remote.median(Turn::hostCpu);
      double node = remote.median(Turn::nodeCpu);
      System.out.printf(
          Locale.ROOT,
          "%7d  %.2f (%.2f to %.2f)            %15.0f   %4.0f + %4.0f   %.2f%n",
          threads,
          ratios[rounds / 2],
          ratios[0],
          ratios[rounds - 1],
          alone,
          host,
          node,
          alone / (host + node));
    }
  }

  private static Process start(Path program, Path store, List<String> more) throws IOException {
    List<String> command = new ArrayList<>();
    command.addAll(List.of(program.toString(), "--store", store.toString(), "--read-only"));
    command.addAll(List.of("--port", "0", "--log-level", "error"));
    command.addAll(List.of("--uuid", UUID.randomUUID().toString()));
    command.addAll(more);
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  /**
   * Runs it.
   *
   * @param arguments the daemon, an index with its store, a file of queries, threads with commas
   *     between, rounds, seconds of a turn, and further options of the daemon
   */
  public static void main(String[] arguments) throws Exception {
    if (arguments.length < 6) {
      System.err.println(
          "usage: NodeRounds CSD-TARGET INDEX QUERIES THREADS ROUNDS SECONDS [--..]");
      System.exit(2);
    }
    Path index = Path.of(arguments[1]);
    int[] threads = Arrays.stream(arguments[3].split(",")).mapToInt(Integer::parseInt).toArray();
    List<String> more = List.of(arguments).subList(6, arguments.length);
    Process process = start(Path.of(arguments[0]), index.resolve("offload.vol"), more);
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII))) {
      Matcher started = STARTED.matcher(String.valueOf(out.readLine()));
      if (!started.find()) {
        throw new IOException("csd-target did not start");
      }
      String node = "csd:127.0.0.1:" + started.group(1) + ",readonly=true";
      NodeRounds rounds = new NodeRounds(process.pid(), Double.parseDouble(arguments[5]));
      try (Side engine = new Side(index, "sim:readonly=true");
          Side remote = new Side(index, node)) {
        Queries parser = new Queries(TypedFields.of(engine.reader));
        for (QueryLine line : QueryLine.readAll(Path.of(arguments[2]))) {
          rounds.queries.add(parser.parse(line));
        }
        rounds.compare(engine, remote);
        rounds.run(engine, remote, threads, Integer.parseInt(arguments[4]));
      }
    } finally {
      process.destroy();
    }
  }
}
