/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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
    Path corpus = write(folder.resolve("c.jsonl"));
    for (String device : CliRun.devices()) {
      Path index = index(folder, device);
      CliRun.of("index", "--index", index, "--device", device, "--corpus", corpus).ok();
    }
  }

  /** Returns the index that {@link #index(Path)} made for a device. */
  public static Path index(Path folder, String device) {
    return folder.resolve("index-" + device);
  }
}
