/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.QuickRun;

/**
 * An engine that prunes too much is found: a copy of its sources is built in which the score bound
 * of a range of docs is 3 % too low in lists of more than eight pages. Only long lists show it.
 */
class TestFuzzFindsLowBound {
  private static final Path TOP = Path.of("").toAbsolutePath().getParent();
  private static final String FUNCTION = "float csd_term_range_bound(";
  private static final Pattern LAST_RETURN = Pattern.compile("\n  return bound;\n\\}");
  private static final String LOW =
      "\n  return node->cursor->run.page_count > 8 ? bound * 0.97f : bound;\n}";

  @TempDir Path folder;

  @Test
  void aBoundThatIsTooLowIsFound() throws Exception {
    assumeTrue(!QuickRun.QUICK, "long; mvn verify -Pfull runs it");
    assumeTrue(
        Files.isDirectory(TOP.resolve("device-sim/src")), "the sources of the engine are not here");
    copy("device-sim");
    copy("jni-bridge");
    lowerBound();
    Path library = build();
    long seed = Long.getLong("tests.seed", System.nanoTime());
    Output fuzz =
        run(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx1g",
            "--add-modules=jdk.management,jdk.incubator.vector",
            "--enable-native-access=ALL-UNNAMED",
            "-Dorg.luceneoffload.library=" + library,
            "-cp",
            System.getProperty("java.class.path"),
            FuzzMain.class.getName(),
            "--long-lists",
            "--no-shrink",
            // It ends as soon as a round shows the fault, as about one in three does.
            "--rounds=120",
            "--minutes=60",
            "--work=" + folder,
            "--seed=" + seed);
    assertEquals(1, fuzz.status, fuzz.text);
    // Whichever searcher is asked first.
    assertTrue(
        fuzz.text.contains("stock and offload differ")
            || fuzz.text.contains("stock and OffloadQuery differ"),
        fuzz.text);
    fuzz.text.lines().filter(line -> line.startsWith("fuzz: FAILED")).forEach(System.out::println);
  }

  private void copy(String module) throws IOException {
    Path from = TOP.resolve(module);
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes)
              throws IOException {
            if (path.equals(from.resolve("target"))) {
              return FileVisitResult.SKIP_SUBTREE;
            }
            Files.createDirectories(folder.resolve(module).resolve(from.relativize(path)));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path path, BasicFileAttributes attributes)
              throws IOException {
            Files.copy(path, folder.resolve(module).resolve(from.relativize(path)));
            return FileVisitResult.CONTINUE;
          }
        });
  }

  private void lowerBound() throws IOException {
    int changed = 0;
    for (Path source : files(folder.resolve("device-sim/src"), ".c")) {
      String text = Files.readString(source);
      int function = text.indexOf(FUNCTION);
      int body = function < 0 ? -1 : text.indexOf("{\n", function);
      if (body < 0) {
        continue;
      }
      Matcher end = LAST_RETURN.matcher(text);
      assertTrue(end.find(body), source + " does not return the bound at the end of " + FUNCTION);
      Files.writeString(source, text.substring(0, end.start()) + LOW + text.substring(end.end()));
      changed++;
    }
    assertEquals(1, changed, "definitions of " + FUNCTION);
  }

  private Path build() throws Exception {
    Output cmake =
        run(
            "sh",
            TOP.resolve("build-tools/cmake_build.sh").toString(),
            folder.resolve("jni-bridge").toString(),
            folder.resolve("build").toString(),
            "-DCSD_NATIVE_DIR=" + folder.resolve("native"));
    assertEquals(0, cmake.status, cmake.text);
    List<Path> libraries = files(folder.resolve("native"), "");
    assertEquals(1, libraries.size(), libraries.toString());
    return libraries.get(0);
  }

  private static List<Path> files(Path folder, String ending) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(file -> Files.isRegularFile(file) && file.toString().endsWith(ending))
          .toList();
    }
  }

  /** The output of a process, and its exit status. */
  private record Output(int status, String text) {}

  private static Output run(String... command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String text;
    try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
      text = String.join("\n", out.lines().toList());
    }
    return new Output(process.waitFor(), text);
  }
}
