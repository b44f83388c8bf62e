/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.upkeep;

import java.util.Locale;
import org.luceneoffload.opensearch.settings.Images;

/** What can be done to the images of a shard. */
public enum UpkeepOperation {
  /** Makes images for segments that have none. */
  IMPORT(Images.ALL),

  /** Finds images that are lost or damaged, and makes them again. */
  REPAIR(Images.ALL),

  /** Deletes what was imported or repaired, and does without images from now on. */
  DETACH(Images.NONE);

  private final Images images;

  UpkeepOperation(Images images) {
    this.images = images;
  }

  /** Returns what the index is set to, so that it holds for shards that start. */
  public Images images() {
    return images;
  }

  /** Returns its name in requests. */
  public String requestName() {
    return name().toLowerCase(Locale.ROOT);
  }
}
