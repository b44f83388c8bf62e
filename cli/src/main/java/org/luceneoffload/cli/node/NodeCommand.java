/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.node;

import java.util.List;
import org.luceneoffload.cli.command.ExitCodes;
import org.luceneoffload.cli.command.Failure;
import org.luceneoffload.cli.command.OffloadCommand;
import org.luceneoffload.cli.output.Figures;
import org.luceneoffload.cli.output.TextTable;
import org.luceneoffload.maintain.node.NodeAdmin;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code offload node}. */
@Command(
    name = "node",
    header = "List, make or delete the indexes on a storage node.",
    description =
        "Lists the indexes of which all files are on a storage node, or makes or "
            + "deletes one. Whoever writes to an index makes it; --create makes an empty one.")
public final class NodeCommand extends OffloadCommand {
  /**
   * What was done.
   *
   * @param node the node, or the index that was made or deleted
   * @param indexes the indexes, by name; null if they were not asked for
   */
  record Report(String node, List<NodeAdmin.NodeIndex> indexes) {}

  /** At most one of them. */
  private static final class Change {
    @Option(names = "--create", description = "Make an empty index.")
    private boolean create;

    @Option(names = "--delete", description = "Delete an index, with its posting lists.")
    private boolean delete;
  }

  @ArgGroup private Change change;

  @Parameters(
      paramLabel = "NODE",
      description = "csd:HOST:PORT, or csd:HOST:PORT/NAME with --create and --delete.")
  private String node;

  @Override
  protected int run() throws Exception {
    try {
      if (change == null) {
        Report report = new Report(node, NodeAdmin.list(node));
        print(report, () -> printList(report));
      } else {
        boolean done = change.create ? NodeAdmin.create(node) : NodeAdmin.delete(node);
        if (!done) {
          throw Failure.of(node + (change.create ? " is there already" : " is not there"));
        }
        print(
            new Report(node, null),
            () -> out().println(node + (change.create ? " is made" : " is deleted")));
      }
      return ExitCodes.OK;
    } catch (IllegalArgumentException e) {
      throw Failure.usage(e.getMessage(), e);
    }
  }

  private void printList(Report report) {
    if (report.indexes().isEmpty()) {
      out().println("no indexes on " + report.node());
      return;
    }
    TextTable table = new TextTable("", "index", ">files", ">bytes of Lucene's files");
    report
        .indexes()
        .forEach(
            index ->
                table.add(
                    index.name(), Figures.count(index.files()), Figures.bytes(index.bytes())));
    table.print(out());
  }
}
