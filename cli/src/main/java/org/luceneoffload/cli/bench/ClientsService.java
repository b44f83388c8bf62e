/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.lucene.index.DirectoryReader;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.cli.options.IndexOptions;
import org.luceneoffload.cli.output.Figures;
import org.luceneoffload.cli.output.Terminal;
import org.luceneoffload.config.Placement;
import org.luceneoffload.workload.BenchKind;
import org.luceneoffload.workload.BenchQueries;
import org.luceneoffload.workload.BenchSides;

/**
 * Measures clients that share a device which has threads of its own: all plans on these threads,
 * all on the clients' threads with the same engine, split between both, and stock Lucene. The sides
 * take turns in every round.
 */
final class ClientsService {
  /** Another device than HOST: those that are opened in the same way for a store are one. */
  private static final String DEVICE = "sim:threads=1";

  private static final String HOST = "sim:readonly=true";
  private static final int WARMUP_ROUNDS = 2;

  /** Who answers. */
  private enum Side {
    STOCK(HOST, Placement.NEVER),
    HOST_ENGINE(HOST, Placement.ALWAYS),
    DEVICE(ClientsService.DEVICE, Placement.ALWAYS),
    DYNAMIC(ClientsService.DEVICE, Placement.DYNAMIC);

    final String device;
    final Placement placement;

    Side(String device, Placement placement) {
      this.device = device;
      this.placement = placement;
    }
  }

  private final BenchQueries queries;
  private final BenchKind kind;
  private final BenchSides[] sides = new BenchSides[Side.values().length];
  private final int rounds;
  private int differences;

  private ClientsService(BenchQueries queries, BenchKind kind, int rounds) {
    this.queries = queries;
    this.kind = kind;
    this.rounds = rounds;
  }

  /**
   * Measures one kind of work.
   *
   * @param clients numbers of clients, each a row
   */
  static ClientsReport run(
      IndexOptions index, Path file, int[] clients, BenchOptions options, Terminal terminal)
      throws IOException, InterruptedException {
    try (OffloadDirectory host = IndexOptions.open(index.index(), HOST, index.strict());
        OffloadDirectory device = IndexOptions.open(index.index(), DEVICE, index.strict());
        DirectoryReader ofHost = DirectoryReader.open(host);
        DirectoryReader ofDevice = DirectoryReader.open(device)) {
      ClientsService service =
          new ClientsService(BenchQueries.read(file, ofHost), options.kind(), options.rounds());
      options.checkKind(service.queries, index.index());
      for (Side side : Side.values()) {
        service.sides[side.ordinal()] =
            new BenchSides(side.device.equals(HOST) ? ofHost : ofDevice).placed(side.placement);
      }
      List<ClientsReport.Row> rows = new ArrayList<>();
      for (int count : clients) {
        terminal.show(count + " clients", (double) rows.size() / clients.length);
        rows.add(service.measure(count));
      }
      return new ClientsReport(
          BenchSetting.of(index, device, ofDevice),
          DEVICE,
          options.kind().name(),
          service.queries.size(),
          options.rounds(),
          rows,
          service.differences);
    } finally {
      terminal.clear();
    }
  }

