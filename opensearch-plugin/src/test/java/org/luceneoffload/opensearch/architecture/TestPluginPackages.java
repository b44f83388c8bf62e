/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.architecture;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.architecture.rules.PackageRules;
import org.luceneoffload.opensearch.OffloadPlugin;
import org.luceneoffload.sim.SimDeviceProvider;

/** The plugin's packages form no cycle, and use of the library what is exported. */
class TestPluginPackages {
  private static ArchRule onlyExported() throws IOException {
    Set<String> ofTheJar =
        PackageRules.packagesOf(
            PackageRules.modulesOf(OffloadDirectory.class, SimDeviceProvider.class));
    return PackageRules.onlyExported("opensearch", ofTheJar);
  }

  @Test
  void usesWhatIsExported() throws IOException {
    onlyExported().check(PackageRules.modulesOf(OffloadPlugin.class));
  }

  @Test
  void aPlantedIntruderIsFound() throws IOException {
    String report =
        onlyExported()
            .evaluate(new ClassFileImporter().importClasses(Intruder.class))
            .getFailureReport()
            .toString();
    assertTrue(report.contains("FlatRewrite.rewrite"), report);
  }

  @Test
  void noPackageUsesItselfByWayOfOthers() {
    PackageRules.noCycles().check(PackageRules.modulesOf(OffloadPlugin.class));
  }
}
