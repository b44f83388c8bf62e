/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.device;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.luceneoffload.wire.OffloadException;

/** Runs plans on a device, one at a time, from one thread at a time, in a fixed grant of memory. */
public interface DeviceSession extends Closeable {
  /** Pages of a window, unless a session has reasons of its own. */
  int DEFAULT_WINDOW_PAGES = 256;

  /**
   * {@return the buffer into which the caller encodes a plan, from byte 0; direct, little-endian,
   * the same one for the life of the session}
   */
  ByteBuffer planBuffer();

  /**
   * Runs the plan in {@link #planBuffer()}.
   *
   * @param planBytes bytes of the plan
   * @param stop asked now and then while the plan runs; true ends it with status ABORTED
   * @return the result page, from byte 0 to the limit, little-endian; valid until the next call
   * @throws OffloadException if the device refuses or fails; the message says why
   */
  ByteBuffer execute(int planBytes, StopSignal stop) throws IOException;

  /**
   * Runs a plan of mode DOCS as {@link #execute} does. The page may lack its doc IDs, which {@link
   * #copyAscending} then gets from the device: so they need not be copied twice.
   *
   * @param planBytes bytes of the plan
   * @param stop asked now and then while the plan runs; true ends it with status ABORTED
   * @return the result page
   * @throws IOException if the device fails
   */
  default ByteBuffer executeDocs(int planBytes, StopSignal stop) throws IOException {
    return execute(planBytes, stop);
  }

  /**
   * Copies doc IDs out of a result page and tells whether they ascend. The host does so, never the
   * device; a session may do it in native code of its own.
   *
   * @param page a result page
   * @param from the byte of the page where the first doc ID stands
   * @param count doc IDs to copy, all of them within the limit of the page
   * @param docs takes them from index 0 on; what it holds is undefined if they do not ascend
   * @return whether none is negative, and each is greater than the one before it
   * @throws OffloadException if they come from the device, and it fails
   */
  default boolean copyAscending(ByteBuffer page, int from, int count, int[] docs)
      throws OffloadException {
    page.slice(from, count * Integer.BYTES)
        .order(ByteOrder.LITTLE_ENDIAN)
        .asIntBuffer()
        .get(docs, 0, count);
    int previous = -1;
    for (int i = 0; i < count; i++) {
      int doc = docs[i];
      if (doc <= previous) {
        return false;
      }
      previous = doc;
    }
    return true;
  }

  /**
   * {@return whether the plan that {@link #execute} has answered last had to ask storage for pages:
   * they were not in device memory, and most likely not in the system's cache}
   */
  default boolean hasAsked() {
    return false;
  }

  /**
   * Asks for pages that plans to come will read, if they are not in device memory. Does not wait,
   * and may do nothing.
   *
   * @param runs pairs of an LBA and the number of pages from there on
   * @param count of the pairs
   */
  default void ask(long[] runs, int count) {}

  /**
   * Takes a copy of the plan in {@link #planBuffer()} for {@link #executeStaged}. Not called beyond
   * {@link Device#mostStaged} plans.
   *
   * @param planBytes bytes of the plan
   * @param resultBytes of its result page at most, as the plan says
   * @return false if there is no room for it beside those that are staged
   */
  default boolean stage(int planBytes, int resultBytes) {
    return false;
  }

  /**
   * Runs the plans that are staged, one after the other, in one exchange with the device, and
   * forgets them.
   *
   * @param stop as for {@link #execute}; one that ends it ends all plans that are unanswered
   * @return for each plan, in their order, a page that is valid until the next call, or the failure
   *     of this plan alone, or, of the last ones, that of the exchange, which did not get that far
   * @throws OffloadException if the exchange fails as a whole, so that no plan is answered
   */
  default List<Staged> executeStaged(StopSignal stop) throws IOException {
    throw new IllegalStateException("no plan is staged");
  }

  /**
   * What became of a staged plan.
   *
   * @param page its result page, from byte 0 to the limit, little-endian; null if it failed
   * @param failure null if it did not fail
   * @param answered false: the exchange failed before its turn; nothing is known of the plan itself
   */
  record Staged(ByteBuffer page, OffloadException failure, boolean answered) {
    /**
     * Takes a page, or a failure of its own.
     *
     * @param page its result page
     * @param failure of the plan
     */
    public Staged(ByteBuffer page, OffloadException failure) {
      this(page, failure, true);
    }

    /**
     * {@return the outcome of a plan that the exchange did not get to}
     *
     * @param failure of the plan
     */
    public static Staged unanswered(OffloadException failure) {
      return new Staged(null, failure, false);
    }
  }

  /**
   * Returns a facet: what some sessions can do beside running plans, such as {@link SplitPlans} and
   * {@link TaskCommands}; as {@link Device#as}.
   *
   * @param <T> the facet
   * @param facet an interface
   * @return null if the session lacks it
   */
  default <T> T as(Class<T> facet) {
    return facet.isInstance(this) ? facet.cast(this) : null;
  }

  /**
   * {@return how many pages of lists a window of a plan that is shared has at least, so that
   * handing it over pays} An engine works 256 of them off in some hundred microseconds, several
   * times as long as a thread may take to hear of them; with 16, clients lost a fifth to a third of
   * their queries a second.
   */
  default int windowPages() {
    return DEFAULT_WINDOW_PAGES;
  }

  /**
   * {@return whether another plan may run in this session} Not if an earlier one was given up and
   * may still be running; such a session is closed and never used again.
   */
  default boolean isUsable() {
    return true;
  }

  /** Asked now and then by a running plan. */
  @FunctionalInterface
  interface StopSignal {
    /** Never stops. */
    StopSignal NEVER = () -> false;

    /** {@return whether the plan should end now} */
    boolean stop();

    /** Notes that a staged plan was answered, so that the time of the next begins. */
    default void answered() {}
  }
}
