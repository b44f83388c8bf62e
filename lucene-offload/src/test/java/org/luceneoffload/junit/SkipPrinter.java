/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.junit;

import java.util.Map;
import java.util.TreeMap;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Prints the reason of every test that is skipped, once for each class and reason; found through a
 * service file.
 */
public final class SkipPrinter implements TestExecutionListener {
  private final Map<String, Integer> skipped = new TreeMap<>();

  /** For the service loader. */
  public SkipPrinter() {}

  @Override
  public void executionSkipped(TestIdentifier test, String reason) {
    count(test, reason);
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    if (result.getStatus() == TestExecutionResult.Status.ABORTED) {
      count(test, result.getThrowable().map(Throwable::getMessage).orElse("no reason given"));
    }
  }

  private synchronized void count(TestIdentifier test, String reason) {
    skipped.merge(className(test) + ": " + reason, 1, Integer::sum);
  }

  @Override
  public synchronized void testPlanExecutionFinished(TestPlan plan) {
    skipped.forEach((what, count) -> System.out.println("skipped " + count + " in " + what));
    skipped.clear();
  }

  /** The class of a test without its package, or else its display name. */
  public static String className(TestIdentifier test) {
    String name =
        test.getSource()
            .map(
                source ->
                    source instanceof MethodSource method
                        ? method.getClassName()
                        : source instanceof ClassSource type
                            ? type.getClassName()
                            : test.getDisplayName())
            .orElse(test.getDisplayName());
    return name.substring(name.lastIndexOf('.') + 1);
  }
}
