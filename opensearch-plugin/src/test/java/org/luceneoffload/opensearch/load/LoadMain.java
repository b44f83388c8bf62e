/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.load;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.luceneoffload.opensearch.cluster.Rest;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The load generator of {@code bench.sh}; the node that it asks is there already. */
@Command(
    name = "bench.sh",
    description = "Asks two indexes of one node, with the plugin and without, in turns.",
    mixinStandardHelpOptions = true)
public final class LoadMain implements Callable<Integer> {
  private static final int MAX_WAITING = 256;
  private static final int SHOWN = 5;
  private static final Duration START = Duration.ofMinutes(3);
  private static final double SHARE_OF_CLOSED = 0.4;

  @Option(names = "--node", required = true, description = "HOST:PORT of the node")
  private String node;

  @Option(names = "--corpus", required = true, description = "JSON lines, may be packed")
  private Path corpus;

  @Option(names = "--queries", required = true, description = "lines of words")
  private Path queries;

  @Option(names = "--docs", description = "documents at most; default: all")
  private long docs = Long.MAX_VALUE;

  @Option(names = "--per-kind", description = "different requests of a kind; ${DEFAULT-VALUE}")
  private int perKind = 60;

  @Option(names = "--rounds", description = "turns of each kind; ${DEFAULT-VALUE}")
  private int rounds = 8;

  @Option(names = "--warm-seconds", description = "of each kind and index; ${DEFAULT-VALUE}")
  private double warmSeconds = 3;

  @Option(names = "--turn-seconds", description = "of stock, about; ${DEFAULT-VALUE}")
  private double turnSeconds = 0.5;

  @Option(names = "--rate", description = "requests a second; 0: 40 %% of one client's on stock")
  private double rate;

  @Option(names = "--open-seconds", description = "of each index; 0: none; ${DEFAULT-VALUE}")
  private double openSeconds = 30;

  @Option(names = "--p99-millis", description = "for the highest rates; ${DEFAULT-VALUE}")
  private double p99Millis = 100;

  @Option(names = "--probes", description = "rates tried on each index; ${DEFAULT-VALUE}")
  private int probes = 8;

  @Option(names = "--no-source", description = "hits come without their documents")
  private boolean noSource;

  @Option(names = "--only", split = ",", description = "names of kinds; default: all")
  private List<String> only = List.of();

  @Option(names = "--json", description = "a file for the numbers")
  private Path json;

  private final PrintStream out;

  private LoadMain(PrintStream out) {
    this.out = out;
  }

  /** Ends with 0, or with 1 if responses differ. */
  public static void main(String[] args) {
    System.exit(run(System.out, args));
  }

  /** The same, with the exit code as its result. */
  static int run(PrintStream out, String... args) {
    return new CommandLine(new LoadMain(out)).execute(args);
  }

  @Override
  public Integer call() throws Exception {
    Rest rest = new Rest(node);
    rest.awaitNode(START);
    NodeCpu cpu = new NodeCpu(rest);
    LoadIndexes indexes = new LoadIndexes(rest, cpu);
    indexes.fill(corpus, docs);
    out.printf(
        Locale.ROOT,
        "%d documents; indexed, offload / stock: %.2f of the throughput, %.2f of the CPU time%n",
        indexes.docs(),
        indexes.perSecond(1) / indexes.perSecond(0),
        indexes.cpuMicros(1) / indexes.cpuMicros(0));
    List<LoadKind> kinds =
        LoadKinds.of(indexes.fields(), Files.readAllLines(queries), perKind, !noSource).stream()
            .filter(kind -> only.isEmpty() || only.contains(kind.name()))
            .toList();
    LoadRun run = new LoadRun(rest, cpu, new OpenLoop(Pacer.SYSTEM, MAX_WAITING), kinds);
    int compared = run.compare();
    out.printf(
        Locale.ROOT, "%d requests compared: %d differ%n%n", compared, run.differences().size());
    run.differences().stream().limit(SHOWN).forEach(out::println);
    run.closed(warmSeconds, rounds, turnSeconds);
    LoadReport report = new LoadReport(run);
    report.print(out);
    ObjectNode numbers = report.json();
    if (openSeconds > 0) {
      open(run, report);
      numbers = report.json();
      highest(run, numbers);
    }
    numbers.put("docs", indexes.docs());
    numbers.put("index_throughput_ratio", indexes.perSecond(1) / indexes.perSecond(0));
    numbers.put("index_cpu_ratio", indexes.cpuMicros(1) / indexes.cpuMicros(0));
    if (json != null) {
      Files.writeString(json, numbers.toPrettyString());
    }
    return run.differences().isEmpty() ? 0 : 1;
  }

  private void open(LoadRun run, LoadReport report) {
    double perSecond = rate > 0 ? rate : run.stockRate() * SHARE_OF_CLOSED;
    int slices = 5;
    int failed = run.open(perSecond, openSeconds / slices, slices);
    report.printOpen(out, perSecond);
    out.printf(Locale.ROOT, "%nrequests without an answer: %d%n", failed);
  }

  private void highest(LoadRun run, ObjectNode numbers) {
    if (probes == 0) {
      return;
    }
    double start = run.stockRate() * SHARE_OF_CLOSED;
    double[] rates = run.highestRates(start, p99Millis, openSeconds / 5, probes);
    out.printf(
        Locale.ROOT,
        "highest rate with 99 of 100 within %.0f ms: stock %.0f/s, ours %.0f/s, ratio %.2f%n",
        p99Millis,
        rates[0],
        rates[1],
        rates[1] / rates[0]);
    numbers.put("p99_millis", p99Millis).put("rate_stock", rates[0]).put("rate_offload", rates[1]);
  }
}
