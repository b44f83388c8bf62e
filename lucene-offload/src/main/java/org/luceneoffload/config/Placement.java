/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.config;

/** Who answers what the device can answer. The answer is the same whoever does. */
public enum Placement {
  /**
   * The side that is expected to be quicker. A device with a profile is weighed against its host,
   * segment by segment and before anything is run. For a device whose plans run elsewhere than on
   * the callers' threads this is {@link #DYNAMIC}, for any other {@link #ALWAYS}; in either case
   * stock Lucene does what it is known to do sooner, such as sets and ranges of a few values that
   * it finds by their points.
   */
  AUTO,
  /** The device. */
  ALWAYS,
  /**
   * Device and host at once, where a plan has pages enough to be cut: the threads of the device
   * take as many windows of docs as they come to, the caller's thread does the others with the same
   * engine, over NVMe on copies of the device's pages. Over NVMe a host that lacks the native
   * library does its windows by stock Lucene, of plans whose bits do not change when a segment is
   * cut. A device that cannot split work has all of it, as with {@link #ALWAYS}.
   */
  DYNAMIC,
  /**
   * The device, window by window, where a plan has pages enough to be cut: its threads do all
   * windows of docs, and one that finds their queue full waits, where with {@link #DYNAMIC} the
   * host does it. A device that cannot split work has all of it, as with {@link #ALWAYS}.
   */
  STATIC,
  /**
   * The device filters, the host does the rest: it scores the docs that the device finds, sorts or
   * aggregates them, with stock Lucene. The device counts matches, which is all there is to do.
   */
  FILTER,
  /** Stock Lucene, for every query; posting images are still written. */
  NEVER
}
