/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store.volume;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.store.ByteBuffersDataOutput;
import org.luceneoffload.device.Device;
import org.luceneoffload.wire.OffloadWire;

/**
 * The file table of a volume, which a snapshot of {@link VolumeMetadata} holds: file count (4) and
 * per file: length in bytes (8), extent count (4), per extent LBA (8) and pages (4); name count
 * (2), per name bytes (2) and UTF-8.
 *
 * <p>A volume that holds files of an index has tables of a second form: behind a file's length are
 * its stamp (8) and the number of the first snapshot that has no name for it (8), 0 while it has
 * one: it is kept for readers that began before. An extent count of -1 says that the bytes of the
 * file follow in its place.
 *
 * <p>A name that begins with {@value #USER_PREFIX} names no file but a user of the volume, see
 * {@link Volume#addUser}; such names share a file of no bytes. One that begins with {@value
 * #SPACE_PREFIX} is a file of no bytes, too, but has LBAs: those that the writer of the index has
 * for files to come, and for ones that it writes. Earlier versions take it for a file, and leave it
 * alone.
 *
 * @param sequence number of the snapshot; 0: nothing was written yet
 * @param names the files by their names
 * @param users who uses the volume
 * @param gone files without a name that somebody may still read
 * @param spaces LBAs that nobody but the writer of an index gives to files, by the index
 */
