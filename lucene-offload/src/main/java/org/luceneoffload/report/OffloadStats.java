/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.report;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.wire.OffloadWire;

/**
 * Counters of one device, shared by every directory, reader and searcher that uses it. Counting is
 * cheap and may happen on any thread; a snapshot is not atomic over counters.
 */
public final class OffloadStats {
  /** The counters. */
  public enum Counter {
    /** Posting images written in full. */
    IMAGES_WRITTEN,
    /** Bytes of posting images written to the device. */
    IMAGE_BYTES_WRITTEN,
    /** Posting images given up while they were written: device error or device full. */
    IMAGES_DROPPED,
    /** Segments written without a posting image, since the device could not be written. */
    IMAGES_UNWRITTEN,
    /** Segments opened with a usable posting image. */
    IMAGES_OPENED,
    /** Segments opened without a posting image on the device; the host answers for them. */
    IMAGES_MISSING,
    /** Posting images found stale or damaged; the host answers from then on. */
    IMAGES_BAD,
    /** Term hashes missing or damaged; terms are looked up in the dictionary from then on. */
    TERM_HASHES_UNUSABLE,
    /** Failed attempts to make the volume's metadata durable. */
    VOLUME_SYNC_FAILURES,
    /** Pages of Lucene's files that were read from a storage node. */
    NODE_PAGES_READ,
    /** Pages of Lucene's files that were in memory when they were needed. */
    NODE_PAGES_CACHED,
    /** Pages of Lucene's files that were in the cache folder when they were needed. */
    NODE_PAGES_FROM_FOLDER,
    /** Pages of Lucene's files that were written to a storage node. */
    NODE_PAGES_WRITTEN,
    /** Queries, or parts of queries, that the compiler made plans of. */
    QUERIES_COMPILED,
    /** Queries that the compiler refused; see the reasons. */
    QUERIES_REFUSED,
    /** Bytes of the posting pages behind the offloaded segments: what a host would read. */
    LIST_BYTES,
    /** Times that the docs of a union were on the device already, one a segment and plan. */
    UNION_SETS_HIT,
    /** Unions whose docs were found and put on the device. */
    UNION_SETS_BUILT,
    /** Unions whose docs were dropped for others, or since the device had no room. */
    UNION_SETS_EVICTED,
    /** Bytes of the docs of unions that were put on the device. */
    UNION_SET_BYTES,
    /** Plans that the device answered, one a segment and result page. */
    PLANS_EXECUTED,
    /** Plans that the device refused or failed. */
    PLANS_FAILED,
    /**
     * Plans that were stopped since they took longer than the device's timeout, or than a quarter
     * of it while others waited for a session.
     */
    PLANS_TOO_LONG,
    /** Times that a plan waited for a session, whether it got one or not. */
    PLANS_QUEUED,
    /** How long these waits were together, in nanoseconds; a wait counts when it is over. */
    QUEUED_NANOS,
    /** Plans that device and host shared, window by window. */
    PLANS_SPLIT,
    /** Windows of such plans that the device did. */
    WINDOWS_ON_DEVICE,
    /** Windows that the device refused, since its task queue was full; the host did them. */
    WINDOWS_RAW,
    /** Windows that waited in the device when the host had done its own; the host did them. */
    WINDOWS_HANDED_BACK,
    /** Of both, windows that stock Lucene did, since there is no engine in the process. */
    WINDOWS_BY_STOCK,
    /**
     * Plans that the device did alone, since there is no engine in the process, and stock Lucene
     * does not do windows of such plans; see the reasons.
     */
    PLANS_UNSHARED,
    /** Segments of queries that the device answered. */
    LEAVES_OFFLOADED,
    /** Segments of queries that could not be offloaded, or were better not; see the reasons. */
    LEAVES_ON_HOST,
    /** Segments of queries that the host answered because the device failed. */
    LEAVES_FALLEN_BACK,
    /** Times that the circuit breaker opened, since the device hung or failed again and again. */
    BREAKER_OPENED,
    /** Probes of a device whose circuit breaker was open: does it work again? */
    BREAKER_PROBES,
    /** Times that the circuit breaker became half-open, since the device answered a probe. */
    BREAKER_HALF_OPENED,
    /** Calls of a device that were given up before they returned. */
    CALLS_ABANDONED,
    /** Bytes of plans and live docs sent to the device. */
    BYTES_TO_DEVICE,
    /** Bytes of result pages that came back. */
    BYTES_FROM_DEVICE,
    /** Posting pages that the device visited. */
    PAGES_READ,
    /**
     * Pages of lists of several pages, and of columns that filter, that the device did not read.
     */
    PAGES_SKIPPED,
    /** Posting blocks that the device decoded. */
    BLOCKS_DECODED,
    /** Posting blocks that the device stepped over. */
    BLOCKS_SKIPPED,
    /** Postings that the device decoded. */
    POSTINGS_DECODED,
    /** Postings that the device scored. */
    DOCS_SCORED,
    /** Pages that plans found in device memory. */
    MEMORY_HITS,
    /** Pages that were read from the store into device memory. */
    MEMORY_LOADS,
    /** Of these, pages that were known from before, so that they were not checked in full. */
    MEMORY_RELOADS,
    /** Pages that left device memory for others. */
    MEMORY_EVICTIONS,
    /** Pages that plans asked for before they were to use them. */
    MEMORY_ASKED,
    /** Bytes that were read from the store into device memory. */
    MEMORY_BYTES_READ,
    /**
     * Of the loads, pages that the device had read, or begun to, by itself ({@code direct=true}).
     */
    MEMORY_READ_AHEAD,
    /** Reads ahead of the device itself, each of pages that lie together. */
    READS_AHEAD,
    /** The most pages that such reads had under way at once; a maximum that only grows. */
    READS_DEEPEST,
  }

