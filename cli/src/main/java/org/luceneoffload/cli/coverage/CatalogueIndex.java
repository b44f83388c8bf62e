/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.coverage;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.LocalDate;
import java.util.List;
import java.util.SplittableRandom;
import org.luceneoffload.cli.command.Failure;
import org.luceneoffload.cli.index.IndexBuilder;
import org.luceneoffload.cli.output.Terminal;
import org.luceneoffload.config.OffloadOptions;

/**
 * The small made index that the catalogue's shapes are asked of, in a folder of its own that goes
 * when this is closed. Words w0 to w199 fall off in frequency; there are keywords of few values
 * ({@code kind}) and of many ({@code host}), whole numbers, fractions, days and points.
 */
final class CatalogueIndex implements AutoCloseable {
  private static final int DOCUMENTS = 5000;
  private static final String SHAPES = "shapes.jsonl";
  private static final List<String> FIELDS =
      List.of(
          "kind:keyword",
          "host:keyword",
          "size:long",
          "status:long",
          "amount:double",
          "time:date",
          "place:geo");

  private final Path folder;

  private CatalogueIndex(Path folder) {
    this.folder = folder;
  }

  /** Makes the index. */
  static CatalogueIndex make(String device, Terminal terminal)
      throws IOException, InterruptedException {
    CatalogueIndex index = new CatalogueIndex(Files.createTempDirectory("offload-coverage"));
    try {
      Path corpus = Files.writeString(index.folder.resolve("corpus.jsonl"), corpus());
      IndexBuilder.build(
          new IndexBuilder.Request(
              index.index(),
              device,
              OffloadOptions.DEFAULT,
              List.of(corpus),
              FIELDS,
              null,
              false,
              1,
              1,
              IndexBuilder.Existing.REPLACE),
          terminal);
      return index;
    } catch (IOException | InterruptedException | RuntimeException e) {
      index.close();
      throw e;
    }
  }

  /** Returns the directory of the index. */
  Path index() {
    return folder.resolve("index");
  }

  /** Returns the catalogue as a file. */
  Path shapes() throws IOException {
    Path file = folder.resolve(SHAPES);
    try (InputStream in = CatalogueIndex.class.getResourceAsStream(SHAPES)) {
      if (in == null) {
        throw Failure.of("the catalogue is missing in this build");
      }
      Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
    }
    return file;
  }

  private static String corpus() {
    SplittableRandom random = new SplittableRandom(1);
    LocalDate first = LocalDate.of(2024, 1, 1);
    StringBuilder lines = new StringBuilder();
    for (int doc = 0; doc < DOCUMENTS; doc++) {
      lines
          .append("{\"id\":\"d" + doc)
          .append("\",\"title\":\"title " + words(random, 4))
          .append("\",\"body\":\"" + words(random, 40))
          .append("\",\"kind\":\"k" + random.nextInt(8))
          .append("\",\"host\":\"h" + random.nextInt(1000))
          .append("\",\"size\":" + random.nextInt(1000))
          .append(",\"status\":" + 100 * (2 + random.nextInt(4)))
          .append(",\"amount\":" + random.nextInt(10_000) / 100.0)
          .append(",\"time\":\"" + first.plusDays(random.nextInt(365)))
          .append("\",\"place\":\"" + (doc % 170 - 85) + "," + (doc % 350 - 175))
          .append("\"}\n");
    }
    return lines.toString();
  }

  private static String words(SplittableRandom random, int n) {
    StringBuilder words = new StringBuilder();
    for (int i = 0; i < n; i++) {
      words.append(i == 0 ? "w" : " w").append((int) (200 * Math.pow(random.nextDouble(), 2)));
    }
    return words.toString();
  }

  /** Deletes the folder. */
  @Override
  public void close() throws IOException {
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, IOException e)
              throws IOException {
            Files.delete(visited);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
