/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.architecture.rules;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;

/** Rules about which package may use which. */
public final class PackageRules {
  private PackageRules() {}

  /** Returns the classes of the modules, or folders of classes, that these classes are in. */
  public static JavaClasses modulesOf(Class<?>... members) {
    return new ClassFileImporter()
        .importLocations(
            List.of(members).stream()
                .map(member -> member.getProtectionDomain().getCodeSource().getLocation())
                .map(Location::of)
                .toList());
  }

  /** Returns the rule that no package uses itself by way of others. */
  public static ArchRule noCycles() {
    return slices().assignedFrom(PACKAGES).should().beFreeOfCycles();
  }

  /**
   * Returns the rule that each package uses only packages of later layers.
   *
   * @param layers packages, the highest layer first; a package that is in none breaks the rule
   */
  public static ArchRule onlyDownwards(List<List<String>> layers) {
    return dependencies(
        "use only lower layers",
        (from, to) -> {
          int origin = layerOf(layers, from);
          return origin >= 0 && origin < layerOf(layers, to);
        });
  }

  private static int layerOf(List<List<String>> layers, String name) {
    for (int i = 0; i < layers.size(); i++) {
      if (layers.get(i).contains(name)) {
        return i;
      }
    }
    return -1;
  }

  /**
   * Returns a rule about what uses what.
   *
   * @param description what classes should do
   * @param allowed whether the first package may use the second one; asked for packages of this
   *     project that are not the same
   */
  public static ArchRule dependencies(String description, BiPredicate<String, String> allowed) {
    return classes()
        .should(
            new ArchCondition<JavaClass>(description) {
              @Override
              public void check(JavaClass item, ConditionEvents events) {
                for (Dependency dependency : item.getDirectDependenciesFromSelf()) {
                  String from = item.getPackageName();
                  String to = dependency.getTargetClass().getBaseComponentType().getPackageName();
                  if (isOurs(to) && !from.equals(to) && !allowed.test(from, to)) {
                    events.add(SimpleConditionEvent.violated(item, dependency.getDescription()));
                  }
                }
              }
            });
  }

  /**
   * Returns the rule that a module uses of the drop-in jar only what is exported to it.
   *
   * @param module its name after {@code org.luceneoffload.}
   * @param ofTheJar packages of the jar
   */
  public static ArchRule onlyExported(String module, Set<String> ofTheJar) throws IOException {
    ModuleExports exports = ModuleExports.read();
    String name = "org.luceneoffload." + module;
    return dependencies(
        "use what is exported to " + name,
        (from, to) -> !ofTheJar.contains(to) || exports.isExported(to, name));
  }

  /** Returns the packages of some classes. */
  public static Set<String> packagesOf(JavaClasses classes) {
    return classes.stream()
        .filter(type -> !type.getSimpleName().equals("package-info"))
        .map(JavaClass::getPackageName)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static boolean isOurs(String name) {
    return name.equals("org.luceneoffload") || name.startsWith("org.luceneoffload.");
  }

  private static final SliceAssignment PACKAGES =
      new SliceAssignment() {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass item) {
          return isOurs(item.getPackageName())
              ? SliceIdentifier.of(item.getPackageName())
              : SliceIdentifier.ignore();
        }

        @Override
        public String getDescription() {
          return "each package";
        }
      };
}
