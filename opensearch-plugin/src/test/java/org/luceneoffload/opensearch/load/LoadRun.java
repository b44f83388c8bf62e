/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.load;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.HdrHistogram.ConcurrentHistogram;
import org.luceneoffload.opensearch.cluster.Rest;
import org.luceneoffload.opensearch.requests.Responses;

/** Compares, warms and measures; both indexes take turns in all that it does. */
final class LoadRun {
  private static final int MAX_PER_TURN = 500;

  /** Of one kind on both indexes. */
  record Measured(LoadKind kind, Side stock, Side offload) {
    Side side(int number) {
      return number == 0 ? stock : offload;
    }
  }

  private final Rest rest;
  private final NodeCpu cpu;
  private final PhaseCpu phaseCpu;
  private final OpenLoop loop;
  private final List<Measured> kinds;
  private final List<String> differences = new ArrayList<>();

  /** A run over both indexes, which are there. */
  LoadRun(Rest rest, NodeCpu cpu, OpenLoop loop, List<LoadKind> kinds) {
    this.rest = rest;
    this.cpu = cpu;
    this.phaseCpu = new PhaseCpu(rest);
    this.loop = loop;
    this.kinds = kinds.stream().map(k -> new Measured(k, new Side(), new Side())).toList();
  }

  /** What was measured so far. */
  List<Measured> kinds() {
    return kinds;
  }

  /** Requests that were answered differently, with the place. */
  List<String> differences() {
    return differences;
  }

  /** Asks every request of both, and compares the responses; returns how many requests. */
  int compare() throws IOException {
    int compared = 0;
    for (Measured measured : kinds) {
      for (LoadRequest request : measured.kind().requests()) {
        String stock = request.response(rest, LoadIndexes.NAMES.get(0));
        String ours = request.response(rest, LoadIndexes.NAMES.get(1));
        compared++;
        if (!stock.equals(ours)) {
          differences.add(
              measured.kind().name()
                  + " "
                  + request.body()
                  + "\n"
                  + Responses.difference(stock, ours));
        }
      }
    }
    return compared;
  }

  /**
   * One client that waits for each response: service time, and the node's CPU time.
   *
   * @param warmSeconds of each kind on each index, before anything is measured
   * @param rounds turns of each kind
   * @param turnSeconds how long a turn is to take on stock, about
   */
  void closed(double warmSeconds, int rounds, double turnSeconds) throws IOException {
    int[] requests = new int[kinds.size()];
    for (int k = 0; k < requests.length; k++) {
      int[] served = {warm(k, 0, warmSeconds), 0};
      warm(k, 1, warmSeconds);
      requests[k] = (int) Math.clamp(turnSeconds / warmSeconds * served[0], 1, MAX_PER_TURN);
    }
    for (int round = 0; round < rounds; round++) {
      for (int k = 0; k < requests.length; k++) {
        for (int i = 0; i < 2; i++) {
          turn(kinds.get(k), (round + i) % 2, round * requests[k], requests[k]);
        }
      }
    }
  }

  private int warm(int kind, int side, double seconds) {
    long end = System.nanoTime() + (long) (seconds * 1e9);
    int served = 0;
    while (served == 0 || System.nanoTime() < end) {
      kinds.get(kind).kind().request(served++).send(rest, LoadIndexes.NAMES.get(side)).join();
    }
    return served;
  }

  private void turn(Measured measured, int side, int first, int count) throws IOException {
    String index = LoadIndexes.NAMES.get(side);
    PhaseCpu.Micros phases = phaseCpu.of(index);
    long before = cpu.micros();
    for (int i = first; i < first + count; i++) {
      long begin = System.nanoTime();
      measured.kind().request(i).send(rest, index).join();
      measured.side(side).served(System.nanoTime() - begin);
    }
    measured.side(side).used(cpu.micros() - before);
    measured.side(side).used(phaseCpu.of(index).minus(phases));
  }

  /** Requests a second that one client got answered by stock, all kinds alike. */
  double stockRate() {
    double millis = kinds.stream().mapToDouble(k -> k.stock().service(50)).average().orElse(1);
    return 1000 / millis;
  }

  /**
   * All kinds mixed, at a fixed rate.
   *
   * @param slices turns of each index
   * @return failed requests
   */
  int open(double perSecond, double sliceSeconds, int slices) {
    int failed = 0;
    for (int slice = 0; slice < slices; slice++) {
      for (int i = 0; i < 2; i++) {
        int side = (slice + i) % 2;
        List<Integer> mix = mix(perSecond, sliceSeconds, slice);
        OpenLoop.Outcome outcome =
            loop.run(
                perSecond,
                mix.size(),
                request -> send(mix, request, side),
                (request, nanos) -> kinds.get(mix.get(request)).side(side).answered(nanos));
        failed += outcome.failed() + (mix.size() - outcome.sent());
      }
    }
    return failed;
  }

  /**
   * The highest rates with a latency that is given, of stock and of offload.
   *
   * @param p99Millis what 99 of 100 requests take at most
   */
  double[] highestRates(double start, double p99Millis, double seconds, int probes) {
    RateSearch[] sides = {new RateSearch(start), new RateSearch(start)};
    for (int probe = 0; probe < probes; probe++) {
      for (int side = 0; side < 2; side++) {
        if (!sides[side].isDone()) {
          sides[side].tried(holds(side, sides[side].rate(), p99Millis, seconds, probe));
        }
      }
    }
    return new double[] {sides[0].best(), sides[1].best()};
  }

  private boolean holds(int side, double rate, double p99Millis, double seconds, int seed) {
    List<Integer> mix = mix(rate, seconds, seed);
    ConcurrentHistogram latency = new ConcurrentHistogram(3);
    OpenLoop.Outcome outcome =
        loop.run(
            rate,
            mix.size(),
            request -> send(mix, request, side),
            (request, nanos) -> latency.recordValue(nanos));
    return outcome.failed() == 0
        && !outcome.overrun()
        && latency.getValueAtPercentile(99) <= p99Millis * 1e6;
  }

  private CompletionStage<?> send(List<Integer> mix, int request, int side) {
    LoadKind kind = kinds.get(mix.get(request)).kind();
    return kind.request(request / kinds.size()).send(rest, LoadIndexes.NAMES.get(side));
  }

  /** Numbers of kinds, each as often as the others, in random order; the same for both indexes. */
  private List<Integer> mix(double perSecond, double seconds, int seed) {
    int count = Math.max(1, (int) (perSecond * seconds));
    List<Integer> mix =
        new ArrayList<>(IntStream.range(0, count).mapToObj(i -> i % kinds.size()).toList());
    Collections.shuffle(mix, new Random(seed));
    return mix;
  }
}
