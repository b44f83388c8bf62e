/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.suite;

import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/** Prints the reason of every test that is skipped; found through a service file. */
public final class SkipPrinter implements TestExecutionListener {
  @Override
  public void executionSkipped(TestIdentifier test, String reason) {
    print(test, reason);
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    if (result.getStatus() == TestExecutionResult.Status.ABORTED) {
      print(test, result.getThrowable().map(Throwable::getMessage).orElse("no reason given"));
    }
  }

  private static void print(TestIdentifier test, String reason) {
    System.out.println("skipped: " + test.getDisplayName() + ": " + reason);
  }
}