  /** What is counted: every counter, then every way that a result page can name. */
  private static final int FIRST_WAY = Counter.values().length;

  private static final int COUNTS = FIRST_WAY + (1 << Byte.SIZE - OffloadWire.WAY_SHIFT);

  /**
   * Counters that one thread at a time adds to, so that adding takes no atomic operation: what is
   * handed from thread to thread, such as a session, has its own. They are part of the device's.
   */
  public static final class Share {
    private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);

    /** Longs before the first count and after the last, to keep other objects' writes away. */
    private static final int MARGIN = 8;

    private final long[] counts = new long[MARGIN + COUNTS + MARGIN];

    private Share() {}

    /**
     * Adds {@code amount}.
     *
     * @param counter which one
     * @param amount what is added
     */
    public void add(Counter counter, long amount) {
      add(counter.ordinal(), amount);
    }

    /**
     * Counts a result page, by the way in which the device found its matches.
     *
     * @param way a value of {@link org.luceneoffload.wire.OffloadWire.Way}
     */
    public void addWay(int way) {
      add(FIRST_WAY + way, 1);
    }

    private void add(int count, long amount) {
      int at = MARGIN + count;
      // Readers on other threads get either value, never half of each.
      LONGS.setOpaque(counts, at, counts[at] + amount);
    }

