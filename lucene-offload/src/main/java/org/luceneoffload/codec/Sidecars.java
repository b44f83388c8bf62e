/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.index.CodecReader;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.FilterCodecReader;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.IndexReader.CacheHelper;
import org.apache.lucene.index.IndexReader.CacheKey;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.index.SegmentReader;
import org.apache.lucene.index.Terms;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.util.IOUtils;
import org.luceneoffload.store.image.ImageDirectory;

/**
 * The lists beside the segments that are open: found when a searcher first asks, closed with the
 * segment's core. Of several that ask at once, none waits for another. Whether there is anything is
 * asked again only after this process has imported, repaired or detached something.
 */
public final class Sidecars {
  /** The state of a core; replaced as a whole. */
  private record Known(int generation, Sidecar sidecar) {}

  /** The sidecars of one open core. */
  private static final class Core {
    private volatile Known known;
    private final List<Sidecar> opened = new ArrayList<>(1); // guarded by this

    /** Makes a sidecar, or null, known unless one is already; returns the one that is. */
    synchronized Sidecar publish(int when, Sidecar found) {
      Known already = known;
      if (already != null && already.generation - when >= 0) {
        return already.sidecar;
      }
      if (found != null) {
        opened.add(found);
      }
      known = new Known(when, found);
      return found;
    }
  }

  private static final Map<CacheKey, Core> CORES = new ConcurrentHashMap<>();
  private static volatile int generation;

  private Sidecars() {}

  /** Has every segment looked at anew by the searchers that are made from now on. */
  public static synchronized void changed() {
    generation++; // volatile, and written here alone
  }

  /**
   * The imported terms of a field.
   *
   * @param reader a segment's reader, or one that filters it
   * @param terms what it returns for the field, not null
   * @return null if the field was not imported, or {@code reader} shows other terms than its
   *     segment has
   */
  static OffloadTerms terms(LeafReader reader, String field, Terms terms) throws IOException {
    SegmentReader segment = segment(reader);
    if (segment == null) {
      return null;
    }
    Sidecar sidecar = find(segment);
    if (sidecar == null || (reader != segment && segment.terms(field) != terms)) {
      return null;
    }
    FieldInfo info = segment.getFieldInfos().fieldInfo(field);
    return info == null ? null : sidecar.terms(info, terms);
  }

  /** The reader of the segment that a reader shows, filtered or not; null if it shows none. */
  public static SegmentReader segment(LeafReader reader) {
    LeafReader at = reader;
    while (true) {
      LeafReader next = FilterLeafReader.unwrap(at);
      if (next instanceof CodecReader codecReader) {
        next = FilterCodecReader.unwrap(codecReader);
      }
      if (next == at) {
        return at instanceof SegmentReader segment ? segment : null;
      }
      at = next;
    }
  }

  /**
   * Returns the lists beside a segment; null if there are none, or it was opened without a device.
   */
  public static Sidecar find(SegmentReader reader) throws IOException {
    SegmentInfo segment = reader.getSegmentInfo().info;
    ImageDirectory directory = ImageDirectory.find(segment.dir);
    if (directory == null || directory.handle() == null) {
      return null;
    }
    CacheHelper helper = reader.getCoreCacheHelper();
    Core core = CORES.get(helper.getKey());
    Known known = core == null ? null : core.known;
    if (known != null
        && (known.generation == generation
            || (known.sidecar != null && known.sidecar.image().usable()))) {
      return known.sidecar;
    }
    return look(reader, helper, segment, directory);
  }

  private static Sidecar look(
      SegmentReader reader, CacheHelper helper, SegmentInfo segment, ImageDirectory directory)
      throws IOException {
    if (!reader.tryIncRef()) {
      return null; // closed: nothing may be kept for a core that will not be closed again
    }
    try {
      Core core = CORES.get(helper.getKey());
      if (core == null) {
        Core added = new Core();
        core = CORES.putIfAbsent(helper.getKey(), added);
        if (core == null) {
          core = added;
          helper.addClosedListener(Sidecars::closed);
        }
      }
      int now = generation;
      Known known = core.known;
      if (known != null && known.generation == now) {
        return known.sidecar;
      }
      // Files and the device are read without a lock, by each who comes meanwhile.
      Sidecar opened = open(segment, directory);
      Sidecar first = core.publish(now, opened);
      if (first != opened) {
        IOUtils.close(opened);
      }
      return first;
    } finally {
      reader.decRef();
    }
  }

  private static Sidecar open(SegmentInfo segment, ImageDirectory directory) throws IOException {
    try {
      return Sidecar.open(segment, directory);
    } catch (
        @SuppressWarnings("unused")
        AlreadyClosedException e) {
      return null; // the directory is closed, the reader is not yet
    }
  }

  private static void closed(CacheKey key) throws IOException {
    Core core = CORES.remove(key);
    if (core != null) {
      synchronized (core) {
        IOUtils.close(core.opened);
      }
    }
  }
}
