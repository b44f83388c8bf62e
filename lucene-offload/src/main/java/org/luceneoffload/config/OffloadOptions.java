/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.luceneoffload.OffloadDirectory;

/** Options of an {@link OffloadDirectory}; immutable. */
public final class OffloadOptions {
  /** {@link #deviceTimeout()} unless another is given. */
  public static final Duration DEFAULT_DEVICE_TIMEOUT = Duration.ofSeconds(2);

  /** {@link #unionBytes()} unless another is given. */
  public static final long DEFAULT_UNION_BYTES = 64L << 20;

  /**
   * The options in force unless others are given: not strict, {@link Placement#AUTO}, {@link
   * #DEFAULT_DEVICE_TIMEOUT}.
   */
  public static final OffloadOptions DEFAULT =
      new OffloadOptions(
          false,
          Placement.AUTO,
          DEFAULT_DEVICE_TIMEOUT,
          field -> true,
          field -> true,
          DEFAULT_UNION_BYTES,
          IndexCache.DEFAULT);

  private static final Duration MAX_DEVICE_TIMEOUT = Duration.ofDays(1);

  private final boolean strict;
  private final Placement placement;
  private final Duration deviceTimeout;
  private final Predicate<String> columns;
  private final Predicate<String> positions;
  private final long unionBytes;
  private final IndexCache indexCache;

  private OffloadOptions(
      boolean strict,
      Placement placement,
      Duration deviceTimeout,
      Predicate<String> columns,
      Predicate<String> positions,
      long unionBytes,
      IndexCache indexCache) {
    this.strict = strict;
    this.placement = Objects.requireNonNull(placement, "placement");
    this.deviceTimeout = Objects.requireNonNull(deviceTimeout, "deviceTimeout");
    this.columns = Objects.requireNonNull(columns, "columns");
    this.positions = Objects.requireNonNull(positions, "positions");
    this.unionBytes = unionBytes;
    this.indexCache = Objects.requireNonNull(indexCache, "indexCache");
  }

  /**
   * {@return whether trouble with the device is an error} If not, it is counted and logged, and the
   * host does the work with the same result. That the planner prefers the host is no trouble.
   */
  public boolean strict() {
    return strict;
  }

  /**
   * {@return these options with another {@link #strict()}}
   *
   * @param value the new value
   */
  public OffloadOptions withStrict(boolean value) {
    return new OffloadOptions(
        value, placement, deviceTimeout, columns, positions, unionBytes, indexCache);
  }

  /** {@return who answers what the device can answer} */
  public Placement placement() {
    return placement;
  }

  /**
   * {@return these options with another {@link #placement()}}
   *
   * @param value the new value
   */
  public OffloadOptions withPlacement(Placement value) {
    return new OffloadOptions(
        strict, value, deviceTimeout, columns, positions, unionBytes, indexCache);
  }

  /**
   * {@return how long one command of the device may take: running a plan in one segment, reading,
   * writing, making durable} Then the host does the work. A device that hangs, or fails again and
   * again, opens its circuit breaker: nothing is sent to it until it has answered a probe. The
   * first probe comes after this time, and each that fails doubles the wait for the next, up to the
   * 32-fold. Time in which this process stands still is not taken for a device's silence.
   *
   * <p>A plan that finds every session of the device in use waits for one about as long as the host
   * would take, at most an eighth of this time; then the host answers. In strict mode it waits for
   * all of this time.
   *
   * <p>The time is the device's: where directories share one, the options of the first one count.
   */
  public Duration deviceTimeout() {
    return deviceTimeout;
  }

  /**
   * {@return these options with another {@link #deviceTimeout()}}
   *
   * @param value from a millisecond to a day
   */
  public OffloadOptions withDeviceTimeout(Duration value) {
    if (value.compareTo(Duration.ofMillis(1)) < 0 || value.compareTo(MAX_DEVICE_TIMEOUT) > 0) {
      throw new IllegalArgumentException(
          "the device timeout must be from a millisecond to a day, got " + value);
    }
    return new OffloadOptions(strict, placement, value, columns, positions, unionBytes, indexCache);
  }

  /**
   * {@return which fields, by name, get columns on the device as segments are written; all unless
   * others are given} A column holds the doc values of a field that has any of type NUMERIC,
   * SORTED_NUMERIC, SORTED or SORTED_SET. What is read is the same for any choice.
   */
  public Predicate<String> columns() {
    return columns;
  }

