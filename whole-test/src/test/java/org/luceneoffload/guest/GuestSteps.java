/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.guest;

import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.luceneoffload.cli.OffloadCli;

/**
 * The steps that a guest runs over real namespaces, in one process, since an emulated processor
 * takes long to start one: {@code GuestSteps SMALL BIG PLAIN STEP,...}, the first three being
 * device files. The number of steps that failed is the exit status.
 */
public final class GuestSteps {
  /** Seconds that a command may take: an emulated guest on a busy machine is slow. */
  private static final String PATIENCE = "60";

  private final String small;
  private final String big;
  private final String plain;
  private final Path corpus = Path.of("/tmp/corpus.jsonl");
  private final Path queries = Path.of("/tmp/queries.txt");
  private final Path index = Path.of("/tmp/index");
  private final PrintStream out = System.out;
  private int failures;

  private GuestSteps(String small, String big, String plain) {
    this.small = small;
    this.big = big;
    this.plain = plain;
  }

  /** A step; throws what went wrong. */
  private interface Step {
    void run() throws Exception;
  }

  /** Runs it. */
  public static void main(String[] args) throws IOException {
    GuestSteps steps = new GuestSteps("nvme:" + args[0], "nvme:" + args[1], "nvme:" + args[2]);
    SmallText.write(steps.corpus, 1200, steps.queries, 40);
    List<String> wanted = List.of(args[3].split(","));
    steps.step(wanted, "listed", steps::listed);
    steps.step(wanted, "refused", steps::refused);
    steps.step(wanted, "contract", steps::contract);
    steps.step(wanted, "tool", steps::tool);
    steps.step(wanted, "search", steps::search);
    steps.step(wanted, "faults", () -> new FaultDrill(steps.big).run());
    System.exit(steps.failures);
  }

  private void step(List<String> wanted, String name, Step step) {
    if (!wanted.contains(name)) {
      return;
    }
    long start = System.nanoTime();
    String result = "ok";
    try {
      step.run();
    } catch (Exception | AssertionError e) {
      e.printStackTrace(out);
      result = "FAILED";
      failures++;
    }
    out.printf(
        Locale.ROOT, "%s: %s (%d s)%n", result, name, (System.nanoTime() - start) / 1_000_000_000);
  }

  /** Runs the tool; returns what it printed, of both kinds. */
  private String offload(int expectedCode, String... args) {
    StringWriter printed = new StringWriter();
    PrintWriter writer = new PrintWriter(printed);
    int code = OffloadCli.execute(writer, writer, args);
    if (code != expectedCode) {
      throw new AssertionError(
          "offload " + String.join(" ", args) + " ended with " + code + ":\n" + printed);
    }
    return printed.toString();
  }

  private static void require(String text, String wanted) {
    if (!text.contains(wanted)) {
      throw new AssertionError("no \"" + wanted + "\" in:\n" + text);
    }
  }

  /** Both targets are listed as usable, and the plain drive as not, with the reason. */
  private void listed() {
    String list = offload(0, "device");
    out.println(list);
    require(list, small + "  usable");
    require(list, big + "  usable");
    require(list, plain + "  not usable");
    require(list, "its effects log does not list opcode 80h");
  }

  /** A namespace that may not be taken is not taken, and not written. */
  private void refused() throws IOException {
    String[] cases = {
      plain + "|does not list opcode",
      plain + ",claim=overwrite|does not list opcode",
      plain + ",claim=overwrite,force=true|NVMe status 0/01h",
      big + "|holds no volume of posting images",
      big + ",claim=empty|not empty"
    };
    for (String one : cases) {
      String[] parts = one.split("\\|");
      String said =
          offload(
              1,
              "index",
              "--index",
              "/tmp/refused",
              "--overwrite",
              "--strict",
              "--device",
              parts[0],
              "--corpus",
              corpus.toString());
      require(said, parts[1]);
    }
    for (String device : List.of(plain, big)) {
      byte[] first = new byte[30];
      String block = device.replace("nvme:/dev/ng", "/dev/nvme");
      try (var in = Files.newInputStream(Path.of(block))) {
        in.readNBytes(first, 0, first.length);
      }
      require(new String(first, StandardCharsets.US_ASCII), "somebody else");
    }
  }

  private void contract() {
    junit("org.luceneoffload.contract.TestNvmeNamespaceContract");
  }

  private void search() {
    junit("org.luceneoffload.contract.TestSearchOnNvmeNamespace");
  }

  private void junit(String testClass) {
    System.setProperty("offload.nvme.small", small.substring("nvme:".length()));
    System.setProperty("offload.nvme.big", big.substring("nvme:".length()));
    SummaryGeneratingListener summary = new SummaryGeneratingListener();
    LauncherFactory.create()
        .execute(
            LauncherDiscoveryRequestBuilder.request()
                .selectors(DiscoverySelectors.selectClass(testClass))
                .build(),
            summary);
    summary.getSummary().printFailuresTo(new PrintWriter(out, true));
    long run = summary.getSummary().getTestsSucceededCount();
    long failed = summary.getSummary().getTotalFailureCount();
    out.printf(Locale.ROOT, "tests of %s: %d passed, %d failed%n", testClass, run, failed);
    if (failed > 0 || run == 0) {
      throw new AssertionError(testClass + " failed, or ran nothing");
    }
  }

  /**
   * An index on the namespace: built, asked on both sides, its plans shared, checked, timed, opened
   * again.
   */
  private void tool() throws IOException {
    String device = big + ",claim=overwrite";
    String path = index.toString();
    offload(
        0,
        "index",
        "--index",
        path,
        "--overwrite",
        "--strict",
        "--device",
        device,
        "--device-timeout",
        PATIENCE,
        "--corpus",
        corpus.toString());
    String both =
        offload(
            0,
            "search",
            "--index",
            path,
            "--device",
            big,
            "--device-timeout",
            PATIENCE,
            "--strict",
            "--on",
            "both",
            "--queries",
            queries.toString());
    require(both, "identical");
    new SharedPlans().run(big, index);
    String check =
        offload(0, "check", "--index", path, "--device", big, "--device-timeout", PATIENCE);
    out.println(check);
    out.println(
        offload(
            0,
            "bench",
            "--index",
            path,
            "--device",
            big,
            "--queries",
            queries.toString(),
            "--device-timeout",
            PATIENCE,
            "--rounds",
            "1",
            "--warmup",
            "1"));
  }
}
