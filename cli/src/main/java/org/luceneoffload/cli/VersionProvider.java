/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import org.apache.lucene.util.Version;
import picocli.CommandLine.IVersionProvider;

/** The text that {@code offload --version} prints. */
final class VersionProvider implements IVersionProvider {
  private static final String FILE = "version.properties"; // the build fills it in

  @Override
  public String[] getVersion() throws IOException {
    Properties properties = new Properties();
    try (InputStream in = VersionProvider.class.getResourceAsStream(FILE)) {
      properties.load(in);
    }
    return new String[] {
      "offload "
          + properties.getProperty("version")
          + " (Lucene "
          + Version.LATEST
          + ", Java "
          + Runtime.version()
          + ")"
    };
  }
}
