/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.settings;

import java.util.Locale;

/** Which segments of an index are to have images. */
public enum Images {
  /** Those whose codec writes them. */
  WRITTEN,

  /** All: a shard that starts makes those that are missing. */
  ALL,

  /** None: new segments are written without, and the images of others are not used. */
  NONE;

  static Images parse(String setting, String value) {
    for (Images images : values()) {
      if (images.settingName().equals(value)) {
        return images;
      }
    }
    throw new IllegalArgumentException(
        "[" + setting + "] must be written, all or none, got \"" + value + "\"");
  }

  /** Returns its name as a setting. */
  public String settingName() {
    return name().toLowerCase(Locale.ROOT);
  }
}
