/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.model;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.luceneoffload.wire.OffloadWire;

/**
 * Reads profiles strictly: every field of {@link ProfileFields} once, in its unit and range, with a
 * source, and nothing else. The error lists all faults.
 */
final class ProfileReader {
  private static final Set<String> TEXTS = Set.of("name", "title", "about");

  /** Numbers by their full place, as {@code offload profile NAME --json} prints them. */
  private static final String BY_PLACE = "values";

  private static final Set<String> NUMBER = Set.of("value", "unit", "source", "calibrated");
  private static final int MAX_NAME = 32;
  private static final long MAX_FLASH_PAGES = 0xFFFFFFFFL;
  private final String where;
  private final List<String> faults = new ArrayList<>();

  private ProfileReader(String where) {
    this.where = where;
  }

  /**
   * Reads a profile.
   *
   * @param json the text
   * @param where what to call it in errors: a name or a path
   * @throws ProfileException naming each key that is missing, unknown or absurd, and why
   */
  static DeviceProfile read(String json, String where) throws ProfileException {
    return new ProfileReader(where).profile(JsonTree.read(json, where));
  }

  /** Returns what stands for an optional number that is left out. */
  static ProfileValue unused(ProfileField field) {
    return new ProfileValue(0, field.unit(), "not used", false);
  }

  /**
   * Returns a profile with some numbers changed, under a name of its own.
   *
   * @param changes new values by place
   * @param source where they come from
   * @throws ProfileException naming each that is unknown, absurd or at odds with another, and why
   */
  static DeviceProfile change(DeviceProfile profile, Map<String, Long> changes, String source)
      throws ProfileException {
    return new ProfileReader(profile.name()).changed(profile, changes, source);
  }

  private DeviceProfile changed(DeviceProfile profile, Map<String, Long> changes, String source)
      throws ProfileException {
    Map<String, ProfileValue> values = new LinkedHashMap<>(profile.values());
    List<String> texts = new ArrayList<>();
    changes.forEach(
        (path, value) -> {
          if (!values.containsKey(path)) {
            faults.add(path + " is not a field of a profile");
            return;
          }
          ProfileField field = ProfileFields.of(path);
          if (value < field.min() || value > field.max()) {
            faults.add(path + " is " + value + "; expected " + field.range());
          }
          values.put(path, new ProfileValue(value, field.unit(), source, false));
          texts.add(path + " = " + value);
        });
    check(values);
    String name = profile.name();
    return new DeviceProfile(
        name.substring(0, Math.min(name.length(), MAX_NAME - 1)) + '*',
        profile.title() + ", with " + String.join(", ", texts),
        profile.about(),
        values);
  }

  private DeviceProfile profile(Object tree) throws ProfileException {
    if (!(tree instanceof Map<?, ?> top)) {
      throw new ProfileException("profile " + where + ": it is not a JSON object");
    }
    String name = text("name", top.get("name"));
    if (!name.matches("[!-~]{0," + MAX_NAME + "}")) {
      faults.add("name is '" + name + "'; expected 1 to " + MAX_NAME + " visible ASCII characters");
    }
    String title = text("title", top.get("title"));
    String about = text("about", top.get("about"));
    Map<String, Object> leaves = new LinkedHashMap<>();
    top.forEach(
        (key, value) -> {
          if (key.equals(BY_PLACE) && value instanceof Map<?, ?> flat) {
            flat.forEach((path, number) -> leaves.put(String.valueOf(path), number));
          } else if (!TEXTS.contains(key)) {
            flatten(String.valueOf(key), value, leaves);
          }
        });
    Map<String, ProfileValue> values = new LinkedHashMap<>();
    for (ProfileField field : ProfileFields.ALL) {
      ProfileValue value = number(field, leaves.remove(field.path()));
      if (value != null) {
        values.put(field.path(), value);
      }
    }
    leaves.keySet().forEach(path -> faults.add(path + " is not a field of a profile"));
    check(values);
    return new DeviceProfile(name, title, about, values);
  }

  private void check(Map<String, ProfileValue> values) throws ProfileException {
    if (faults.isEmpty()) {
      across(values);
    }
    if (!faults.isEmpty()) {
      throw new ProfileException("profile " + where + ": " + String.join("; ", faults));
    }
  }

