/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.options;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.luceneoffload.cli.command.Failure;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.ProfileException;
import org.luceneoffload.model.Profiles;
import picocli.CommandLine.Option;

/** {@code --set PATH=VALUE}: numbers of a profile that are changed for one run. */
public final class ProfileChanges {
  @Option(
      names = "--set",
      paramLabel = "PATH=VALUE",
      description =
          "Change a number of the profile, such as device.core_hz=1.6e9, in the unit that offload"
              + " profile shows; may be said several times.")
  private List<String> changes = List.of();

  /** Returns whether there are any. */
  public boolean isEmpty() {
    return changes.isEmpty();
  }

  /** Returns them as they were given. */
  public List<String> texts() {
    return changes;
  }

  /**
   * Returns the profile with the changes; the same profile if there are none.
   *
   * @throws Failure of usage naming each that is malformed, unknown, absurd or at odds with another
   */
  public DeviceProfile apply(DeviceProfile profile) {
    if (changes.isEmpty()) {
      return profile;
    }
    Map<String, Long> values = new LinkedHashMap<>();
    for (String change : changes) {
      int equal = change.indexOf('=');
      if (equal <= 0) {
        throw Failure.usage("--set " + change + ": expected PATH=VALUE");
      }
      values.put(change.substring(0, equal), value("--set", change.substring(equal + 1)));
    }
    return change("--set", profile, values);
  }

  /**
   * Returns a profile with some numbers changed.
   *
   * @param option that asked for it
   * @throws Failure of usage naming each that is unknown, absurd or at odds with another
   */
  public static DeviceProfile change(
      String option, DeviceProfile profile, Map<String, Long> values) {
    try {
      return Profiles.change(profile, values, "set on the command line");
    } catch (ProfileException e) {
      throw Failure.usage(option + ": " + e.getMessage(), e);
    }
  }

  /**
   * Reads a whole number, which may be written as {@code 1.6e9}.
   *
   * @throws Failure of usage if it is none
   */
  public static long value(String option, String text) {
    try {
      return new BigDecimal(text.strip()).longValueExact();
    } catch (ArithmeticException | NumberFormatException e) {
      throw Failure.usage(option + ": '" + text + "' is not a whole number", e);
    }
  }
}
