/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store;

import java.security.SecureRandom;
import org.apache.lucene.index.IndexFileNames;

/** Names of posting image files. */
public final class ImageFiles {
  /** Extension of a posting image. */
  public static final String EXTENSION = "odp";

  /** Extension of the posting image of a segment that is packed into a compound file. */
  public static final String COMPOUND_EXTENSION = "odc";

  /** Codec name in the index header of a posting image. */
  public static final String CODEC = "OffloadPostingImage";

  private static final SecureRandom RANDOM = new SecureRandom();

  private ImageFiles() {}

  /** A random number, not 0, that no other file has. */
  public static long randomNumber() {
    long number;
    do {
      number = RANDOM.nextLong();
    } while (number == 0);
    return number;
  }

  /** Whether a file of this name belongs on the device. */
  public static boolean isImage(String name) {
    return (name.endsWith("." + EXTENSION) || name.endsWith("." + COMPOUND_EXTENSION))
        && IndexFileNames.CODEC_FILE_PATTERN.matcher(name).matches();
  }

  /** Name that the image {@code name} of a segment has once the segment is packed. */
  public static String compoundName(String name) {
    if (!name.endsWith("." + EXTENSION)) {
      throw new IllegalArgumentException("not the name of a posting image: " + name);
    }
    return name.substring(0, name.length() - EXTENSION.length()) + COMPOUND_EXTENSION;
  }
}
