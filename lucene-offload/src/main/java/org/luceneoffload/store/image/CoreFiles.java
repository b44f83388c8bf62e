/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store.image;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.index.IndexReader.CacheHelper;
import org.apache.lucene.index.IndexReader.CacheKey;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.index.SegmentReader;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.util.IOUtils;

/**
 * What lies beside the segments that are open, of one kind: found when first asked for, closed with
 * the segment's core. Of several that ask at once, none waits for another. Whether there is
 * anything is asked again only after this process has imported, repaired or detached something.
 *
 * @param <T> what is opened
 */
public final class CoreFiles<T extends Closeable> {
  /** Opens what lies beside a segment. */
  @FunctionalInterface
  public interface Opener<T> {
    /**
     * Opens it.
     *
     * @param before what was found before, and is to be returned again if it is still good; null:
     *     nothing
     * @return null if nothing is there
     * @throws AlreadyClosedException if the directory is closed, though its readers may be open
     */
    T open(SegmentInfo segment, ImageDirectory directory, T before) throws IOException;
  }

  /** The state of a core; replaced as a whole. */
  private record Known<T>(int generation, T value) {}

  /** What was opened for one open core. */
  private static final class Core<T extends Closeable> {
    private volatile Known<T> known;
    private final List<T> opened = new ArrayList<>(1); // guarded by this

    /** Makes a value, or null, known unless one is already; returns the one that is. */
    synchronized T publish(int when, T found) {
      Known<T> already = known;
      if (already != null && already.generation - when >= 0) {
        return already.value;
      }
      if (found != null && !opened.contains(found)) {
        opened.add(found);
      }
      known = new Known<>(when, found);
      return found;
    }

    synchronized boolean isOpened(T value) {
      return opened.contains(value);
    }
  }

  private static volatile int generation;

  private final Opener<T> opener;
  private final Map<CacheKey, Core<T>> cores = new ConcurrentHashMap<>();

  /** Files that {@code opener} opens. */
  public CoreFiles(Opener<T> opener) {
    this.opener = opener;
  }

  /** Has everything looked at anew by the searchers that are made from now on. */
  public static synchronized void changed() {
    generation++; // volatile, and written here alone
  }

  /** Returns what lies beside a segment; null if nothing, or it was opened without a device. */
  public T find(SegmentReader reader) throws IOException {
    SegmentInfo segment = reader.getSegmentInfo().info;
    ImageDirectory directory = ImageDirectory.find(segment.dir);
    if (directory == null || directory.handle() == null) {
      return null;
    }
    CacheHelper helper = reader.getCoreCacheHelper();
    Core<T> core = cores.get(helper.getKey());
    Known<T> known = core == null ? null : core.known;
    return known != null && known.generation == generation
        ? known.value
        : look(reader, helper, segment, directory);
  }

  private T look(
      SegmentReader reader, CacheHelper helper, SegmentInfo segment, ImageDirectory directory)
      throws IOException {
    if (!reader.tryIncRef()) {
      return null; // closed: nothing may be kept for a core that will not be closed again
    }
    try {
      Core<T> core = cores.get(helper.getKey());
      if (core == null) {
        Core<T> added = new Core<>();
        core = cores.putIfAbsent(helper.getKey(), added);
        if (core == null) {
          core = added;
          helper.addClosedListener(this::closed);
        }
      }
      int now = generation;
      Known<T> known = core.known;
      if (known != null && known.generation == now) {
        return known.value;
      }
      // Files and the device are read without a lock, by each who comes meanwhile.
      T opened = open(segment, directory, known == null ? null : known.value);
      T first = core.publish(now, opened);
      if (first != opened && !core.isOpened(opened)) {
        IOUtils.close(opened);
      }
      return first;
    } finally {
      reader.decRef();
    }
  }

  private T open(SegmentInfo segment, ImageDirectory directory, T before) throws IOException {
    try {
      return opener.open(segment, directory, before);
    } catch (AlreadyClosedException e) {
      return before; // the directory is closed, the reader is not yet
    }
  }

  private void closed(CacheKey key) throws IOException {
    Core<T> core = cores.remove(key);
    if (core != null) {
      synchronized (core) {
        IOUtils.close(core.opened);
      }
    }
  }
}
