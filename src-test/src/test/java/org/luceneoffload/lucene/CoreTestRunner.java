/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.lucene;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.Request;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;
import org.luceneoffload.report.OffloadStats;

/**
 * Runs test classes, one after the other, and appends to a file of results. Lines of fields with
 * tabs between them:
 *
 * <pre>
 * begin    class  seed
 * failed   class  seed  method   first line of the failure
 * end      class  seed  tests  failures  skipped  milliseconds
 * counter  class  seed  name   count
 * reason   class  seed  reason count
 * </pre>
 */
public final class CoreTestRunner {
  private final Writer results;
  private final String name;
  private final String seed;
  private int tests;
  private int failures;
  private int skipped;

  private CoreTestRunner(Writer results, String name, String seed) {
    this.results = results;
    this.name = name;
    this.seed = seed;
  }

  /**
   * Runs.
   *
   * @param args file with a line of class, seed and, perhaps, method for each run, blanks between
   *     them; file of results
   */
  public static void main(String[] args) throws Exception {
    List<String> runs = Files.readAllLines(Path.of(args[0]));
    try (BufferedWriter results =
        Files.newBufferedWriter(
            Path.of(args[1]), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      for (String run : runs) {
        String[] words = run.split(" ");
        System.setProperty("tests.seed", words[1]);
        if (words.length > 2) {
          System.setProperty("tests.method", words[2]);
        } else {
          System.clearProperty("tests.method");
        }
        new CoreTestRunner(results, words[0], words[1]).run();
      }
    }
    // A test that failed may have left threads.
    System.exit(0);
  }

  private void run() throws Exception {
    write("begin");
    long start = System.nanoTime();
    CoreTestHooks.beginClass();
    JUnitCore core = new JUnitCore();
    core.addListener(new Listener());
    core.run(Request.aClass(Class.forName(name)));
    Map<OffloadStats.Counter, Long> counters = CoreTestHooks.noCounters();
    Map<String, Long> reasons = new TreeMap<>();
    try {
      CoreTestHooks.endClass(counters, reasons);
    } catch (IOException | RuntimeException e) {
      failed("closing the device", e);
    }
    for (Map.Entry<OffloadStats.Counter, Long> counter : counters.entrySet()) {
      if (counter.getValue() != 0) {
        write("counter", counter.getKey(), counter.getValue());
      }
    }
    for (Map.Entry<String, Long> reason : reasons.entrySet()) {
      write("reason", reason.getKey(), reason.getValue());
    }
    write("end", tests, failures, skipped, (System.nanoTime() - start) / 1_000_000);
  }

  private void failed(String method, Throwable why) {
    failures++;
    StringWriter trace = new StringWriter();
    why.printStackTrace(new PrintWriter(trace));
    System.out.println("FAILED " + name + " " + method + " seed " + seed + "\n" + trace);
    write("failed", method, String.valueOf(why).lines().findFirst().orElse(""));
  }

  private synchronized void write(String kind, Object... values) {
    StringBuilder line = new StringBuilder(kind + "\t" + name + "\t" + seed);
    for (Object value : values) {
      line.append('\t').append(String.valueOf(value).replace('\t', ' ').replace('\n', ' '));
    }
    try {
      results.write(line.append('\n').toString());
      results.flush();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private final class Listener extends RunListener {
    @Override
    public void testStarted(Description description) {
      tests++;
    }

    @Override
    public void testFailure(Failure failure) {
      String method = failure.getDescription().getMethodName();
      failed(method == null ? "(class)" : method, failure.getException());
    }

    @Override
    public void testAssumptionFailure(Failure failure) {
      skipped++;
    }

    @Override
    public void testIgnored(Description description) {
      skipped++;
    }
  }
}
