/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.corpus;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Builds the sample corpus: javadoc jars in, documents and queries out.
 *
 * <p>Writes five files: {@value #DOCUMENTS}, one JSON object a line ({@link CorpusDocument});
 * {@value #QUERIES}, generated; {@value #DEMO_QUERIES} and {@value #DEMO_SEARCHES}, written by
 * hand; and {@value #RECIPE}, which names the jars and says when there is nothing to do. The same
 * jars give the same bytes.
 */
public final class CorpusBuilder {
  /** JSON Lines file of the documents. */
  public static final String DOCUMENTS = "javadoc.jsonl";

  /** The fields of a document that hold values, each with its type, as an index has them. */
  public static final List<String> FIELDS =
      List.of("artifact:keyword", "kind:keyword", "package:keyword", "length:long");

  /** Queries whose words occur, by document frequency. */
  public static final String QUERIES = "queries.txt";

  /** Ten queries that mean something. */
  public static final String DEMO_QUERIES = "demo-queries.txt";

  /** Searches that read values, too: queries with options of the tool. */
  public static final String DEMO_SEARCHES = "demo-searches.txt";

  /** The name of the file that says what the corpus was built from. */
  public static final String RECIPE = "recipe.txt";

  /** Raised whenever the same jars give other bytes than before. */
  private static final int RECIPE_VERSION = 3;

  private static final ObjectMapper JSON = JsonMapper.builder().build();

  /**
   * The outcome of a build.
   *
   * @param documents number of documents
   * @param jars number of jars read
   * @param upToDate whether the corpus stood there already
   */
  public record Summary(long documents, int jars, boolean upToDate) {}

  private CorpusBuilder() {}

  /**
   * Builds the corpus, or does nothing if it stands there already, built from the same jars.
   *
   * @param jarDirectory holds the javadoc jars
   * @param target directory of the files, created if missing
   * @throws IOException if there is no jar, one cannot be read, or a file cannot be written; the
   *     message names it
   */
  public static Summary build(Path jarDirectory, Path target) throws IOException {
    List<Path> jars = jars(jarDirectory);
    List<String> recipe = recipe(jars);
    Files.createDirectories(target);
    copyResource(DEMO_QUERIES, target);
    copyResource(DEMO_SEARCHES, target);
    if (isBuilt(target) && sameRecipe(Files.readAllLines(target.resolve(RECIPE)), recipe)) {
      String last = Files.readAllLines(target.resolve(RECIPE)).getLast();
      return new Summary(documentsIn(last), jars.size(), true);
    }
    Files.deleteIfExists(target.resolve(RECIPE));
    TermTable terms = new TermTable();
    long documents = writeDocuments(jars, target.resolve(DOCUMENTS), terms);
    Files.write(target.resolve(QUERIES), new CorpusQueries(terms).generate());
    // Last: a build that was broken off leaves no recipe and is done again.
    List<String> done = new ArrayList<>(recipe);
    done.add("documents " + documents);
    Files.write(target.resolve(RECIPE), done);
    return new Summary(documents, jars.size(), false);
  }

  /** Returns whether a directory holds a complete corpus, whatever it was built from. */
  public static boolean isBuilt(Path target) {
    return Stream.of(DOCUMENTS, QUERIES, DEMO_QUERIES, DEMO_SEARCHES, RECIPE)
        .allMatch(name -> Files.isRegularFile(target.resolve(name)));
  }

  private static List<Path> jars(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      throw new IOException("no directory of javadoc jars: " + directory);
    }
    try (Stream<Path> files = Files.list(directory)) {
      List<Path> jars =
          files
              .filter(file -> file.toString().endsWith(".jar"))
              .sorted(Comparator.comparing(file -> file.getFileName().toString()))
              .toList();
      if (jars.isEmpty()) {
        throw new IOException("no javadoc jar in " + directory);
      }
      return jars;
    }
  }

  /**
   * Returns the recipe of the corpus. Released jars never change, so that names and sizes identify
   * them.
   */
  private static List<String> recipe(List<Path> jars) throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add("version " + RECIPE_VERSION);
    for (Path jar : jars) {
      lines.add(jar.getFileName() + " " + Files.size(jar) + " bytes");
    }
    return lines;
  }

  private static boolean sameRecipe(List<String> found, List<String> wanted) {
    return found.size() == wanted.size() + 1
        && found.subList(0, wanted.size()).equals(wanted)
        && found.getLast().matches("documents \\d+");
  }

  private static long documentsIn(String lastLine) {
    return Long.parseLong(lastLine.substring("documents ".length()));
  }

  private static long writeDocuments(List<Path> jars, Path file, TermTable terms)
      throws IOException {
    Set<String> ids = new HashSet<>();
    Set<String> descriptions = new HashSet<>();
    Path unfinished = file.resolveSibling(file.getFileName() + ".tmp");
    long documents = 0;
    try (BufferedWriter out = Files.newBufferedWriter(unfinished, StandardCharsets.UTF_8)) {
      for (Path jar : jars) {
        for (JavadocJar.Described found : JavadocJar.read(jar)) {
          CorpusDocument document = found.document();
          // Inherited and boilerplate text is kept once.
          if (descriptions.add(found.description()) && ids.add(document.id())) {
            out.write(JSON.writeValueAsString(document));
            out.write('\n');
            terms.add(document.body());
            documents++;
          }
        }
      }
    }
    Files.move(unfinished, file, StandardCopyOption.REPLACE_EXISTING);
    return documents;
  }

  private static void copyResource(String name, Path target) throws IOException {
    try (InputStream in = CorpusBuilder.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException("resource " + name + " is missing from the class path");
      }
      Files.copy(in, target.resolve(name), StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /**
   * Builds the corpus from the command line.
   *
   * @param args directory of the jars, directory of the corpus
   */
  public static void main(String[] args) {
    if (args.length != 2) {
      System.err.println("usage: CorpusBuilder JAR_DIRECTORY CORPUS_DIRECTORY");
      System.exit(2);
    }
    try {
      Summary summary = build(Path.of(args[0]), Path.of(args[1]));
      System.err.printf(
          Locale.ROOT,
          "%s: %d documents from %d javadoc jars%s%n",
          Path.of(args[1]).resolve(DOCUMENTS),
          summary.documents(),
          summary.jars(),
          summary.upToDate() ? " (up to date)" : "");
    } catch (IOException e) {
      System.err.println("sample corpus: " + e.getMessage());
      System.exit(1);
    }
  }
}