    private long get(int count) {
      return (long) LONGS.getOpaque(counts, MARGIN + count);
    }
  }

  /** Counters that the device itself keeps. */
  @FunctionalInterface
  public interface Source {
    /**
     * {@return the value of a counter; 0 if it does not keep that} Never decreases.
     *
     * @param counter which one
     */
    long get(Counter counter);
  }

  private static final int MAX_REASONS = 1000;

  private final LongAdder[] counters = new LongAdder[COUNTS];
  private volatile Source source = counter -> 0;
  private final List<Share> shares = new ArrayList<>();
  private final Map<String, LongAdder> refusals = new ConcurrentHashMap<>();
  private final Map<String, LongAdder> fallbacks = new ConcurrentHashMap<>();
  private final Map<String, LongAdder> troubles = new ConcurrentHashMap<>();

  /** Starts all counters at zero. */
  public OffloadStats() {
    for (int i = 0; i < counters.length; i++) {
      counters[i] = new LongAdder();
    }
  }

  /**
   * Adds one.
   *
   * @param counter which one
   */
  public void increment(Counter counter) {
    counters[counter.ordinal()].increment();
  }

  /**
   * Adds {@code amount}.
   *
   * @param counter which one
   * @param amount what is added
   */
  public void add(Counter counter, long amount) {
    if (amount != 0) {
      counters[counter.ordinal()].add(amount);
    }
  }

  /**
   * Counts in what a source has, from now on.
   *
   * @param counted names and counts
   */
  public void follow(Source counted) {
    source = counted;
  }

  /**
   * {@return new counters that are counted in with these until they are retired, and then for good}
   */
  public Share share() {
    Share share = new Share();
    synchronized (shares) {
      shares.add(share);
    }
    return share;
  }

  /**
   * Takes over what was counted in a share, to which nothing may be added any more.
   *
   * @param share of the time
   */
  public void retire(Share share) {
    synchronized (shares) {
      if (shares.remove(share)) {
        for (int count = 0; count < COUNTS; count++) {
          counters[count].add(share.get(count));
        }
      }
    }
  }

  /**
   * {@return the value of a counter}
   *
   * @param counter which one
   */
  public long get(Counter counter) {
    long kept = source.get(counter);
    return kept + get(counter.ordinal());
  }

  private long get(int count) {
    synchronized (shares) {
      long sum = counters[count].sum();
      for (Share share : shares) {
        sum += share.get(count);
      }
      return sum;
    }
  }

  /**
   * {@return in which ways the device found the matches of result pages, and how often; pages that
   * do not say so are left out} The names are those of {@link OffloadWire.Way}.
   */
  public Map<String, Long> ways() {
    Map<String, Long> result = new TreeMap<>();
    for (int way = OffloadWire.Way.UNSAID + 1; way < COUNTS - FIRST_WAY; way++) {
      long pages = get(FIRST_WAY + way);
      if (pages > 0) {
        result.put(OffloadWire.Way.name(way), pages);
      }
    }
    return Collections.unmodifiableMap(result);
  }

  /**
   * Counts a reason why a query, or a segment of one, was not given to the device.
   *
   * @param reason in words without numbers
   */
  public void countRefusal(String reason) {
    count(refusals, reason);
  }

  /**
   * Counts a cause why the host answered in the device's place.
   *
   * @param cause name of the status of the failure
   */
  public void countFallback(String cause) {
    count(fallbacks, cause);
  }

  /**
   * Counts a trouble with an image or the volume, or a plan that was not shared, by its reason.
   *
   * @param reason in words without numbers
   */
  public void countReason(String reason) {
    count(troubles, reason);
  }

  private static void count(Map<String, LongAdder> reasons, String reason) {
    LongAdder adder = reasons.get(reason);
    if (adder == null) {
      // A reason may carry a name; do not let odd callers fill the heap with them.
      String key = reasons.size() < MAX_REASONS ? reason : "other";
      adder = reasons.computeIfAbsent(key, unused -> new LongAdder());
    }
    adder.increment();
  }

  /** {@return why queries, or segments of them, were not given to the device, and how often} */
  public Map<String, Long> refusals() {
    return sums(refusals);
  }

  /** {@return why the host answered in the device's place: names of statuses, and how often} */
  public Map<String, Long> fallbacks() {
    return sums(fallbacks);
  }

  /** {@return what went wrong with images, the volume and shared plans, and how often} */
  public Map<String, Long> troubles() {
    return sums(troubles);
  }

  private static Map<String, Long> sums(Map<String, LongAdder> reasons) {
    Map<String, Long> result = new TreeMap<>();
    reasons.forEach((reason, adder) -> result.put(reason, adder.sum()));
    return Collections.unmodifiableMap(result);
  }

  /**
   * {@return refusals, fallbacks (with {@code device failed:} before them) and troubles in one map}
   */
  public Map<String, Long> reasons() {
    Map<String, Long> result = new TreeMap<>(refusals());
    fallbacks().forEach((cause, count) -> result.put("device failed: " + cause, count));
    troubles().forEach((reason, count) -> result.merge(reason, count, Long::sum));
    return Collections.unmodifiableMap(result);
  }

  /** {@return everything at this moment; two of them give a difference} */
  public Snapshot read() {
    return new Snapshot(snapshot(), refusals(), fallbacks(), troubles(), ways());
  }

  /** {@return the counters of the devices that are open in this process, by the devices' names} */
  public static Map<String, OffloadStats> ofOpenDevices() {
    Map<String, OffloadStats> result = new LinkedHashMap<>();
    for (OpenDevices.OpenDevice device : OpenDevices.all()) {
      String name = device.name();
      for (int i = 2; result.containsKey(name); i++) {
        name = device.name() + " #" + i;
      }
      result.put(name, device.stats());
    }
    return Collections.unmodifiableMap(result);
  }

  /** {@return all counters} */
  public Map<Counter, Long> snapshot() {
    Map<Counter, Long> result = new EnumMap<>(Counter.class);
    for (Counter counter : Counter.values()) {
      result.put(counter, get(counter));
    }
    return Collections.unmodifiableMap(result);
  }

  @Override
  public String toString() {
    return snapshot() + " " + reasons();
  }

  /**
   * The values of {@link OffloadStats} at one moment, or their growth between two.
   *
   * @param counters every counter
   * @param refusals why queries, or segments of them, were not given to the device, and how often
   * @param fallbacks why the host answered in the device's place: names of statuses, and how often
   * @param troubles what went wrong with images and the volume, and how often
   * @param ways in which ways the device found matches, and in how many result pages
   */
  public record Snapshot(
      Map<Counter, Long> counters,
      Map<String, Long> refusals,
      Map<String, Long> fallbacks,
      Map<String, Long> troubles,
      Map<String, Long> ways) {

    /**
     * {@return the value of a counter}
     *
     * @param counter which one
     */
    public long get(Counter counter) {
      return counters.get(counter);
    }

    /**
     * {@return the growth since an earlier moment; reasons without growth are left out}
     *
     * @param earlier a moment before
     */
    public Snapshot since(Snapshot earlier) {
      Map<Counter, Long> more = new EnumMap<>(Counter.class);
      counters.forEach((counter, value) -> more.put(counter, value - earlier.get(counter)));
      return new Snapshot(
          more,
          since(refusals, earlier.refusals),
          since(fallbacks, earlier.fallbacks),
          since(troubles, earlier.troubles),
          since(ways, earlier.ways));
    }

    private static Map<String, Long> since(Map<String, Long> now, Map<String, Long> earlier) {
      Map<String, Long> more = new TreeMap<>();
      now.forEach(
          (reason, count) -> {
            long added = count - earlier.getOrDefault(reason, 0L);
            if (added != 0) {
              more.put(reason, added);
            }
          });
      return more;
    }
  }
}
