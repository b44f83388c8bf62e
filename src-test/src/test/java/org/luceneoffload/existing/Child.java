/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.existing;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** A JVM of its own, on the class path of the tests or a part of it. */
final class Child {
  private Child() {}

  /**
   * Starts a JVM; what it prints as an error comes with its output.
   *
   * @param entries which entries of the class path it gets
   */
  static Process start(Predicate<String> entries, Class<?> main, Object... args)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:TieredStopAtLevel=1"); // it lives too briefly for more
    command.add("-Xshare:auto");
    command.add("-cp");
    List<String> path =
        List.of(System.getProperty("java.class.path").split(File.pathSeparator)).stream()
            .filter(entries)
            .toList();
    command.add(String.join(File.pathSeparator, path));
    command.add(main.getName());
    for (Object arg : args) {
      command.add(arg.toString());
    }
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  /** Runs a JVM to its end and returns the lines that it printed behind a mark. */
  static List<String> run(Predicate<String> entries, Class<?> main, Object... args)
      throws Exception {
    Process child = start(entries, main, args);
    List<String> lines;
    try (BufferedReader out = child.inputReader(StandardCharsets.UTF_8)) {
      lines = out.lines().toList();
    }
    if (child.waitFor() != 0) {
      throw new AssertionError("the child failed: " + String.join("\n", lines));
    }
    return lines.stream().filter(line -> line.startsWith(MARK)).map(Child::unmarked).toList();
  }

  private static final String MARK = "> ";

  /** Prints a line for {@link #run}; log messages have no mark. */
  static void print(String line) {
    System.out.println(MARK + line);
  }

  private static String unmarked(String line) {
    return line.substring(MARK.length());
  }

  /** Returns whether a class path entry is of a module of this project. */
  static boolean isModule(String entry, String module) {
    return entry.contains("/" + module + "/target/")
        || Path.of(entry).getFileName().toString().startsWith(module + "-");
  }
}
