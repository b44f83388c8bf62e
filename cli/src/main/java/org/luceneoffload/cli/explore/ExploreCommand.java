/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.explore;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.cli.command.ExitCodes;
import org.luceneoffload.cli.command.Failure;
import org.luceneoffload.cli.command.Interruption;
import org.luceneoffload.cli.command.OffloadCommand;
import org.luceneoffload.cli.options.IndexOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code offload explore}. */
@Command(
    name = "explore",
    header = "Show an index and its plans in a browser.",
    description =
        "Serves a page on this machine alone: queries on the device and on stock Lucene, their"
            + " plans and pages, and what they would take on a modelled device. Ctrl-C ends it.")
public final class ExploreCommand extends OffloadCommand {
  private static final int MAX_PORT = 65_535;

  /**
   * The output with {@code --json}.
   *
   * @param url address of the page
   * @param index directory of the index
   * @param device name of the device
   */
  record Report(String url, Path index, String device) {}

  @Mixin private IndexOptions index;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "0",
      description = "Port of the page; 0: any that is free (default: ${DEFAULT-VALUE}).")
  private int port;

  @Override
  protected int run() throws Exception {
    if (port < 0 || port > MAX_PORT) {
      throw Failure.usage("--port must be from 0 to " + MAX_PORT + ", not " + port);
    }
    try (OffloadDirectory directory = index.openOrHost();
        ExploreIndex shown =
            new ExploreIndex(directory, index.index(), index.device(), index.strict())) {
      serve(
          shown,
          port,
          url -> print(new Report(url, index.index(), index.device()), () -> out().println(url)));
      return ExitCodes.OK;
    }
  }

  private static void serve(ExploreIndex shown, int port, Consumer<String> started)
      throws IOException, InterruptedException {
    CountDownLatch ended = new CountDownLatch(1);
    Interruption interruption = Interruption.runs(ended::countDown);
    try (interruption;
        ExploreServer server = ExploreServer.start(shown, port)) {
      shown.warm();
      started.accept(server.url());
      ended.await();
    }
  }

  /**
   * Serves the page of an index until a signal ends the process.
   *
   * @param started takes the address
   */
  public static void serve(Path index, String device, Consumer<String> started)
      throws IOException, InterruptedException {
    try (OffloadDirectory directory = IndexOptions.open(index, device, false);
        ExploreIndex shown = new ExploreIndex(directory, index, device, false)) {
      serve(shown, 0, started);
    }
  }
}