record FileTable(
    long sequence,
    Map<String, VolumeFile> names,
    Set<String> users,
    List<GoneFile> gone,
    Map<String, List<Extent>> spaces) {
  private static final String USER_PREFIX = "used-by ";
  private static final String SPACE_PREFIX = "space-of ";
  private static final int INLINE = -1; // in place of an extent count
  private static final int MAX_NAME_BYTES = 255;

  /** Makes an empty table. */
  FileTable(long sequence) {
    this(sequence, new HashMap<>(), new TreeSet<>(), new ArrayList<>(), new TreeMap<>());
  }

  /** Returns whether only the second form can have all of the files. */
  boolean hasSecondForm() {
    return !gone.isEmpty()
        || names.values().stream().anyMatch(file -> file.stamp != 0 || file.inline != null);
  }

  /** Returns the number of names in the encoded table. */
  int nameCount() {
    return names.size() + users.size() + spaces.size();
  }

  /** Encodes the table. */
  byte[] encode() {
    Map<VolumeFile, List<String>> files = new HashMap<>();
    names.forEach((name, file) -> files.computeIfAbsent(file, f -> new ArrayList<>(1)).add(name));
    if (!users.isEmpty()) {
      VolumeFile empty = new VolumeFile(List.of(), 0);
      files.put(empty, users.stream().map(USER_PREFIX::concat).toList());
    }
    spaces.forEach(
        (index, space) -> files.put(new VolumeFile(space, 0), List.of(SPACE_PREFIX + index)));
    boolean second = hasSecondForm();
    ByteBuffersDataOutput out = new ByteBuffersDataOutput();
    out.writeInt(files.size() + gone.size());
    files.forEach((file, itsNames) -> encode(out, second, file, 0, itsNames));
    for (GoneFile file : gone) {
      encode(out, second, new VolumeFile(file.extents(), 0), file.since(), List.of());
    }
    return out.toArrayCopy();
  }

  private static void encode(
      ByteBuffersDataOutput out,
      boolean second,
      VolumeFile file,
      long goneSince,
      Collection<String> names) {
    out.writeLong(file.length);
    if (second) {
      out.writeLong(file.stamp);
      out.writeLong(goneSince);
    }
    if (file.inline != null) {
      out.writeInt(INLINE);
      out.writeBytes(file.inline, 0, file.inline.length);
    } else {
      out.writeInt(file.extents.size());
      for (Extent extent : file.extents) {
        out.writeLong(extent.lba());
        out.writeInt(extent.pageCount());
      }
    }
    out.writeShort((short) names.size());
    for (String name : names) {
      byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
      out.writeShort((short) bytes.length);
      out.writeBytes(bytes, 0, bytes.length);
    }
  }

  /**
   * Decodes a table.
   *
   * @param in the table; the exceptions of a buffer that ends early are the caller's
   * @param second whether it is of the second form
   * @param firstLba the first LBA that files may use
   */
  static FileTable decode(
      long sequence, ByteBuffer in, boolean second, Device device, long firstLba)
      throws CorruptIndexException {
    FileTable table = new FileTable(sequence);
    for (int files = in.getInt(); files > 0; files--) {
      long length = in.getLong();
      long stamp = second ? in.getLong() : 0;
      long goneSince = second ? in.getLong() : 0;
      int count = in.getInt();
      VolumeFile file =
          second && count == INLINE
              ? new VolumeFile(inline(in, length, device))
              : new VolumeFile(extents(in, count, length, device, firstLba), length, stamp);
      file.lastSequence = sequence;
      if (goneSince != 0) {
        table.gone.add(new GoneFile(goneSince, file.extents));
      }
      table.decodeNames(in, file, device);
    }
    return table;
  }

  private static byte[] inline(ByteBuffer in, long length, Device device)
      throws CorruptIndexException {
    if (length < 0 || length > in.remaining()) {
      throw VolumeMetadata.corrupt(device, "a file of " + length + " bytes in its file table");
    }
    byte[] bytes = new byte[(int) length];
    in.get(bytes);
    return bytes;
  }

  private static List<Extent> extents(
      ByteBuffer in, int extentCount, long length, Device device, long firstLba)
      throws CorruptIndexException {
    List<Extent> extents = new ArrayList<>();
    int filePage = 0;
    for (int count = extentCount; count > 0; count--) {
      long lba = in.getLong();
      int pages = in.getInt();
      if (pages <= 0
          || lba < firstLba
          || lba > device.info().lbaCount() - pages
          || filePage > Integer.MAX_VALUE - pages) {
        throw VolumeMetadata.corrupt(device, "a file lies in " + pages + " LBAs from " + lba);
      }
      extents.add(new Extent(filePage, pages, lba));
      filePage += pages;
    }
    if (length < 0 || length > (long) filePage * OffloadWire.LBA_BYTES) {
      throw VolumeMetadata.corrupt(
          device, "a file of " + length + " bytes has " + filePage + " LBAs");
    }
    return extents;
  }

  private void decodeNames(ByteBuffer in, VolumeFile file, Device device)
      throws CorruptIndexException {
    for (int count = in.getShort() & 0xFFFF; count > 0; count--) {
      byte[] bytes = new byte[in.getShort() & 0xFFFF];
      in.get(bytes);
      String name = new String(bytes, StandardCharsets.UTF_8);
      if (name.startsWith(USER_PREFIX) && file.length == 0) {
        users.add(name.substring(USER_PREFIX.length()));
      } else if (name.startsWith(SPACE_PREFIX) && file.length == 0) {
        spaces.put(name.substring(SPACE_PREFIX.length()), file.extents);
      } else if (names.put(name, file) != null) {
        throw VolumeMetadata.corrupt(device, "two files have one name");
      } else {
        file.links++;
      }
    }
  }

  /** Checks that a name fits into a table, and is that of a file. */
  static void checkName(String name) {
    if (name.startsWith(USER_PREFIX) || name.startsWith(SPACE_PREFIX)) {
      throw new IllegalArgumentException("\"" + name + "\" is no name of a file");
    }
    checkLength(name);
  }

  /** Checks that the name of a user fits into a table. */
  static void checkUser(String user) {
    checkLength(USER_PREFIX + user);
  }

  private static void checkLength(String name) {
    int bytes = name.getBytes(StandardCharsets.UTF_8).length;
    if (bytes == 0 || bytes > MAX_NAME_BYTES) {
      throw new IllegalArgumentException(
          "name must have 1 to " + MAX_NAME_BYTES + " bytes, got \"" + name + "\"");
    }
  }
}
