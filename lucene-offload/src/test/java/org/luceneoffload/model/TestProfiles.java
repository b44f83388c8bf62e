/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.layout.ModelProfileLayout;
import org.luceneoffload.wire.layout.ModelReportLayout;

/** The profiles that come along are complete; a bad one is refused by the key's name. */
class TestProfiles {
  private static String text(String name) throws IOException {
    try (InputStream in = Profiles.class.getResourceAsStream("profiles/" + name + ".json")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static void refused(String json, String... words) {
    ProfileException e = assertThrows(ProfileException.class, () -> Profiles.read(json, "x.json"));
    for (String word : words) {
      assertTrue(e.getMessage().contains(word), () -> "no '" + word + "' in: " + e.getMessage());
    }
    assertTrue(e.getMessage().contains("x.json"), e.getMessage());
  }

  /** The line of a number in smart-ssd-sas, which the tests put wrong. */
  private static String line(String json, String key) {
    return json.lines()
        .filter(line -> line.strip().startsWith('"' + key + "\": {\"value\""))
        .findFirst()
        .orElseThrow();
  }

  private static String with(String key, String old, String now) throws IOException {
    String json = text("smart-ssd-sas");
    String line = line(json, key);
    assertTrue(line.contains(old), line);
    return json.replace(line, line.replace(old, now));
  }

  @Test
  void everyProfileIsCompleteAndSaysWhereItsNumbersAreFrom() throws IOException {
    for (String name : Profiles.names()) {
      DeviceProfile profile = Profiles.load(name);
      assertEquals(name, profile.name());
      assertEquals(ProfileFields.ALL.size(), profile.values().size());
      ByteBuffer bytes = profile.wireBytes();
      assertEquals(OffloadWire.MODEL_PROFILE_MAGIC, ModelProfileLayout.magic(bytes, 0));
      assertEquals(OffloadWire.VERSION, ModelProfileLayout.version(bytes, 0));
      for (ProfileField field : ProfileFields.ALL) {
        assertEquals(profile.get(field.path()), field.get(bytes), field.path());
      }
    }
  }

  @Test
  void whatIsWrittenIsReadAgain() throws IOException {
    for (String name : Profiles.names()) {
      DeviceProfile profile = Profiles.load(name);
      assertEquals(profile, Profiles.read(Profiles.write(profile), name));
    }
    DeviceProfile odd =
        Profiles.read(with("core_hz", "\"source\": \"", "\"source\": \"a \\\"b\\\\\\n"), "x");
    assertEquals(odd, Profiles.read(Profiles.write(odd), "x"));
  }

  @Test
  void changesAreChecked() throws IOException {
    DeviceProfile own = Profiles.load("smart-ssd-sas");
    DeviceProfile fast = Profiles.change(own, Map.of("device.core_hz", 800_000_000L), "test");
    assertEquals(800_000_000, fast.get("device.core_hz"));
    assertEquals("smart-ssd-sas*", fast.name());
    assertTrue(fast.title().endsWith(", with device.core_hz = 800000000"), fast.title());
    assertEquals(fast, Profiles.read(Profiles.write(fast), "x"));
    ProfileException e =
        assertThrows(
            ProfileException.class,
            () -> Profiles.change(own, Map.of("device.core_hz", 5L, "x.y", 1L), "test"));
    assertTrue(e.getMessage().contains("device.core_hz is 5; expected 1000000 to"), e.getMessage());
    assertTrue(e.getMessage().contains("x.y is not a field of a profile"), e.getMessage());
    e =
        assertThrows(
            ProfileException.class,
            () -> Profiles.change(own, Map.of("device.link_poll_ns", 0L), "test"));
    assertTrue(e.getMessage().contains("link_poll_ns is 0; it must be above 0"), e.getMessage());
  }

  @Test
  void fieldsCoverTheStructWithoutOverlap() {
    Set<Integer> used = new HashSet<>();
    for (ProfileField field : ProfileFields.ALL) {
      for (int i = 0; i < field.bytes(); i++) {
        assertTrue(used.add(field.offset() + i), field.path());
      }
      assertTrue(field.min() <= field.max(), field.path());
    }
    // The head and the unused ends of arrays are all that is left.
    int arrays = 6 * (OffloadWire.MODEL_WORK_SLOTS - ModelNames.WORK.size());
    int power = 2 * (OffloadWire.MODEL_COMPONENT_SLOTS - ModelNames.COMPONENTS.size());
    assertEquals(ModelProfileLayout.BYTES, used.size() + 40 + Integer.BYTES * (arrays + power));
  }

  @Test
  void namesAreThoseOfTheWire() {
    assertNames(ModelNames.WORK, OffloadWire.ModelWork.class);
    assertNames(ModelNames.PARTS, OffloadWire.ModelPart.class);
    assertNames(ModelNames.RESOURCES, OffloadWire.ModelResource.class);
    assertNames(ModelNames.COMPONENTS, OffloadWire.ModelComponent.class);
  }

  private static void assertNames(List<String> names, Class<?> constants) {
    List<Field> fields =
        Stream.of(constants.getFields()).filter(f -> f.getType() == int.class).toList();
    assertEquals(fields.size(), names.size(), constants.getSimpleName());
    for (Field field : fields) {
      try {
        assertEquals(field.getName().toLowerCase(Locale.ROOT), names.get(field.getInt(null)));
      } catch (IllegalAccessException e) {
        throw new AssertionError(e);
      }
    }
  }

  @Test
  void missingKeysAreNamed() throws IOException {
    String json = text("smart-ssd-sas");
    refused(json.replace(line(json, "core_hz") + "\n", ""), "device.core_hz is missing", "Hz");
    refused(
        json.replaceFirst("\"title\"", "\"titel\""), "title is missing", "titel is not a field");
    refused("{}", "name is missing", "device.link_bytes_per_s is missing", "host.core_hz");
  }

  @Test
  void unknownKeysAreNamed() throws IOException {
    refused(with("core_hz", "\"core_hz\"", "\"core_mhz\""), "device.core_mhz is not a field");
    refused(with("core_hz", "\"unit\"", "\"units\""), "device.core_hz.units is not a field");
  }

  @Test
  void absurdValuesAreNamedWithWhatIsAllowed() throws IOException {
    refused(with("core_hz", "400000000", "400"), "device.core_hz is 400; expected 1000000 to");
    refused(with("core_hz", "400000000", "4e8"), "device.core_hz is 4E+8");
    refused(with("core_hz", "400000000", "\"fast\""), "device.core_hz is fast");
    refused(with("core_hz", "400000000", "-1"), "device.core_hz is -1");
    refused(
        with("core_hz", "400000000", "99999999999999999999"), "is 99999999999999999999; expected");
    refused(with("core_hz", "\"Hz\"", "\"MHz\""), "device.core_hz.unit is 'MHz'; expected 'Hz'");
    refused(with("core_hz", "\"source\": \"", "\"source\": \" \", \"x\": \""), "core_hz.source");
    refused(with("core_hz", "\"unit\"", "\"calibrated\": 1, \"unit\""), "core_hz.calibrated is 1");
    refused(
        with("core_hz", line(text("smart-ssd-sas"), "core_hz").strip(), "\"core_hz\": 3,"),
        "device.core_hz must be an object");
  }

  @Test
  void numbersThatContradictEachOtherAreNamed() throws IOException {
    refused(with("link_completion", "1,", "7,"), "expected 1 to 2: 1 = polled, 2 = interrupt");
    refused(with("link_completion", "1,", "2,"), "device.link_poll_ns is 1000000; it must be 0");
    refused(with("flash_page_bytes", "8192", "8000"), "8000; it must be a power of two");
    refused(with("flash_page_types", "1,", "2,"), "device.flash_read_ns.page1 is missing");
    refused(with("flash_block_pages", "128", "16384"), "flash_plane_blocks is 3200", "pages");
    refused(
        with("flash_gc_blocks", "8,", "1000,").replace("\"value\": 3200", "\"value\": 100"),
        "flash_gc_blocks is 1000");
  }

  @Test
  void brokenJsonIsNamedByLine() {
    refused("{\"name\": 1,\n \"name\": 2}", "line 2", "Duplicate");
    refused("{", "not valid JSON", "(start marker at line 1, column 1)");
    refused("[".repeat(5000), "not valid JSON", "depth");
    refused("", "empty");
    refused("[]", "not a JSON object");
    refused("{} {}", "more after the end of the JSON object");
  }

  @Test
  void filesAreReadToo(@TempDir Path dir) throws IOException {
    Path file = dir.resolve("mine.json");
    Files.writeString(file, text("pcie5-csd").replaceFirst("pcie5-csd", "mine"));
    assertEquals("mine", Profiles.load(file.toString()).name());
    assertThrows(ProfileException.class, () -> Profiles.load(dir + "/none.json"));
    ProfileException e = assertThrows(ProfileException.class, () -> Profiles.load("nosuch"));
    assertTrue(e.getMessage().contains("smart-ssd-sas"), e.getMessage());
  }

  @Test
  void filesThatAreNoTextAreRefused(@TempDir Path dir) throws IOException {
    Path bytes = Files.write(dir.resolve("bytes.json"), new byte[] {'{', (byte) 0xFF, '}'});
    for (Path file : List.of(bytes, Files.createDirectory(dir.resolve("folder.json")))) {
      IOException e = assertThrows(ProfileException.class, () -> Profiles.load(file.toString()));
      assertTrue(e.getMessage().contains(file.toString()), e.getMessage());
    }
  }

  @Test
  void oneNumberCanBeChangedWithinItsRange() throws IOException {
    DeviceProfile profile = Profiles.load("smart-ssd-sas");
    DeviceProfile other = profile.with("device.core_hz", 800_000_000, "twice");
    assertEquals(800_000_000, other.get("device.core_hz"));
    assertTrue(other.values().get("device.core_hz").calibrated());
    assertFalse(profile.values().get("device.core_hz").calibrated());
    assertThrows(IllegalArgumentException.class, () -> profile.with("device.core_hz", 1, "x"));
    assertThrows(IllegalArgumentException.class, () -> profile.with("device.speed", 1, "x"));
  }

  @Test
  void whatAnExperimentNeedsAndAProfileLeavesOutIsNamed() throws IOException {
    DeviceProfile search = Profiles.load("smart-ssd-sas");
    List<String> needed =
        List.of("device.work.compare", "device.work.tuple_read", "host.work.token_compare");
    String missing = search.missing("s3", needed);
    assertEquals(
        "s3 needs device.work.tuple_read, host.work.token_compare, which profile smart-ssd-sas"
            + " leaves out; without a cost such work would take no time",
        missing);
    DeviceProfile given =
        search
            .with("device.work.tuple_read.access_ps", 1, "x")
            .with("host.work.token_compare.core_millicycles", 1, "x");
    assertEquals(null, given.missing("s3", needed));
    assertThrows(
        IllegalArgumentException.class, () -> search.missing("s3", List.of("device.work.tuple")));
  }

  @Test
  void aCurrentDriveGivesEveryKindOfWorkACost() throws IOException {
    DeviceProfile current = Profiles.load("pcie5-csd");
    List<String> all =
        ModelNames.WORK.stream()
            .flatMap(work -> Stream.of("device.work." + work, "host.work." + work))
            .toList();
    assertEquals(null, current.missing("a paper", all));
  }

  @Test
  void whatIsNoReportIsRefused() {
    byte[] zeros = new byte[ModelReportLayout.BYTES];
    assertThrows(ProfileException.class, () -> ModelReport.read(zeros));
    assertThrows(ProfileException.class, () -> ModelReport.read(new byte[10]));
    ByteBuffer other = ByteBuffer.wrap(zeros).order(java.nio.ByteOrder.LITTLE_ENDIAN);
    ModelReportLayout.magic(other, 0, OffloadWire.MODEL_REPORT_MAGIC);
    ModelReportLayout.version(other, 0, OffloadWire.VERSION + 1);
    assertThrows(ProfileException.class, () -> ModelReport.read(zeros));
  }
}
