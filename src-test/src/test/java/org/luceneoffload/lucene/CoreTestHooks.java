/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.lucene;

import com.carrotsearch.randomizedtesting.RandomizedContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.EnumMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.PostingsFormat;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.search.similarities.Similarity;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.codec.Offload104PostingsFormat;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.Devices;
import org.luceneoffload.report.OffloadStats;

/**
 * The methods that Lucene's test framework calls, once build-tools have put the calls into a copy
 * of it. System properties say what is done:
 *
 * <dl>
 *   <dt>{@code offload.core.device}
 *   <dd>{@code sim}: all directories of a test class lie over one simulated device; {@code none};
 *       {@code stock}: nothing of this project takes part
 *   <dt>{@code offload.core.similarity}
 *   <dd>of {@code newSearcher} and {@code newIndexWriterConfig}: {@code lucene}, Lucene's random
 *       one; {@code bm25}; {@code mixed}, one or the other by the seed
 *   <dt>{@code offload.core.wrap}
 *   <dd>{@code true}: {@code newSearcher} may wrap reader and searcher in asserting and other ones,
 *       most of which hide the device's terms, and set a random caching policy; {@code false}: it
 *       does not; {@code mixed}
 * </dl>
 */
public final class CoreTestHooks {
  private static final String DEVICE = System.getProperty("offload.core.device", "sim");
  private static final String SIMILARITY = System.getProperty("offload.core.similarity", "mixed");
  private static final boolean ON_STOCK = DEVICE.equals("stock");
  private static final String WRAP = System.getProperty("offload.core.wrap", "mixed");

  /** Counters of the class at hand, of every device that it used. */
  private static final Set<OffloadStats> STATS =
      Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));

  private static Device device;
  private static OffloadDirectory keeper; // keeps the device's handle, and so its counters
  private static Path store;

  private CoreTestHooks() {}

  /** Opens the device for the test class that comes next. */
  static synchronized void beginClass() throws IOException {
    if (!DEVICE.equals("sim")) {
      return;
    }
    store = Files.createTempFile("core-test-device", ".vol");
    device =
        Devices.provider("sim")
            .openForWriting(
                "capacity=512m,dram=1m,store=" + store, store.toAbsolutePath().getParent());
    keeper = OffloadDirectory.wrap(new ByteBuffersDirectory(), device);
    count(keeper.stats());
  }

  /**
   * Closes the device.
   *
   * @param counters what the class counted is added here
   * @param reasons why something ran on the host: likewise
   * @throws IOException if the device is still in use
   */
  static synchronized void endClass(
      Map<OffloadStats.Counter, Long> counters, Map<String, Long> reasons) throws IOException {
    synchronized (STATS) {
      for (OffloadStats stats : STATS) {
        stats.snapshot().forEach((counter, n) -> counters.merge(counter, n, Long::sum));
        stats.reasons().forEach((reason, n) -> reasons.merge(reason, n, Long::sum));
      }
      STATS.clear();
    }
    if (device == null) {
      return;
    }
    try {
      keeper.close();
      device.close();
    } finally {
      device = null;
      keeper = null;
      Files.deleteIfExists(store);
    }
  }

  /** Lets counters be part of the class's. */
  static void count(OffloadStats stats) {
    STATS.add(stats);
  }

  /** The directory that the framework uses in the place of one that it made. */
  public static synchronized Directory directory(Directory made) {
    if (device == null || OffloadDirectory.find(made) != null) {
      return made;
    }
    try {
      return OffloadDirectory.wrap(made, device);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The similarity that the framework uses in the place of one that it made. */
  public static Similarity similarity(Similarity made) {
    return choose(SIMILARITY.equals("mixed"), SIMILARITY.equals("bm25"), 1)
        ? new BM25Similarity()
        : made;
  }

  /** The codec that the framework uses in the place of the default one. */
  public static Codec codec(Codec made) {
    return ON_STOCK ? made : new OffloadCodec();
  }

  /** The postings format that the framework uses in the place of the default one. */
  public static PostingsFormat postingsFormat(PostingsFormat made) {
    return ON_STOCK ? made : new Offload104PostingsFormat();
  }

  /** Returns whether {@code newSearcher} may wrap reader and searcher. */
  public static boolean wrap() {
    return choose(WRAP.equals("mixed"), WRAP.equals("true"), 2);
  }

  /** The value; if it is mixed, one that depends on the seed alone and takes nothing from it. */
  private static boolean choose(boolean mixed, boolean value, int bit) {
    if (!mixed) {
      return value;
    }
    RandomizedContext context = RandomizedContext.current();
    int hash = (context.getRunnerSeedAsString() + context.getTargetClass().getName()).hashCode();
    return (hash * 0x9E3779B9 >>> 16 & bit) != 0;
  }

  /** Empty counters. */
  static Map<OffloadStats.Counter, Long> noCounters() {
    return new EnumMap<>(OffloadStats.Counter.class);
  }
}
