/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.SegmentReader;
import org.apache.lucene.index.Terms;
import org.apache.lucene.util.IORunnable;
import org.luceneoffload.codec.term.TermHash;

/** The fields of a segment that have device lists, that have lost them, and that never had any. */
public final class SegmentLists {
  private final SortedSet<String> without = new TreeSet<>();
  private final Map<SegmentImage, SortedSet<String>> lost = new LinkedHashMap<>();
  private final Map<TermHash, SortedSet<String>> hashes = new LinkedHashMap<>();
  private final Sidecar sidecar;
  private long postings;

  private SegmentLists(Sidecar sidecar) {
    this.sidecar = sidecar;
  }

  /**
   * Looks at a segment that was opened with a device.
   *
   * @param verify whether to read all that is on the device, and find damage by its checksums;
   *     damage found marks the image bad for all who share {@code reader}
   */
  public static SegmentLists of(SegmentReader reader, boolean verify) throws IOException {
    Sidecar sidecar = Sidecars.find(reader);
    SegmentLists lists = new SegmentLists(sidecar);
    if (verify && sidecar != null && sidecar.image().usable()) {
      verify(sidecar::checkIntegrity, sidecar.image());
    }
    SegmentImage verified = null;
    for (FieldInfo field : reader.getFieldInfos()) {
      Terms terms = field.getIndexOptions() == IndexOptions.NONE ? null : reader.terms(field.name);
      if (terms == null) {
        continue;
      }
      lists.postings += terms.getSumDocFreq();
      if (!(terms instanceof OffloadTerms ours)) {
        lists.without.add(field.name);
        continue;
      }
      if (verify && ours.image() != verified) {
        verified = ours.image();
        verify(verified::checkIntegrity, verified);
      }
      if (ours.segmentHash() != null) {
        lists.hashes.computeIfAbsent(ours.segmentHash(), unused -> new TreeSet<>()).add(field.name);
      }
      if (ours.image().usable()) {
        continue;
      }
      if (ours.image().stamp() == 0) {
        lists.without.add(field.name);
      } else if (!(DeviceTerms.of(reader, field.name) instanceof OffloadTerms imported)
          || !imported.image().usable()) {
        lists.lost.computeIfAbsent(ours.image(), unused -> new TreeSet<>()).add(field.name);
      }
    }
    if (verify) {
      lists.hashes.keySet().forEach(TermHash::checkIntegrity);
    }
    lists.hashes.keySet().removeIf(hash -> hash.unusableReason() == null);
    return lists;
  }

  /** Runs a check for damage, which strict options do not make an error here. */
  private static void verify(IORunnable check, SegmentImage image) throws IOException {
    try {
      check.run();
    } catch (IOException e) {
      if (image.usable()) {
        throw e;
      }
    }
  }

  /**
   * Returns the fields that were written without device lists, those that have been imported
   * included.
   */
  public SortedSet<String> without() {
    return without;
  }

  /**
   * Returns the fields that were written with device lists which cannot be used now, by their
   * image; those left out that an import has given other ones.
   */
  public Map<SegmentImage, SortedSet<String>> lost() {
    return lost;
  }

  /**
   * Returns the term hashes that the segment was written with and cannot be used now, by their
   * fields.
   */
  Map<TermHash, SortedSet<String>> lostHashes() {
    return hashes;
  }

  /** Returns whether a term hash that the segment was written with cannot be used now. */
  public boolean hasLostHashes() {
    return !hashes.isEmpty();
  }

  /** Returns whether lists lie beside the segment and can be used. */
  public boolean isImported() {
    return sidecar != null && sidecar.image().usable();
  }

  /**
   * Returns why the lists beside the segment cannot be used; null if they can, or there are none.
   */
  public String importDamage() {
    return sidecar == null ? null : sidecar.image().unusableReason();
  }

  /** Returns the number of postings of the segment. */
  public long postings() {
    return postings;
  }
}
