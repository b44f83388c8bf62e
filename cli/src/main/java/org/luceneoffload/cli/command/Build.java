/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.command;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;

/**
 * What this tool was built from, as the build wrote it down.
 *
 * @param version of the project
 * @param commit of its repository, ending in {@code -dirty} if files had been changed
 */
public record Build(String version, String commit) {
  private static final String FILE = "build.properties";
  private static final String UNKNOWN = "unknown";

  /** Returns what this tool was built from; what the build did not know is {@code unknown}. */
  public static Build read() throws IOException {
    Properties properties = new Properties();
    try (InputStream in = Build.class.getResourceAsStream(FILE)) {
      if (in != null) {
        properties.load(in);
      }
    }
    return new Build(value(properties, "version"), value(properties, "commit"));
  }

  private static String value(Properties properties, String name) {
    String value = properties.getProperty(name, "").strip();
    return value.isEmpty() || value.startsWith("$") ? UNKNOWN : value;
  }
}