  /**
   * {@return these options with other {@link #columns()}}
   *
   * @param value asked for the name of each field with doc values, by any thread that writes
   */
  public OffloadOptions withColumns(Predicate<String> value) {
    return new OffloadOptions(
        strict, placement, deviceTimeout, value, positions, unionBytes, indexCache);
  }

  /**
   * {@return these options with other {@link #columns()}}
   *
   * @param fields names of the fields; none: no columns are written
   */
  public OffloadOptions withColumns(String... fields) {
    return withColumns(Set.copyOf(Arrays.asList(fields))::contains);
  }

  /**
   * {@return which fields, by name, get positions on the device as segments are written; all unless
   * others are given} Phrases are answered from them. They take about 14 % more bytes than Lucene's
   * own, and lie apart from what other queries read. A field that was not indexed with positions
   * gets none. What is read is the same for any choice.
   */
  public Predicate<String> positions() {
    return positions;
  }

  /**
   * {@return these options with other {@link #positions()}}
   *
   * @param value asked for the name of each field with positions, by any thread that writes
   */
  public OffloadOptions withPositions(Predicate<String> value) {
    return new OffloadOptions(
        strict, placement, deviceTimeout, columns, value, unionBytes, indexCache);
  }

  /**
   * {@return these options with other {@link #positions()}}
   *
   * @param fields names of the fields; none: no positions are written
   */
  public OffloadOptions withPositions(String... fields) {
    return withPositions(Set.copyOf(Arrays.asList(fields))::contains);
  }

  /**
   * {@return how many bytes of device memory the docs of unions may take: those of prefixes,
   * patterns, ranges and sets of terms that are asked for again and again, or that have too many
   * terms for a plan} A union takes a bit for each document of a segment. The norms of several
   * fields as one, which CombinedFieldQuery needs, are kept with them, a byte for each document. 64
   * MiB unless another is given.
   *
   * <p>The memory is the device's: where directories share one, the options of the first one count.
   */
  public long unionBytes() {
    return unionBytes;
  }

  /**
   * {@return these options with another {@link #unionBytes()}}
   *
   * @param value 0: none; the host answers unions of too many terms, and combined fields, then
   */
  public OffloadOptions withUnionBytes(long value) {
    if (value < 0) {
      throw new IllegalArgumentException("the bytes of unions must not be negative, got " + value);
    }
    return new OffloadOptions(
        strict, placement, deviceTimeout, columns, positions, value, indexCache);
  }

  /**
   * {@return how much of an index on a storage node is kept on the host}
   *
   * <p>The cache is the node's: where directories share one, the options of the first one count.
   */
  public IndexCache indexCache() {
    return indexCache;
  }

  /**
   * {@return these options with another {@link #indexCache()}}
   *
   * @param value the new value
   */
  public OffloadOptions withIndexCache(IndexCache value) {
    return new OffloadOptions(
        strict, placement, deviceTimeout, columns, positions, unionBytes, value);
  }

  @Override
  public String toString() {
    return "OffloadOptions(strict="
        + strict
        + ", placement="
        + placement
        + ", deviceTimeout="
        + deviceTimeout
        + ", unionBytes="
        + unionBytes
        + ")";
  }

  /**
   * How much of the indexes on a storage node is kept on the host; see {@link
   * OffloadDirectory#open(String, OffloadOptions)}. The node's posting lists are not part of it.
   *
   * @param bytes of memory for pages of Lucene's files; what is more than 1 MiB is kept to
   * @param folder in which more pages are kept, from one process to the next; null: nowhere
   * @param folderBytes most bytes of the file in that folder
   */
  public record IndexCache(long bytes, Path folder, long folderBytes) {
    /** 64 MiB of memory, and no folder. */
    public static final IndexCache DEFAULT = new IndexCache(64L << 20, null, 0);

    private static final long MIN_BYTES = 1L << 20;

    /** Checks the bounds. */
    public IndexCache {
      if (bytes < MIN_BYTES) {
        throw new IllegalArgumentException(
            "the cache of an index must have at least " + MIN_BYTES + " bytes, got " + bytes);
      }
      if (folder != null && folderBytes < MIN_BYTES) {
        throw new IllegalArgumentException(
            "the cache folder must get at least " + MIN_BYTES + " bytes, got " + folderBytes);
      }
    }

    /**
     * {@return a cache with this memory and a folder}
     *
     * @param path the folder
     * @param most most bytes of the file in the folder
     */
    public IndexCache withFolder(Path path, long most) {
      return new IndexCache(bytes, path, most);
    }
  }
}
