/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.config;

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
   * Returns whether trouble with the device is an error. If not, it is counted and logged, and the
   * host does the work with the same result. That the planner prefers the host is no trouble.
   */
  public boolean strict() {
    return strict;
  }

  /** Returns these options with another {@link #strict()}. */
  public OffloadOptions withStrict(boolean value) {
    return new OffloadOptions(
        value, placement, deviceTimeout, columns, positions, unionBytes, indexCache);
  }

  /** Returns who answers what the device can answer. */
  public Placement placement() {
    return placement;
  }

  /** Returns these options with another {@link #placement()}. */
  public OffloadOptions withPlacement(Placement value) {
    return new OffloadOptions(
        strict, value, deviceTimeout, columns, positions, unionBytes, indexCache);
  }

  /**
   * Returns how long one command of the device may take: running a plan in one segment, reading,
   * writing, making durable. Then the host does the work. A device that hangs, or fails again and
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
   * Returns these options with another {@link #deviceTimeout()}.
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
   * Returns which fields, by name, get columns on the device as segments are written; all unless
   * others are given. A column holds the doc values of a field that has any of type NUMERIC,
   * SORTED_NUMERIC, SORTED or SORTED_SET. What is read is the same for any choice.
   */
  public Predicate<String> columns() {
    return columns;
  }

  /**
   * Returns these options with other {@link #columns()}.
   *
   * @param value asked for the name of each field with doc values, by any thread that writes
   */
  public OffloadOptions withColumns(Predicate<String> value) {
    return new OffloadOptions(
        strict, placement, deviceTimeout, value, positions, unionBytes, indexCache);
  }

  /**
   * Returns these options with other {@link #columns()}.
   *
   * @param fields names of the fields; none: no columns are written
   */
  public OffloadOptions withColumns(String... fields) {
    return withColumns(Set.copyOf(Arrays.asList(fields))::contains);
  }

  /**
   * Returns which fields, by name, get positions on the device as segments are written; all unless
   * others are given. Phrases are answered from them. They take about 14 % more bytes than Lucene's
   * own, and lie apart from what other queries read. A field that was not indexed with positions
   * gets none. What is read is the same for any choice.
   */
  public Predicate<String> positions() {
    return positions;
  }

  /**
   * Returns these options with other {@link #positions()}.
   *
   * @param value asked for the name of each field with positions, by any thread that writes
   */
  public OffloadOptions withPositions(Predicate<String> value) {
    return new OffloadOptions(
        strict, placement, deviceTimeout, columns, value, unionBytes, indexCache);
  }

  /**
   * Returns these options with other {@link #positions()}.
   *
   * @param fields names of the fields; none: no positions are written
   */
  public OffloadOptions withPositions(String... fields) {
    return withPositions(Set.copyOf(Arrays.asList(fields))::contains);
  }

  /**
   * Returns how many bytes of device memory the docs of unions may take: those of prefixes,
   * patterns, ranges and sets of terms that are asked for again and again, or that have too many
   * terms for a plan. A union takes a bit for each document of a segment. The norms of several
   * fields as one, which CombinedFieldQuery needs, are kept with them, a byte for each document. 64
   * MiB unless another is given.
   *
   * <p>The memory is the device's: where directories share one, the options of the first one count.
   */
  public long unionBytes() {
    return unionBytes;
  }

  /**
   * Returns these options with another {@link #unionBytes()}.
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
   * Returns how much of an index on a storage node is kept on the host.
   *
   * <p>The cache is the node's: where directories share one, the options of the first one count.
   */
  public IndexCache indexCache() {
    return indexCache;
  }

  /** Returns these options with another {@link #indexCache()}. */
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
}
