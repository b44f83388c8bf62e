/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.util;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Checks native functions: how many values they take, and what they do with JNI. */
public final class CheckedJni {
  private static final int MAX_PARAMETERS = 7;

  private CheckedJni() {}

  /** Fails if a native method takes so many values that a struct should hold them. */
  public static void assertFewParameters(Class<?>... types) {
    for (Class<?> type : types) {
      List<Method> natives =
          Arrays.stream(type.getDeclaredMethods())
              .filter(method -> Modifier.isNative(method.getModifiers()))
              .toList();
      assertFalse(natives.isEmpty(), type + " has no native methods");
      natives.forEach(
          method -> assertTrue(method.getParameterCount() <= MAX_PARAMETERS, method::toString));
    }
  }

  /**
   * Runs a class in a JVM of its own, and fails if that JVM reports a broken rule of JNI.
   *
   * @param child has a main method, which prints "done" at its end
   */
  public static void assertNothingIsReported(Class<?> child, Object... arguments)
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xcheck:jni",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                child.getName()));
    for (Object argument : arguments) {
      command.add(argument.toString());
    }
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes());
    assertEquals(0, process.waitFor(), output);
    // The JVM warns about its own libraries too; of ours it would name the class.
    assertFalse(output.contains("luceneoffload"), output);
    assertFalse(output.contains("FATAL"), output);
    assertFalse(output.contains("in native method: "), output);
    assertEquals("done", output.lines().reduce((first, last) -> last).orElseThrow(), output);
  }
}
