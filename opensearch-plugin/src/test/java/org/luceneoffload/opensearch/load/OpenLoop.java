/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.load;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;

/**
 * Sends requests at a fixed rate, whether or not those before have been answered. A request's
 * latency counts from the moment at which it was to be sent: what waits behind a slow one is slow,
 * too, also if it is the sender that waits.
 */
final class OpenLoop {
  /** Learns of each answer, from any thread. */
  @FunctionalInterface
  interface Recorder {
    /**
     * An answer.
     *
     * @param latency nanoseconds since the request was to be sent
     */
    void answered(int request, long latency);
  }

  /**
   * What came of it.
   *
   * @param sent requests that were sent
   * @param failed those of them without a right answer
   * @param overrun whether it ended early, since too many requests waited for an answer
   */
  record Outcome(int sent, int failed, boolean overrun) {}

  private final Pacer pacer;
  private final int mostWaiting;

  /**
   * A sender.
   *
   * @param mostWaiting requests without an answer at one time, before it gives up
   */
  OpenLoop(Pacer pacer, int mostWaiting) {
    this.pacer = pacer;
    this.mostWaiting = mostWaiting;
  }

  /** Sends requests 0 to {@code count - 1}; returns when all that were sent have an answer. */
  Outcome run(
      double perSecond, int count, IntFunction<CompletionStage<?>> sender, Recorder recorder) {
    Phaser answers = new Phaser(1);
    AtomicInteger waiting = new AtomicInteger();
    AtomicInteger failed = new AtomicInteger();
    long begin = pacer.now();
    int sent = 0;
    while (sent < count && waiting.get() < mostWaiting) {
      int request = sent++;
      long planned = begin + (long) (request * 1e9 / perSecond);
      pacer.await(planned);
      answers.register();
      waiting.incrementAndGet();
      sender
          .apply(request)
          .whenComplete(
              (answer, error) -> {
                if (error == null) {
                  recorder.answered(request, pacer.now() - planned);
                } else {
                  failed.incrementAndGet();
                }
                waiting.decrementAndGet();
                answers.arriveAndDeregister();
              });
    }
    answers.arriveAndAwaitAdvance();
    return new Outcome(sent, failed.get(), sent < count);
  }
}
