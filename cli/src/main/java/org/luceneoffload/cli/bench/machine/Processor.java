/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.bench.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The processor that a number was measured on. */
public final class Processor {
  private static final Path CPU_INFO = Path.of("/proc/cpuinfo");

  private Processor() {}

  /** Returns the processor's name, or its architecture if the system does not tell the name. */
  public static String name() {
    try {
      return name(Files.readAllLines(CPU_INFO));
    } catch (IOException e) {
      return architecture();
    }
  }

  /** Returns the name that the lines of {@code /proc/cpuinfo} give. */
  public static String name(List<String> lines) {
    return lines.stream()
        .filter(line -> line.startsWith("model name"))
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .filter(name -> !name.isEmpty())
        .findFirst()
        .orElseGet(Processor::architecture);
  }

  private static String architecture() {
    return System.getProperty("os.arch");
  }
}
