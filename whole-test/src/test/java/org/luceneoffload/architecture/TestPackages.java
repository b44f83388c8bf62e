/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.EvaluationResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.architecture.planted.lower.Lower;
import org.luceneoffload.architecture.planted.upper.Upper;
import org.luceneoffload.architecture.rules.ModuleExports;
import org.luceneoffload.architecture.rules.PackageRules;
import org.luceneoffload.benchmarks.IndexingBenchmark;
import org.luceneoffload.cli.OffloadCli;
import org.luceneoffload.papers.ReproduceCommand;
import org.luceneoffload.sim.SimDeviceProvider;
import org.luceneoffload.workload.BenchSides;

/** The packages form no cycle, keep the order of ARCHITECTURE.md, and use what is exported. */
class TestPackages {
  private static final String ROOT = "org.luceneoffload";
  private static final JavaClasses LIBRARY = PackageRules.modulesOf(OffloadDirectory.class);
  private static final JavaClasses BACK_ENDS = PackageRules.modulesOf(SimDeviceProvider.class);

  /** The packages of the library that a back end knows. */
  private static final Set<String> DEVICE_INTERFACE =
      Set.of(
          ROOT + ".device",
          ROOT + ".device.task",
          ROOT + ".device.timing",
          ROOT + ".model",
          ROOT + ".util",
          ROOT + ".wire",
          ROOT + ".wire.layout");

  @Test
  void noPackageUsesItselfByWayOfOthers() {
    PackageRules.noCycles()
        .check(
            PackageRules.modulesOf(
                OffloadDirectory.class,
                SimDeviceProvider.class,
                BenchSides.class,
                OffloadCli.class,
                ReproduceCommand.class));
  }

  @Test
  void aPlantedCycleIsFound() {
    JavaClasses planted = new ClassFileImporter().importClasses(Upper.class, Lower.class);
    EvaluationResult result = PackageRules.noCycles().evaluate(planted);
    assertTrue(result.hasViolation());
    assertTrue(
        result.getFailureReport().toString().contains("planted.lower"),
        result.getFailureReport().toString());
  }

  @Test
  void packagesUseLowerLayersOnly() throws IOException {
    List<List<String>> layers = layers();
    Set<String> written = new TreeSet<>();
    layers.forEach(written::addAll);
    assertEquals(
        PackageRules.packagesOf(LIBRARY), written, "packages of lucene-offload in ARCHITECTURE.md");
    PackageRules.onlyDownwards(layers).check(LIBRARY);
  }

  @Test
  void aPlantedUseOfAHigherLayerIsFound() {
    String upper = Upper.class.getPackageName();
    String lower = Lower.class.getPackageName();
    JavaClasses planted = new ClassFileImporter().importClasses(Upper.class, Lower.class);
    EvaluationResult result =
        PackageRules.onlyDownwards(List.of(List.of(upper), List.of(lower))).evaluate(planted);
    String report = result.getFailureReport().toString();
    assertTrue(report.contains("Lower.numberOf"), report);
    assertFalse(report.contains("Upper.number()> calls"), report);
  }

  @Test
  void backEndsKnowTheDeviceInterfaceOnly() {
    Set<String> own = PackageRules.packagesOf(BACK_ENDS);
    PackageRules.dependencies(
            "use the device interface only",
            (from, to) -> own.contains(to) || DEVICE_INTERFACE.contains(to))
        .check(BACK_ENDS);
  }

  @Test
  void toolsUseWhatIsExported() throws IOException {
    ModuleExports exports = ModuleExports.read();
    Set<String> ofTheJar = PackageRules.packagesOf(LIBRARY);
    ofTheJar.addAll(PackageRules.packagesOf(BACK_ENDS));
    assertTrue(ofTheJar.containsAll(exports.packages()), "exported, but not there");
    PackageRules.onlyExported("workload", ofTheJar).check(PackageRules.modulesOf(BenchSides.class));
    PackageRules.onlyExported("cli", ofTheJar).check(PackageRules.modulesOf(OffloadCli.class));
    PackageRules.onlyExported("papers", ofTheJar)
        .check(PackageRules.modulesOf(ReproduceCommand.class));
    PackageRules.onlyExported("benchmarks", ofTheJar)
        .check(PackageRules.modulesOf(IndexingBenchmark.class));
  }

  /** The indented lines of ARCHITECTURE.md below the heading; what stands after a gap is text. */
  private static List<List<String>> layers() throws IOException {
    List<List<String>> layers = new ArrayList<>();
    boolean here = false;
    for (String line : Files.readAllLines(Path.of("..", "ARCHITECTURE.md"))) {
      if (line.startsWith("## ")) {
        here = line.equals("## The packages of lucene-offload");
      } else if (here && line.startsWith("    ")) {
        String names = line.strip().split(" {2,}")[0];
        layers.add(
            List.of(names.split(", ")).stream()
                .map(name -> name.equals("(root)") ? ROOT : ROOT + "." + name)
                .toList());
      }
    }
    assertFalse(layers.isEmpty(), "no layers in ARCHITECTURE.md");
    return layers;
  }
}
