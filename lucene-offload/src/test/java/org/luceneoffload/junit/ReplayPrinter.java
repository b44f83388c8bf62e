/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.junit;

import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Prints, for every test that fails, the command that runs it again with its seed; found through a
 * service file.
 */
public final class ReplayPrinter implements TestExecutionListener {
  /**
   * The mark that Lucene's test runner puts into stack traces: the seed of the run, then of the
   * test.
   */
  private static final Pattern SEED = Pattern.compile("SeedInfo\\.seed\\(\\[([0-9A-F]+)");

  /** Switches that change what a seed leads to. */
  private static final String[] SWITCHES = {
    "tests.long", "tests.nightly", "tests.multiplier", "tests.iters", "tests.codec"
  };

  private final Set<String> commands = new TreeSet<>();

  /** For the service loader. */
  public ReplayPrinter() {}

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    if (result.getStatus() != TestExecutionResult.Status.FAILED) {
      return;
    }
    String method = null;
    if (test.getSource().orElse(null) instanceof MethodSource source) {
      method = source.getMethodName();
    }
    Throwable failure = result.getThrowable().orElse(null);
    String command = command(SkipPrinter.className(test), method, seed(failure));
    synchronized (commands) {
      if (commands.add(command)) {
        System.out.println("replay: " + command);
      }
    }
  }

  @Override
  public void testPlanExecutionFinished(TestPlan plan) {
    synchronized (commands) {
      if (!commands.isEmpty()) {
        System.out.println("failed in this run; to replay:");
        commands.forEach(command -> System.out.println("  " + command));
      }
      commands.clear();
    }
  }

  /** The seed that a failure names, or else the one that the run was given; null if none. */
  public static String seed(Throwable failure) {
    for (Throwable at = failure; at != null; at = at.getCause()) {
      for (StackTraceElement frame : at.getStackTrace()) {
        Matcher matcher = SEED.matcher(frame.toString());
        if (matcher.find()) {
          return matcher.group(1);
        }
      }
    }
    return System.getProperty("tests.seed");
  }

  /** The command that runs a class, or one test of it, with a seed. */
  public static String command(String className, String method, String seed) {
    StringBuilder command =
        new StringBuilder("mvn -B test -pl ")
            .append(
                Path.of("").toAbsolutePath().getFileName()) // a module's tests run in its folder
            .append(" -am -Dcorpus.skip=true -Dsurefire.failIfNoSpecifiedTests=false -Dtest=")
            .append(className);
    if (method != null) {
      command.append(" -Dtests.method=").append(method.replaceAll("\\W.*", ""));
    }
    if (seed != null) {
      command.append(" -Dtests.seed=").append(seed);
    }
    for (String name : SWITCHES) {
      String value = System.getProperty(name);
      if (value != null && !value.isEmpty()) {
        command.append(" -D").append(name).append('=').append(value);
      }
    }
    return command.toString();
  }
}
