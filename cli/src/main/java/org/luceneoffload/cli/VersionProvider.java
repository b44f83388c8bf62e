/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli;

import java.io.IOException;
import org.apache.lucene.util.Version;
import org.luceneoffload.cli.command.Build;
import picocli.CommandLine.IVersionProvider;

/** The text that {@code offload --version} prints. */
final class VersionProvider implements IVersionProvider {
  @Override
  public String[] getVersion() throws IOException {
    return new String[] {
      "offload "
          + Build.read().version()
          + " (Lucene "
          + Version.LATEST
          + ", Java "
          + Runtime.version()
          + ")"
    };
  }
}
