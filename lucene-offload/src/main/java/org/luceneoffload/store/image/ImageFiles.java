/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store.image;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.util.StringHelper;

/**
 * Names of image files, and of those that belong to an image beside a segment. The latter begin in
 * a way that Lucene's files never do: neither does an {@code IndexWriter} delete them as left-overs
 * of its own, nor does a commit list them.
 */
public final class ImageFiles {
  /** What log lines about an image that is not there end in. */
  public static final String REMEDY =
      "; the host answers until a repair writes it anew (IndexRepair, 'offload repair')";

  /** Extension of a posting image. */
  public static final String EXTENSION = "odp";

  /** Extension of a column image. */
  public static final String COLUMN_EXTENSION = "odv";

  /** Extension of the file that says which columns are in a column image. */
  public static final String COLUMN_METADATA_EXTENSION = "odm";

  private static final String PACKED = "c";
  private static final String PACKED_WITHOUT_SUFFIX = "_c_0";
  private static final String EARLIER_COMPOUND_EXTENSION = "odc";

  /** Codec name in the index header of a posting image. */
  public static final String CODEC = "OffloadPostingImage";

  /** Codec name in the index header of a column image. */
  public static final String COLUMN_CODEC = "OffloadColumnImage";

  /** Stub of the image under way that is to take the place of another. */
  public static final String REPLACEMENT = "offload-replacement." + EXTENSION;

  /** Extension of a term hash. */
  public static final String HASH_EXTENSION = "odh";

  /** Term hash under way that is to take the place of another. */
  public static final String HASH_REPLACEMENT = "offload-replacement." + HASH_EXTENSION;

  /** What says which columns there are, under way, that is to take the place of another. */
  public static final String COLUMNS_REPLACEMENT =
      "offload-replacement." + COLUMN_METADATA_EXTENSION;

  /** All files under way. */
  static final List<String> REPLACEMENTS =
      List.of(REPLACEMENT, HASH_REPLACEMENT, COLUMNS_REPLACEMENT);

  private static final Pattern SIDECAR =
      Pattern.compile("offload-([0-9a-f]{" + 2 * StringHelper.ID_LENGTH + "})\\.od[hmpv]");

  private static final Pattern GENERATION = Pattern.compile("_[0-9a-z]+_[0-9a-z]+\\.od[mv]");

  private static final SecureRandom RANDOM = new SecureRandom();

  private ImageFiles() {}

  /** Returns a random number, not 0, that no other file has. */
  public static long randomNumber() {
    long number;
    do {
      number = RANDOM.nextLong();
    } while (number == 0);
    return number;
  }

  /** Returns whether a file of this name belongs on the device. */
  public static boolean isImage(String name) {
    return (name.endsWith("." + EXTENSION)
            || name.endsWith("." + COLUMN_EXTENSION)
            || name.endsWith("." + EARLIER_COMPOUND_EXTENSION))
        && (IndexFileNames.CODEC_FILE_PATTERN.matcher(name).matches()
            || name.equals(REPLACEMENT)
            || sidecarId(name) != null);
  }

  /** Returns what an image of this name is called in messages. */
  public static String kind(String name) {
    return isColumnImage(name) ? "column image" : "posting image";
  }

  /** Returns whether an image of this name holds columns, not lists. */
  public static boolean isColumnImage(String name) {
    return name.endsWith("." + COLUMN_EXTENSION);
  }

  /**
   * Returns whether a file of a segment can be made again from the others: an image, a term hash,
   * or what says which columns there are.
   */
  public static boolean isDerived(String name) {
    return IndexFileNames.CODEC_FILE_PATTERN.matcher(name).matches()
        && (isImage(name)
            || name.endsWith("." + HASH_EXTENSION)
            || name.endsWith("." + COLUMN_METADATA_EXTENSION));
  }

  /**
   * Returns whether a file belongs to the columns of a generation of doc values. A commit lists
   * such files one by one, so that Lucene asks for each, and misses one that is lost; but it does
   * without.
   */
  static boolean isOfGeneration(String name) {
    return GENERATION.matcher(name).matches();
  }

  /**
   * Returns the name of the image beside a segment.
   *
   * @param segmentId ID of the segment
   */
  public static String sidecarImage(byte[] segmentId) {
    return sidecarName(HexFormat.of().formatHex(segmentId), EXTENSION);
  }

  /** Returns the name of the term hash that goes with {@link #sidecarImage}. */
  public static String sidecarHash(byte[] segmentId) {
    return sidecarName(HexFormat.of().formatHex(segmentId), HASH_EXTENSION);
  }

  /** Returns the name of the column image beside a segment. */
  public static String sidecarColumnImage(byte[] segmentId) {
    return sidecarName(HexFormat.of().formatHex(segmentId), COLUMN_EXTENSION);
  }

  /** Returns the name of the file that says which columns are in {@link #sidecarColumnImage}. */
  public static String sidecarColumns(byte[] segmentId) {
    return sidecarName(HexFormat.of().formatHex(segmentId), COLUMN_METADATA_EXTENSION);
  }

  static String sidecarImage(String segmentId) {
    return sidecarName(segmentId, EXTENSION);
  }

  static String sidecarHash(String segmentId) {
    return sidecarName(segmentId, HASH_EXTENSION);
  }

  private static String sidecarName(String segmentId, String extension) {
    return "offload-" + segmentId + "." + extension;
  }

  /**
   * Returns the ID, in hexadecimal, of the segment that a file lies beside; null if it lies beside
   * none.
   */
  public static String sidecarId(String name) {
    Matcher matcher = SIDECAR.matcher(name);
    return matcher.matches() ? matcher.group(1) : null;
  }

  /**
   * Returns the name that the image {@code name} of a segment has once the segment is packed. Like
   * any name, it has one or three parts between underscores: of those of two or four parts, Lucene
   * takes the second for a generation.
   */
  public static String compoundName(String name) {
    String stem = stem(name);
    return stem
        + (stem.lastIndexOf('_') > 0 ? PACKED : PACKED_WITHOUT_SUFFIX)
        + name.substring(stem.length());
  }

  /** Returns the name that {@link #compoundName} gave in earlier versions. */
  public static String earlierCompoundName(String name) {
    return stem(name) + "." + EARLIER_COMPOUND_EXTENSION;
  }

  /**
   * Returns the segment suffix in the header of a segment's own image, which for a column image is
   * empty or a generation: packing renames the image and leaves its bytes as they are.
   */
  public static String segmentSuffix(String name) {
    String suffix = IndexFileNames.stripExtension(IndexFileNames.stripSegmentName(name));
    if (suffix.equals(PACKED_WITHOUT_SUFFIX) || suffix.isEmpty()) {
      return "";
    }
    // Suffixes of formats by field end with a number. Generations end with anything, and are never
    // packed.
    boolean packed = suffix.endsWith(PACKED) && !isColumnImage(name);
    int end = packed ? suffix.length() - PACKED.length() : suffix.length();
    return suffix.substring(1, end);
  }

  private static String stem(String name) {
    if (!name.endsWith("." + EXTENSION) && !isColumnImage(name)) {
      throw new IllegalArgumentException("not the name of an image: " + name);
    }
    return IndexFileNames.stripExtension(name);
  }
}
