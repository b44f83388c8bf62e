/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.existing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.QuickRun;
import org.luceneoffload.maintain.IndexDetach;
import org.luceneoffload.store.image.ImageDirectory;
import org.luceneoffload.store.image.ImageFiles;

/** kill -9 in the middle of an import, a repair or a detachment. */
class TestKilledUpkeep extends ExistingIndexTestCase {
  /** Kills of each kind; more of them: {@code -Dtests.iters}. */
  private static final int ROUNDS = Integer.getInteger("tests.iters", QuickRun.times(1, 2));

  private static final StockIndex.Shape SHAPE =
      new StockIndex.Shape(6, 300, false, false, false, false, true);

  /** Runs the child and kills it, at the latest when it is done. */
  private void killed(String what, int mostMillis) throws Exception {
    Process child = Child.start(entry -> true, UpkeepChild.class, index, DEVICE, what);
    try (BufferedReader out = child.inputReader(StandardCharsets.UTF_8)) {
      StringBuilder said = new StringBuilder();
      String line = out.readLine();
      while (line != null && !line.equals("ready")) {
        said.append(line).append('\n');
        line = out.readLine();
      }
      assertEquals("ready", line, said.toString());
      Thread.sleep(random.nextInt(mostMillis));
    } finally {
      child.destroyForcibly().waitFor();
    }
  }

  private void assertNothingHalfDone() throws IOException {
    try (OffloadDirectory directory = openForWriting(index)) {
      assertEquals(sidecars(index, "odp").size(), sidecars(index, "odh").size());
      assertFalse(Files.exists(index.resolve(ImageFiles.REPLACEMENT)));
      Set<String> whole = new HashSet<>();
      for (String name : directory.listAll()) {
        if (ImageFiles.isImage(name)
            && ImageDirectory.find(directory).images().lengthOnDevice(name) > 0) {
          whole.add(name);
        }
      }
      assertEquals(
          whole.size(),
          ImageDirectory.find(directory).handle().volume().list().size(),
          "no image is lost");
    }
  }

  @Test
  void imports() throws Exception {
    writeStock(SHAPE);
    List<String> expected = QueryAnswers.ofStock(index, queries);
    Map<String, Long> files = luceneFiles(index);
    for (int round = 0; round < ROUNDS; round++) {
      killed("import", 400);
      assertAnswers(expected);
      assertNothingHalfDone();
      assertEquals(files, luceneFiles(index));
    }
    importAll(index);
    assertOffloaded(expected);
    assertComplete(index);
    assertColumns(index);
  }

  @Test
  void repairsAndDetachments() throws Exception {
    writeStock(SHAPE);
    importAll(index);
    try (OffloadDirectory directory = open(index)) {
      new StockIndex(random, SHAPE).write(directory, new OffloadCodec());
    }
    List<String> expected = QueryAnswers.ofStock(index, queries);
    for (int round = 0; round < ROUNDS; round++) {
      switch (random.nextInt(3)) {
        case 0 -> Files.deleteIfExists(index.resolve(STORE));
        case 1 -> deleteColumnFiles();
        default -> {
          killed("detach", 100);
          assertAnswers(expected);
          assertNothingHalfDone();
        }
      }
      killed("repair", 600);
      assertAnswers(expected);
      assertNothingHalfDone();
    }
    repair(index);
    importAll(index);
    assertOffloaded(expected);
    assertComplete(index);
    assertColumns(index);
  }

  /** About half of what says which columns there are. */
  private void deleteColumnFiles() throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(index, "*.odm")) {
      for (Path file : files) {
        if (random.nextBoolean()) {
          Files.delete(file);
        }
      }
    }
  }

  /** Either commit is whole, whenever it is killed; to be run again is all that it needs. */
  @Test
  void theWayBackToAStockIndex() throws Exception {
    try (OffloadDirectory directory = open(index)) {
      new StockIndex(random, SHAPE).write(directory, new OffloadCodec());
    }
    List<String> expected = StockCheckChild.inspect(index, seed);
    for (int round = 0; round < ROUNDS; round++) {
      killed("stock", 300);
      assertEquals(expected, StockCheckChild.inspect(index, seed));
      assertAnswers(QueryAnswers.ofStock(index, queries));
    }
    IndexDetach.run(index, DEVICE, IndexDetach.Codec.STOCK);
    assertEquals(expected, StockCheckChild.inspect(index, seed));
    assertEquals(0, IndexDetach.run(index, DEVICE, IndexDetach.Codec.STOCK).segmentsRewritten());
  }
}
