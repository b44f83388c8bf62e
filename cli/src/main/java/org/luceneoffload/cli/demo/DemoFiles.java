/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.demo;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.luceneoffload.cli.command.Failure;
import org.luceneoffload.cli.options.IndexOptions;
import org.luceneoffload.corpus.CorpusBuilder;

/**
 * Where the demo's files are.
 *
 * @param corpus directory of the corpus
 * @param index directory of the index
 */
public record DemoFiles(Path corpus, Path index) {
  /** System property that names the project's top directory; the launcher sets it. */
  static final String HOME_PROPERTY = "offload.home";

  private static final Path MODULE = Path.of("sample-corpus", "target");

  /**
   * Finds the files in the project's build directory, with the index elsewhere if {@code index} is
   * set.
   */
  public static DemoFiles find(Path index) {
    Path target = home().resolve(MODULE);
    return new DemoFiles(
        target.resolve("corpus"), index == null ? target.resolve("demo-index") : index);
  }

  /** Finds the project's top directory: as the launcher says, or above the working directory. */
  public static Path home() {
    String property = System.getProperty(HOME_PROPERTY);
    if (property != null) {
      return Path.of(property);
    }
    for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
      if (Files.isDirectory(at.resolve("sample-corpus"))) {
        return at;
      }
    }
    return Path.of("");
  }

  /**
   * Makes sure that the corpus is there: builds it if only its jars are.
   *
   * @throws Failure saying how to get the jars
   */
  void needCorpus() throws IOException {
    if (CorpusBuilder.isBuilt(corpus)) {
      return;
    }
    Path jars = corpus.resolveSibling("javadoc-jars");
    if (!Files.isDirectory(jars)) {
      throw Failure.of(
          "the sample corpus is not built ("
              + corpus
              + "): ./offload demo builds it in a clone of the project, no release has it");
    }
    CorpusBuilder.build(jars, corpus);
  }

  /** Returns the documents. */
  public Path documents() {
    return corpus.resolve(CorpusBuilder.DOCUMENTS);
  }

  /** Returns the demo's searches: queries first, then those that read values. */
  List<DemoSearch> searches() {
    return Stream.of(CorpusBuilder.DEMO_QUERIES, CorpusBuilder.DEMO_SEARCHES)
        .flatMap(name -> DemoSearch.read(corpus.resolve(name)).stream())
        .toList();
  }

  /**
   * Returns whether the index is there, made of this corpus for this device.
   *
   * @throws Failure if an index is there that the demo did not make
   */
  boolean indexIsFresh(String device) throws IOException {
    if (!Files.isDirectory(index) || !IndexOptions.isIndex(index)) {
      return false;
    }
    if (Files.notExists(stamp())) {
      throw Failure.of(
          index + " holds an index that the demo did not make; choose another directory by --dir");
    }
    byte[] expected = stampText(device).getBytes(StandardCharsets.UTF_8);
    return Arrays.equals(Files.readAllBytes(stamp()), expected);
  }

  /** Remembers what the index was made of. */
  void stampIndex(String device) throws IOException {
    Files.writeString(stamp(), stampText(device));
  }

  private Path stamp() {
    return index.resolveSibling(index.getFileName() + ".stamp");
  }

  private String stampText(String device) throws IOException {
    return device + "\n" + Files.readString(corpus.resolve(CorpusBuilder.RECIPE));
  }
}
