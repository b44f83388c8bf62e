/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.util;

import java.util.Locale;
import org.apache.lucene.util.Version;

/** Says whether the Lucene that is here is one that this library runs with. */
public final class LuceneVersion {
  private static final int MAJOR = 10;

  /** The first minor release with all that is called. */
  private static final int MIN_MINOR = 5;

  private LuceneVersion() {}

  /**
   * Returns why no device can be used with the Lucene that is here, a sentence that names both
   * versions, or null if one can.
   */
  public static String unfit() {
    Version here = Version.LATEST;
    return here.major == MAJOR && here.minor >= MIN_MINOR
        ? null
        : String.format(
            Locale.ROOT,
            "lucene-offload needs Lucene %d.%d or a later %d.x, and this is Lucene %d.%d",
            MAJOR,
            MIN_MINOR,
            MAJOR,
            here.major,
            here.minor);
  }
}