  /**
   * Flattens a tree: an object that has one of a number's keys is a number; any other is a group of
   * them.
   */
  private static void flatten(String path, Object tree, Map<String, Object> leaves) {
    if (tree instanceof Map<?, ?> map
        && !map.isEmpty()
        && map.keySet().stream().noneMatch(NUMBER::contains)) {
      map.forEach((key, value) -> flatten(path + "." + key, value, leaves));
    } else {
      leaves.put(path, tree);
    }
  }

  /** Checks numbers against each other. */
  private void across(Map<String, ProfileValue> values) {
    Function<String, Long> get = key -> values.get("device." + key).value();
    boolean polled = get.apply("link_completion") == OffloadWire.ModelCompletion.POLLED;
    if (polled != get.apply("link_poll_ns") > 0) {
      fault(
          get,
          "link_poll_ns",
          polled
              ? "must be above 0, since link_completion is polled"
              : "must be 0, since link_completion is by interrupt");
    }
    if (Long.bitCount(get.apply("flash_page_bytes")) != 1) {
      fault(get, "flash_page_bytes", "must be a power of two");
    }
    long blocks = get.apply("flash_plane_blocks");
    if (get.apply("flash_gc_blocks") >= blocks / 2) {
      fault(
          get,
          "flash_gc_blocks",
          "must be less than half of flash_plane_blocks, which is " + blocks);
    }
    long pages = blocks * get.apply("flash_block_pages");
    for (String level : List.of("channels", "ways", "dies", "planes")) {
      pages *= get.apply("flash_" + level);
    }
    if (pages > MAX_FLASH_PAGES) {
      fault(
          get,
          "flash_plane_blocks",
          "must give at most " + MAX_FLASH_PAGES + " flash pages in all, and gives " + pages);
    }
    long types = get.apply("flash_page_types");
    for (int i = 1; i < OffloadWire.MODEL_PAGE_TYPES; i++) {
      for (String key : List.of("flash_read_ns.page", "flash_program_ns.page")) {
        if (i < types != get.apply(key + i) > 0) {
          String rule = i < types ? " is missing" : " must be left out";
          faults.add("device." + key + i + rule + ", since flash_page_types is " + types);
        }
      }
    }
  }

  private void fault(Function<String, Long> get, String key, String why) {
    faults.add("device." + key + " is " + get.apply(key) + "; it " + why);
  }

  private ProfileValue number(ProfileField field, Object tree) {
    if (tree == null && !field.required()) {
      return unused(field);
    } else if (tree == null) {
      faults.add(field.path() + " is missing; expected " + field.range());
      return null;
    }
    if (!(tree instanceof Map<?, ?> map)) {
      faults.add(field.path() + " must be an object with value, unit and source");
      return null;
    }
    unknown(field.path() + ".", map.keySet(), NUMBER);
    Object value = map.get("value");
    if (!(value instanceof Long number) || number < field.min() || number > field.max()) {
      faults.add(
          field.path()
              + (value == null ? " has no value" : " is " + value + "; expected " + field.range()));
      return null;
    }
    String unit = text(field.path() + ".unit", map.get("unit"));
    if (!unit.isEmpty() && !unit.equals(field.unit())) {
      faults.add(field.path() + ".unit is '" + unit + "'; expected '" + field.unit() + "'");
    }
    Object calibrated = map.get("calibrated");
    if (calibrated != null && !(calibrated instanceof Boolean)) {
      faults.add(field.path() + ".calibrated is " + calibrated + "; expected true or false");
    }
    return new ProfileValue(
        number,
        field.unit(),
        text(field.path() + ".source", map.get("source")),
        Boolean.TRUE.equals(calibrated));
  }

  private String text(String path, Object value) {
    if (value instanceof String text && !text.isBlank()) {
      return text;
    }
    faults.add(path + (value == null ? " is missing" : " must be a text that is not empty"));
    return "";
  }

  private void unknown(String prefix, Set<?> keys, Set<String> known) {
    for (Object key : keys) {
      if (!known.contains(key)) {
        faults.add(prefix + key + " is not a field of a profile");
      }
    }
  }
}
