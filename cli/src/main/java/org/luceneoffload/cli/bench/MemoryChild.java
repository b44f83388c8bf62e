/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.luceneoffload.cli.command.Failure;
import org.luceneoffload.cli.command.Interruption;

/** This tool once more, as a child process whose memory is limited. */
final class MemoryChild {
  /** Says that this process is limited to so many bytes. */
  static final String PROPERTY = "offload.memory";

  private static final long MIN_BYTES = 128 << 20;
  private static final long MAX_HEAP_BYTES = 512 << 20;

  private MemoryChild() {}

  /** Returns the limit of this process if it is such a child; else 0. */
  static long limit() {
    return Long.getLong(PROPERTY, 0);
  }

  /**
   * Runs the same command within a limit: a quarter of it for the heap, at most 512 MiB.
   *
   * @param tool whose main method runs commands
   * @param arguments of the command
   * @return exit code of the child
   */
  @SuppressWarnings("try") // the signal's handler is there, not spoken to
  static int run(long bytes, Class<?> tool, List<String> arguments)
      throws IOException, InterruptedException {
    if (bytes < MIN_BYTES) {
      throw Failure.usage("--memory must be 128m at least: a JVM takes most of that");
    }
    try (MemoryGroup group = MemoryGroup.of(bytes)) {
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
          .filter(argument -> !argument.startsWith("-Xm") && !argument.startsWith("-agent"))
          .forEach(command::add);
      command.add("-Xmx" + Math.min(bytes / 4, MAX_HEAP_BYTES));
      command.add("-D" + PROPERTY + "=" + bytes);
      command.addAll(List.of("-cp", System.getProperty("java.class.path")));
      command.add(tool.getName());
      command.addAll(arguments);
      Process child = new ProcessBuilder(group.within(command)).inheritIO().start();
      // If this process is ended, the child must not go on alone, nor the group stay.
      try (Interruption signal = Interruption.runs(() -> end(child, group))) {
        return child.waitFor();
      }
    }
  }

  private static void end(Process child, MemoryGroup group) {
    child.destroyForcibly().onExit().join();
    try {
      group.close();
    } catch (IOException e) {
      // An empty group does no harm.
    }
  }

  /**
   * Reads a size: a number of bytes, or one followed by k, m or g.
   *
   * @throws Failure of usage if it is none
   */
  static long size(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    if (!lower.matches("[0-9]{1,12}[kmg]?")) {
      throw Failure.usage("--memory: '" + text + "' is no size such as 700m or 2g");
    }
    int shift = 10 * (1 + "kmg".indexOf(lower.charAt(lower.length() - 1)));
    String digits = shift == 0 ? lower : lower.substring(0, lower.length() - 1);
    return Math.min(Long.parseLong(digits), Long.MAX_VALUE >> 30) << shift;
  }
}
