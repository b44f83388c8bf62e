/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.architecture.planted.lower.Lower;
import org.luceneoffload.architecture.planted.upper.Upper;
import org.luceneoffload.architecture.rules.ModuleExports;
import org.luceneoffload.architecture.rules.PackageRules;
import org.luceneoffload.sim.SimDeviceProvider;

/**
 * The types that the drop-in jar shows to everybody: those of a list, and no others by way of them.
 */
class TestPublicApi {
  private static final String ANYBODY = "an application";
  private static final JavaClasses JAR =
      PackageRules.modulesOf(OffloadDirectory.class, SimDeviceProvider.class);

  /**
   * One a line, in order, with the types inside of them. A line is a promise for as long as the
   * major version lasts.
   *
   * <p>What an application writes in its own code is there, and what a back end implements. Three
   * more have a reason of their own: PlannedSearch is for applications that collect in a way of
   * their own, as the OpenSearch plugin does; OpenDevices is what flight recorder and metrics list;
   * FilterDevice and FilterSession are for back ends that put a device before another.
   */
  private static final String LIST = "api-types.txt";

  private static final int MAX_TYPES = 45;
  private static final int MAX_TYPES_OF_APPLICATIONS = 30;

  /** For who writes a back end. */
  private static final List<String> BACK_END =
      List.of("org.luceneoffload.device.", "org.luceneoffload.wire.");

  @Test
  void whatIsExportedIsOnTheList() throws IOException {
    Set<String> exported = new TreeSet<>();
    Predicate<JavaClass> shown = shown();
    JAR.stream().filter(shown).forEach(type -> exported.add(type.getName().replace('$', '.')));
    assertEquals(String.join("\n", listed()), String.join("\n", exported));
  }

  @Test
  void theListIsInOrder() throws IOException {
    assertEquals(List.copyOf(new TreeSet<>(listed())), listed());
  }

  @Test
  void thereAreFew() throws IOException {
    List<String> outer = new ArrayList<>();
    Predicate<JavaClass> shown = shown();
    JAR.stream()
        .filter(type -> shown.test(type) && type.getEnclosingClass().isEmpty())
        .forEach(type -> outer.add(type.getName()));
    assertTrue(outer.size() <= MAX_TYPES, outer.size() + " types");
    outer.removeIf(name -> BACK_END.stream().anyMatch(name::startsWith));
    assertTrue(outer.size() <= MAX_TYPES_OF_APPLICATIONS, outer.size() + " for applications");
    assertTrue(outer.contains(OffloadDirectory.class.getName()));
  }

  @Test
  void whatIsExportedNamesNoHiddenType() throws IOException {
    assertEquals(List.of(), hiddenTypes(JAR, shown()));
  }

  /** Of these packages the compiler checks the javadoc, and Maven makes it. */
  @Test
  void theBuildDocumentsWhatIsExported() throws IOException {
    ModuleExports exports = ModuleExports.read();
    Set<String> exported = new TreeSet<>(exports.packages());
    exported.removeIf(name -> !exports.isExported(name, ANYBODY));
    String pom = Files.readString(Path.of("..", "lucene-offload", "pom.xml"));
    String checked = found("<api.packages>(.*)</api.packages>", pom).get(0);
    assertEquals(exported, new TreeSet<>(List.of(checked.split(","))), "api.packages");
    Set<String> made = new TreeSet<>();
    found("<include>(org/.*)/\\*\\.java</include>", pom)
        .forEach(folder -> made.add(folder.replace('/', '.')));
    assertEquals(exported, made, "sourceFileIncludes");
  }

  private static List<String> found(String pattern, String text) {
    return Pattern.compile(pattern).matcher(text).results().map(match -> match.group(1)).toList();
  }

  @Test
  void aPlantedUseOfAHiddenTypeIsFound() {
    JavaClasses planted = new ClassFileImporter().importClasses(Upper.class, Lower.class);
    List<String> found = hiddenTypes(planted, type -> type.isEquivalentTo(Lower.class));
    assertEquals(1, found.size(), found.toString());
    assertTrue(found.get(0).contains("Lower.numberOf"), found.toString());
  }

  /** Public types of packages that are exported to everybody, and public types inside them. */
  private static Predicate<JavaClass> shown() throws IOException {
    ModuleExports exports = ModuleExports.read();
    return type -> exports.isExported(type.getPackageName(), ANYBODY) && isShown(type);
  }

  private static boolean isShown(JavaClass type) {
    return isForOthers(type.getModifiers())
        && type.getEnclosingClass().map(TestPublicApi::isShown).orElse(true);
  }

  private static boolean isForOthers(Set<JavaModifier> modifiers) {
    return modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED);
  }

  /** Members of types that are shown, with the types of ours that they name and that are not. */
  private static List<String> hiddenTypes(JavaClasses classes, Predicate<JavaClass> shown) {
    List<String> found = new ArrayList<>();
    for (JavaClass type : classes) {
      if (shown.test(type)) {
        for (JavaMember member : type.getMembers()) {
          if (isForOthers(member.getModifiers())) {
            named(member)
                .flatMap(named -> named.getAllInvolvedRawTypes().stream())
                .map(JavaClass::getBaseComponentType)
                .filter(named -> named.getPackageName().startsWith("org.luceneoffload"))
                .filter(named -> !shown.test(named))
                .forEach(named -> found.add(member.getFullName() + ": " + named.getName()));
          }
        }
      }
    }
    return found.stream().sorted().distinct().toList();
  }

  private static Stream<JavaType> named(JavaMember member) {
    return switch (member) {
      case JavaField field -> Stream.of(field.getType());
      case JavaCodeUnit unit ->
          Stream.concat(
              Stream.concat(Stream.of(unit.getReturnType()), unit.getParameterTypes().stream()),
              unit.getExceptionTypes().stream());
      default -> throw new IllegalStateException(member.toString());
    };
  }

  private static List<String> listed() throws IOException {
    try (var in = TestPublicApi.class.getResourceAsStream(LIST)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }
}
