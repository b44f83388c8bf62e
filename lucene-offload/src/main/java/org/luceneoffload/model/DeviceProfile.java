/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.model;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.luceneoffload.wire.layout.ModelProfileLayout;

/**
 * A device and the host that it is in, as numbers: complete and checked.
 *
 * @param name short name, as {@code --profile} takes it
 * @param title one line
 * @param about what the numbers stand for, and where they come from
 * @param values by {@link ProfileField#path}, in the order of {@link ProfileFields#ALL}
 */
public record DeviceProfile(
    String name, String title, String about, Map<String, ProfileValue> values) {
  /** Keeps a copy that cannot be changed. */
  public DeviceProfile {
    values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
  }

  /**
   * Returns the number at a path.
   *
   * @throws IllegalArgumentException if no field is called that
   */
  public long get(String path) {
    ProfileValue value = values.get(path);
    if (value == null) {
      throw new IllegalArgumentException("no field " + path + " in profile " + name);
    }
    return value.value();
  }

  /**
   * Returns the same profile with one number changed, marked as calibrated; its range is checked.
   *
   * @throws IllegalArgumentException naming the field, if it is unknown or the value absurd
   */
  public DeviceProfile with(String path, long value, String source) {
    ProfileField field = ProfileFields.of(path);
    if (value < field.min() || value > field.max()) {
      throw new IllegalArgumentException(path + " is " + value + ", not " + field.range());
    }
    Map<String, ProfileValue> changed = new LinkedHashMap<>(values);
    changed.put(path, new ProfileValue(value, field.unit(), source, true));
    return new DeviceProfile(name, title, about, changed);
  }

  /**
   * Returns a sentence that names the numbers which an experiment needs and the profile leaves out,
   * or null if there are none.
   *
   * @param experiment what needs them, as its user calls it
   * @param places a number, or a group of which one number is enough, such as {@code
   *     device.work.tuple_read}
   * @throws IllegalArgumentException if there is no such place
   */
  public String missing(String experiment, Collection<String> places) {
    List<String> missing = places.stream().filter(place -> !gives(place)).toList();
    return missing.isEmpty()
        ? null
        : experiment
            + " needs "
            + String.join(", ", missing)
            + ", which profile "
            + name
            + " leaves out; without a cost such work would take no time";
  }

  private boolean gives(String place) {
    List<ProfileValue> there =
        values.entrySet().stream()
            .filter(value -> (value.getKey() + ".").startsWith(place + "."))
            .map(Map.Entry::getValue)
            .toList();
    if (there.isEmpty()) {
      throw new IllegalArgumentException("no field " + place);
    }
    return there.stream().anyMatch(value -> value.value() != 0);
  }

  /** Returns the profile as a {@code model_profile} of the wire. */
  public byte[] wireArray() {
    byte[] array = new byte[ModelProfileLayout.BYTES];
    ByteBuffer bytes = ByteBuffer.wrap(array).order(ByteOrder.LITTLE_ENDIAN);
    ProfileFields.header(bytes, name);
    for (ProfileField field : ProfileFields.ALL) {
      field.put(bytes, get(field.path()));
    }
    return array;
  }

  /** Returns the same bytes in a direct buffer, as devices take it. */
  public ByteBuffer wireBytes() {
    return ByteBuffer.allocateDirect(ModelProfileLayout.BYTES)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put(wireArray())
        .flip();
  }
}
