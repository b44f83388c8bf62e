/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz.run;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.DirectoryReader;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.fuzz.device.ResourceWatch;
import org.luceneoffload.fuzz.generate.Recipe;

/** Checks that hold when everything of a round is closed. */
public final class EndOfRound {
  private static final int CHECK_EVERY = 4;

  private EndOfRound() {}

  public static void check(Recipe recipe, Path home, ResourceWatch before) throws IOException {
    ResourceWatch after = ResourceWatch.now(false);
    if (after.devices() != before.devices()
        || after.sessions() != before.sessions()
        || after.resources() != before.resources()) {
      throw new IllegalStateException("left open: before " + before + ", after " + after);
    }
    if (recipe.seed() % CHECK_EVERY == 0) {
      checkIndex(recipe, home);
    }
  }

  private static void checkIndex(Recipe recipe, Path home) throws IOException {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    try (OffloadDirectory directory = OffloadDirectory.open(home, recipe.device())) {
      if (!DirectoryReader.indexExists(directory)) {
        return;
      }
      try (CheckIndex check = new CheckIndex(directory)) {
        check.setInfoStream(new PrintStream(text, true, StandardCharsets.UTF_8));
        if (!check.checkIndex().clean) {
          throw new IllegalStateException(
              "the index is not clean: " + text.toString(StandardCharsets.UTF_8));
        }
      }
    }
  }
}
