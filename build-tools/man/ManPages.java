/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */

import java.io.File;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.asciidoctor.Asciidoctor;
import org.asciidoctor.Options;
import org.asciidoctor.SafeMode;
import org.luceneoffload.cli.OffloadCli;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.codegen.docgen.manpage.ManPageGenerator;

/** Writes a page for the tool and for each of its commands. */
public final class ManPages {
  private ManPages() {}

  /** Writes AsciiDoc to the folder {@code args[0]}, and the pages to the folder {@code args[1]}. */
  public static void main(String[] args) throws Exception {
    PrintWriter nowhere = new PrintWriter(PrintWriter.nullWriter());
    CommandLine tool = OffloadCli.commandLine(nowhere, nowhere);
    List<CommandSpec> specs = new ArrayList<>(List.of(tool.getCommandSpec()));
    tool.getSubcommands().values().forEach(command -> specs.add(command.getCommandSpec()));
    File texts = new File(args[0]);
    int failed =
        ManPageGenerator.generateManPage(
            texts, null, new boolean[0], false, specs.toArray(CommandSpec[]::new));
    if (failed != 0) {
      throw new IllegalStateException("picocli gives up with status " + failed);
    }
    Options options =
        Options.builder()
            .backend("manpage")
            .safe(SafeMode.UNSAFE)
            .toDir(new File(args[1]))
            .mkDirs(true)
            .build();
    File[] pages = texts.listFiles((folder, name) -> name.endsWith(".adoc"));
    Arrays.sort(pages);
    try (Asciidoctor asciidoctor = Asciidoctor.Factory.create()) {
      for (File page : pages) {
        asciidoctor.convertFile(page, options);
      }
    }
  }
}
