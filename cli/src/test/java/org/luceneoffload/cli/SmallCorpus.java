/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;

/** A corpus for tests: some thousand documents of words w0 (frequent) to w199 (rare). */
public final class SmallCorpus {
  public static final int DOCUMENTS = 3000;

  private SmallCorpus() {}

  /** Lines of the corpus, the same for the same seed. */
  public static String lines(long seed, int documents) {
    SplittableRandom random = new SplittableRandom(seed);
    return IntStream.range(0, documents)
        .mapToObj(
            doc ->
                "{\"id\":\"d"
                    + doc
                    + "\",\"title\":\"Title of d"
                    + doc
                    + "\",\"body\":\""
                    + words(random)
                    + "\"}\n")
        .collect(Collectors.joining());
  }

  private static String words(SplittableRandom random) {
    return IntStream.range(0, 5 + random.nextInt(60))
        .mapToObj(i -> "w" + (int) (200 * Math.pow(random.nextDouble(), 3)))
        .collect(Collectors.joining(" "));
  }

  /** Writes the corpus. */
  public static Path write(Path file) throws IOException {
    return Files.writeString(file, lines(42, DOCUMENTS));
  }

  /** Writes text as a gzip file. */
  public static Path writeGzip(Path file, String text) throws IOException {
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return file;
  }

  /**
   * Writes the corpus into a folder, as {@code c.jsonl}, and makes an index of it for each device
   * that works here.
   */
  public static void index(Path folder) throws IOException {
    write(folder.resolve("c.jsonl"));
    for (String device : CliRun.devices()) {
      makeIndex(index(folder, device), device);
    }
  }

  /**
   * Makes an index of the corpus that has the same two segments on every machine. Where several
   * threads index, their number and their speed decide what segments there are, and one may hold a
   * single document, in which few queries have work for a device.
   */
  public static void makeIndex(Path index, String device) throws IOException {
    List<String> all = lines(42, DOCUMENTS).lines().toList();
    int first = 2 * DOCUMENTS / 3;
    Path folder = index.toAbsolutePath().getParent();
    for (List<String> some : List.of(all.subList(0, first), all.subList(first, DOCUMENTS))) {
      Path part = Files.write(Files.createTempFile(folder, "part", ".jsonl"), some);
      List<Object> args =
          new ArrayList<>(List.of("index", "--index", index, "--device", device, "--corpus", part));
      args.addAll(List.of("--threads", 1));
      if (some.size() < first) {
        args.add("--append");
      }
      CliRun.of(args.toArray()).ok();
      Files.delete(part);
    }
  }

  /** Returns the index that {@link #index(Path)} made for a device. */
  public static Path index(Path folder, String device) {
    return folder.resolve("index-" + device);
  }
}
