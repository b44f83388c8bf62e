/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.apache.lucene.facet.Facets;
import org.apache.lucene.search.IndexSearcher;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The jar to drop into an application: on the class path, on the module path, and what it holds.
 */
class TestDropInJar {
  private static final Path JAR =
      Path.of("..", "jni-bridge", "target", "lucene-offload-all.jar").toAbsolutePath();

  @TempDir Path temp;

  @BeforeEach
  void theJarIsBuilt() {
    assumeTrue(
        Files.isRegularFile(JAR), "no " + JAR + ": it is made in the phase \"package\" of Maven");
  }

  @Test
  void worksOnTheClassPath() throws Exception {
    assertEquals(
        List.of(
            "same answer: true", "on the device: true", "module: null", "shows internals: true"),
        run(
            DropInChild.class,
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            library() + File.pathSeparator + application(DropInChild.class)));
  }

  @Test
  void isAModuleThatHidesItsInternals() throws Exception {
    assertEquals(
        List.of(
            "same answer: true",
            "on the device: true",
            "module: org.luceneoffload",
            "shows internals: false"),
        run(
            DropInChild.class,
            "--enable-native-access=org.luceneoffload",
            "-p",
            library(),
            "--add-modules",
            "org.luceneoffload",
            "-cp",
            application(DropInChild.class)));
  }

  @Test
  void countsFacetsWhereLuceneHasThem() throws Exception {
    String withFacets = library() + File.pathSeparator + jarOf(Facets.class);
    String application = application(FacetChild.class);
    List<String> counts = List.of("1: 1667", "7: 1667", "on the device: 1");
    assertEquals(
        lines("documents: 5000", "module: null", counts),
        run(
            FacetChild.class,
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            withFacets + File.pathSeparator + application));
    assertEquals(
        lines("documents: 5000", "module: org.luceneoffload", counts),
        run(
            FacetChild.class,
            "--enable-native-access=org.luceneoffload",
            "-p",
            withFacets,
            "--add-modules",
            "org.luceneoffload,org.apache.lucene.facet",
            "-cp",
            application));
  }

  /** All else works; the error names what is missing. */
  @Test
  void needsNoFacets() throws Exception {
    assertEquals(
        List.of(
            "documents: 5000",
            "missing: org/apache/lucene/facet/FacetsCollector",
            "on the device: 0"),
        run(
            FacetChild.class,
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            library() + File.pathSeparator + application(FacetChild.class)));
  }

  private static List<String> lines(String first, String second, List<String> others) {
    List<String> lines = new ArrayList<>(List.of(first, second));
    lines.addAll(others);
    return lines;
  }

  @Test
  void holdsNothingOfThePapersPrograms() throws IOException {
    try (ZipFile jar = new ZipFile(JAR.toFile())) {
      boolean found = false;
      for (ZipEntry entry : jar.stream().toList()) {
        String name = entry.getName();
        assertFalse(name.toLowerCase(Locale.ROOT).contains("classic"), name);
        if (name.endsWith(System.mapLibraryName("luceneoffload"))) {
          found = true;
          byte[] library = jar.getInputStream(entry).readAllBytes();
          String text = new String(library, StandardCharsets.ISO_8859_1);
          assertTrue(text.contains("Java_org_luceneoffload_sim_SimDevice"), name);
          assertFalse(text.contains("Classic") || text.contains("csd_classic"), name);
        }
      }
      assertTrue(found, "no native library in " + JAR);
    }
  }

  /** The jar and Lucene's core: what README asks for. */
  private static String library() throws Exception {
    return JAR + File.pathSeparator + jarOf(IndexSearcher.class);
  }

  private static Path jarOf(Class<?> type) throws Exception {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  /** A folder with the class of the application and no other. */
  private String application(Class<?> main) throws Exception {
    String file = main.getName().replace('.', '/') + ".class";
    Path copy = temp.resolve("application").resolve(file);
    Files.createDirectories(copy.getParent());
    Files.copy(jarOf(main).resolve(file), copy);
    return temp.resolve("application").toString();
  }

  private List<String> run(Class<?> main, String... options) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:TieredStopAtLevel=1");
    command.addAll(List.of(options));
    command.add(main.getName());
    command.add(Files.createTempDirectory(temp, "index").toString());
    Path errors = temp.resolve("errors");
    Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), output + Files.readString(errors));
    return output.lines().toList();
  }
}
