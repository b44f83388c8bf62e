/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store.node;

import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.util.NamedThreadFactory;
import org.luceneoffload.config.OffloadOptions.IndexCache;
import org.luceneoffload.report.OffloadStats;
import org.luceneoffload.report.OffloadStats.Counter;

/**
 * Pages of a node in memory, for all indexes on it that are open. A page enters as one that was not
 * used, and stays if it is asked for once more before its turn comes: what is read once, such as a
 * file that is merged, drives out nothing that is used. Behind it there may be a {@link
 * CacheFolder}.
 *
 * <p>All methods may be called from several threads. A page that several want is read once.
 */
final class NodeCache implements Closeable {
  private static final int MIN_PAGES = 256;
  private static final int MAX_PAGES = 1 << 28;
  private static final int AHEAD_THREADS = 4;
  private static final int AHEAD_QUEUE = 256;
  private static final long IDLE_SECONDS = 5;

  /** A page by what it says of itself. */
  private record Key(long stamp, int number) {}

  /** A page that is there, or that a thread reads. */
  private static final class Entry {
    private final Key key;
    private boolean used; // any thread; a lost note only makes the page leave earlier
    private volatile byte[] page;
    private IOException failure; // guarded by the monitor of this object

    Entry(Key key) {
      this.key = key;
    }

    synchronized void end(byte[] read, IOException why) {
      page = read;
      failure = why;
      notifyAll();
    }

    /** Returns the page, once it is there; null if it was not read after all. */
    byte[] await() {
      byte[] there = page;
      return there != null ? there : awaitEnd();
    }

    private synchronized byte[] awaitEnd() {
      boolean interrupted = false;
      while (page == null && failure == null) {
        try {
          wait();
        } catch (InterruptedException e) {
          interrupted = true; // as with any other read
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
      return page;
    }
  }

  private final ConcurrentHashMap<Key, Entry> entries = new ConcurrentHashMap<>();
  private final Entry[] ring; // guarded by itself
  private int hand; // guarded by ring
  private final CacheFolder folder; // null if there is none
  private final OffloadStats stats;
  private final ThreadPoolExecutor ahead;

  NodeCache(IndexCache bounds, OffloadStats stats) throws IOException {
    this.ring = new Entry[Math.clamp(bounds.bytes() / NodePage.BYTES, MIN_PAGES, MAX_PAGES)];
    this.folder =
        bounds.folder() == null ? null : new CacheFolder(bounds.folder(), bounds.folderBytes());
    this.stats = stats;
    NamedThreadFactory names = new NamedThreadFactory("offload-read-ahead");
    this.ahead =
        new ThreadPoolExecutor(
            AHEAD_THREADS,
            AHEAD_THREADS,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(AHEAD_QUEUE),
            work -> {
              Thread thread = names.newThread(work);
              thread.setDaemon(true);
              return thread;
            });
    ahead.allowCoreThreadTimeOut(true);
  }

  /**
   * Returns a page, which is not to be changed.
   *
   * @param run how many pages to read in one go if this one is not there
   */
  byte[] page(NodeFile file, int number, int run) throws IOException {
    Key key = new Key(file.stamp(), number);
    while (true) {
      Entry entry = entries.get(key);
      byte[] page = entry == null ? null : entry.await();
      if (page != null) {
        if (!entry.used) {
          entry.used = true;
        }
        stats.increment(Counter.NODE_PAGES_CACHED);
        return page;
      }
      Entry own = new Entry(key);
      if (entries.putIfAbsent(key, own) == null) {
        return load(file, own, run);
      }
    }
  }

  /** Returns whether a page is in memory, or about to be. */
  boolean holds(NodeFile file, int number) {
    return entries.containsKey(new Key(file.stamp(), number));
  }

  /** Has another thread read pages, if one is free, without a wait for them. */
  void readAhead(NodeFile file, int number, int count) {
    try {
      ahead.execute(() -> readQuietly(file, number, count));
    } catch (RejectedExecutionException e) {
      // Too much is asked for, or the node is closed: it is read when it is needed.
    }
  }

  private void readQuietly(NodeFile file, int number, int count) {
    Key key = new Key(file.stamp(), number);
    Entry own = new Entry(key);
    if (entries.putIfAbsent(key, own) == null) {
      try {
        load(file, own, count);
      } catch (IOException | RuntimeException e) {
        // Who needs the page meets the reason.
      }
    }
  }

  /** Keeps a page that was just written. */
  void put(long stamp, int number, byte[] page) {
    Entry entry = new Entry(new Key(stamp, number));
    entry.end(page, null);
    if (entries.putIfAbsent(entry.key, entry) == null) {
      admit(entry);
    }
  }

  /**
   * Reads the page of an entry that this thread has put, and those behind it that are not in the
   * cache.
   */
  private byte[] load(NodeFile file, Entry first, int run) throws IOException {
    Entry[] claimed = new Entry[Math.min(run, file.pages() - first.key.number())];
    claimed[0] = first;
    int count = 1;
    byte[] own = fromFolder(first);
    if (own != null) {
      return own;
    }
    while (count < claimed.length) {
      Entry next = new Entry(new Key(file.stamp(), first.key.number() + count));
      if (entries.putIfAbsent(next.key, next) != null) {
        break;
      }
      if (fromFolder(next) != null) {
        break; // so are those behind it, most likely
      }
      claimed[count++] = next;
    }
    Entry[] wanted = Arrays.copyOf(claimed, count);
    int done = 0;
    IOException failure = null;
    try {
      byte[][] pages = file.readPages(first.key.number(), count);
      stats.add(Counter.NODE_PAGES_READ, count);
      for (; done < count; done++) {
        wanted[done].end(pages[done], null);
        admit(wanted[done]);
        if (folder != null) {
          folder.write(file.stamp(), wanted[done].key.number(), pages[done]);
        }
      }
      return pages[0];
    } catch (IOException e) {
      failure = e;
      throw e;
    } finally {
      for (int i = done; i < count; i++) {
        entries.remove(wanted[i].key, wanted[i]);
        wanted[i].end(null, failure != null ? failure : new IOException("not read"));
      }
    }
  }

  private byte[] fromFolder(Entry entry) {
    byte[] page = folder == null ? null : new byte[NodePage.BYTES];
    if (page == null || !folder.read(entry.key.stamp(), entry.key.number(), page)) {
      return null;
    }
    stats.increment(Counter.NODE_PAGES_FROM_FOLDER);
    entry.end(page, null);
    admit(entry);
    return page;
  }

  /** Gives an entry a place, and takes it from one that was not used since its last turn. */
  private void admit(Entry entry) {
    Entry out;
    synchronized (ring) {
      while (ring[hand] != null && ring[hand].used) {
        ring[hand].used = false;
        hand = (hand + 1) % ring.length;
      }
      out = ring[hand];
      ring[hand] = entry;
      hand = (hand + 1) % ring.length;
    }
    if (out != null) {
      entries.remove(out.key, out);
    }
  }

  /** Returns the number of pages in memory, those being read included. */
  int size() {
    return entries.size();
  }

  @Override
  public void close() throws IOException {
    ahead.shutdownNow();
    entries.clear();
    if (folder != null) {
      folder.close();
    }
  }
}