  private ClientsReport.Row measure(int clients) throws IOException, InterruptedException {
    double[][] rates = new double[sides.length][rounds];
    double[][] tails = new double[sides.length][rounds];
    try (ExecutorService pool =
        Executors.newFixedThreadPool(clients, Thread.ofPlatform().daemon().factory())) {
      compare(pool, clients);
      for (int round = -WARMUP_ROUNDS; round < rounds; round++) {
        for (int turn = 0; turn < sides.length; turn++) {
          int side = Math.floorMod(turn + round, sides.length);
          double[] times = together(pool, clients, sides[side]);
          if (round >= 0) {
            rates[side][round] = times[times.length - 1];
            double[] micros = Arrays.copyOf(times, times.length - 1);
            Arrays.sort(micros);
            tails[side][round] = micros[(int) (0.99 * (micros.length - 1))];
          }
        }
      }
    }
    double[] ratios = new double[rounds];
    double[] tailRatios = new double[rounds];
    for (int round = 0; round < rounds; round++) {
      double better =
          Math.max(rates[Side.DEVICE.ordinal()][round], rates[Side.HOST_ENGINE.ordinal()][round]);
      ratios[round] = rates[Side.DYNAMIC.ordinal()][round] / better;
      tailRatios[round] =
          tails[Side.DYNAMIC.ordinal()][round] / tails[Side.DEVICE.ordinal()][round];
    }
    return new ClientsReport.Row(
        clients,
        median(rates, Side.STOCK),
        median(rates, Side.HOST_ENGINE),
        median(rates, Side.DEVICE),
        median(rates, Side.DYNAMIC),
        Spread.of(ratios),
        median(tails, Side.STOCK),
        median(tails, Side.HOST_ENGINE),
        median(tails, Side.DEVICE),
        median(tails, Side.DYNAMIC),
        Spread.of(tailRatios));
  }

  private static double median(double[][] numbers, Side side) {
    return Figures.round(Spread.of(numbers[side.ordinal()]).median());
  }

  /** Compares the answers of all sides while all clients search. */
  private void compare(ExecutorService pool, int clients) throws IOException, InterruptedException {
    List<Integer> found = new ArrayList<>();
    for (Future<Integer> future : start(pool, clients, this::differing)) {
      found.add(get(future));
    }
    differences = Math.max(differences, found.stream().mapToInt(Integer::intValue).max().orElse(0));
  }

  private int differing(int client) throws IOException {
    int differing = 0;
    for (int i = 0; i < queries.size(); i++) {
      int query = (i + client * 7) % queries.size();
      Object expected = sides[0].run(kind, queries.get(kind, query), true);
      for (BenchSides side : sides) {
        Object actual = side.run(kind, queries.get(kind, query), false);
        differing += BenchKind.same(expected, actual) ? 0 : 1;
      }
    }
    return differing;
  }

  /** Returns the microseconds of each query of all clients, and then the queries a second. */
  private double[] together(ExecutorService pool, int clients, BenchSides side)
      throws IOException, InterruptedException {
    CountDownLatch ready = new CountDownLatch(clients);
    double[] times = new double[clients * queries.size() + 1];
    List<Future<long[]>> spans =
        start(
            pool,
            clients,
            client -> {
              ready.countDown();
              ready.await();
              long start = System.nanoTime();
              long last = start;
              for (int i = 0; i < queries.size(); i++) {
                int query = (int) ((i + (long) client * queries.size() / clients) % queries.size());
                side.run(kind, queries.get(kind, query), false);
                long now = System.nanoTime();
                times[client * queries.size() + i] = (now - last) / 1e3;
                last = now;
              }
              return new long[] {start, last};
            });
    long start = Long.MAX_VALUE;
    long end = Long.MIN_VALUE;
    for (Future<long[]> span : spans) {
      long[] both = get(span);
      start = Math.min(start, both[0]);
      end = Math.max(end, both[1]);
    }
    times[times.length - 1] = clients * queries.size() / ((end - start) / 1e9);
    return times;
  }

  /** The work of a client. */
  @FunctionalInterface
  private interface Work<T> {
    T run(int client) throws IOException, InterruptedException;
  }

  private static <T> List<Future<T>> start(ExecutorService pool, int clients, Work<T> work) {
    List<Future<T>> futures = new ArrayList<>();
    for (int i = 0; i < clients; i++) {
      int client = i;
      futures.add(pool.submit(() -> work.run(client)));
    }
    return futures;
  }

  private static <T> T get(Future<T> future) throws IOException, InterruptedException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw new IOException("a client failed: " + e.getCause(), e);
    }
  }
}
