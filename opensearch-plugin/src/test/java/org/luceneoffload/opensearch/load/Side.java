/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.load;

import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** What was measured of one kind on one index. */
final class Side {
  private static final int DIGITS = 3;

  private final Histogram service = new ConcurrentHistogram(DIGITS);
  private final Histogram open = new ConcurrentHistogram(DIGITS);
  private long cpuMicros;
  private double queryMicros;
  private double fetchMicros;

  /** A response that one client waited for, nanoseconds. */
  void served(long nanos) {
    service.recordValue(nanos);
  }

  /** A response of the open loop, nanoseconds since its request was to be sent. */
  void answered(long nanos) {
    open.recordValue(nanos);
  }

  /** CPU time of requests that were served. */
  void used(long micros) {
    cpuMicros += micros;
  }

  /** CPU time of search threads inside the phases, of the same requests. */
  void used(PhaseCpu.Micros phases) {
    queryMicros += phases.query();
    fetchMicros += phases.fetch();
  }

  /** Microseconds of CPU time of a request inside the query phase. */
  double query() {
    return queryMicros / service.getTotalCount();
  }

  /** Microseconds of CPU time of a request inside the fetch phase. */
  double fetch() {
    return fetchMicros / service.getTotalCount();
  }

  /** Microseconds of CPU time of a request. */
  double cpu() {
    return (double) cpuMicros / service.getTotalCount();
  }

  /** Milliseconds that a share of the requests took at most. */
  double service(double percent) {
    return service.getValueAtPercentile(percent) / 1e6;
  }

  /** The same for the open loop, from the planned arrival. */
  double open(double percent) {
    return open.getValueAtPercentile(percent) / 1e6;
  }

  /** Responses that one client waited for. */
  long requests() {
    return service.getTotalCount();
  }
}
