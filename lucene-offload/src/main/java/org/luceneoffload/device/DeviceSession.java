/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.device;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.luceneoffload.wire.AscendingCopier;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;

/** Runs plans on a device, one at a time, from one thread at a time, in a fixed grant of memory. */
public interface DeviceSession extends AscendingCopier, Closeable {
  /**
   * The buffer into which the caller encodes a plan, from byte 0; direct, little-endian, the same
   * one for the life of the session.
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
   */
  default ByteBuffer executeDocs(int planBytes, StopSignal stop) throws IOException {
    return execute(planBytes, stop);
  }

  /**
   * Returns whether the plan that {@link #execute} has answered last had to ask storage for pages:
   * they were not in device memory, and most likely not in the system's cache.
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
    /** A page, or a failure of its own. */
    public Staged(ByteBuffer page, OffloadException failure) {
      this(page, failure, true);
    }

    /** A plan that the exchange did not get to. */
    public static Staged unanswered(OffloadException failure) {
      return new Staged(null, failure, false);
    }
  }

  /** Returns whether the device knows the commands of tasks ({@link #taskCommand}). */
  default boolean hasTasks() {
    return false;
  }

  /** Returns whether {@link #executeSplit} shares work between device and host. */
  default boolean canSplit() {
    return false;
  }

  /**
   * Returns whether {@link #executeSplit} runs a plan of one window on the caller's thread, with
   * nothing for the device to do.
   */
  default boolean runsUncutHere() {
    return false;
  }

  /**
   * Returns how many pages of lists a window has at least, so that handing it over pays. An engine
   * works 256 of them off in some hundred microseconds, several times as long as a thread may take
   * to hear of them; with 16, clients lost a fifth to a third of their queries a second.
   */
  default int windowPages() {
    return 256;
  }

  /**
   * Runs the plan in {@link #planBuffer()} as {@link #execute} does, on the device's own threads
   * and on the caller's at once: the docs are cut into windows, and whoever comes to one first does
   * it, with the same engine. The result page is that of the plan but for what it says of the work,
   * and for a count that is a lower bound.
   *
   * @param windows to cut the docs into, about; 1: it is not cut, and a device in the process lets
   *     the caller's thread do it all
   */
  default ByteBuffer executeSplit(int planBytes, int windows, StopSignal stop) throws IOException {
    return execute(planBytes, stop);
  }

  /**
   * Runs a command of a task (section 6b of the wire); {@link DeviceTask} is the way to use it.
   * From INIT_TSK to FINAL the session runs no plan.
   *
   * @param opcode INIT_TSK, of the plan in {@link #planBuffer()}; READ_PROC, READ_FILT or FINAL
   * @param dword11 of the command, as the two that follow
   * @param stop asked now and then while the command waits; true ends it with status ABORTED
   * @return dword 0 of the completion
   * @throws OffloadException with status INVALID_OPCODE if the device knows no tasks, or as it says
   */
  default int taskCommand(int opcode, int dword11, int dword12, int dword13, StopSignal stop)
      throws IOException {
    throw noTasks();
  }

  /**
   * Fetches the page that READ_FILT or FINAL has left.
   *
   * @param bytes as that command answered
   * @return the page, from byte 0 to the limit, little-endian; valid until the next call
   */
  default ByteBuffer taskPage(int bytes) throws IOException {
    throw noTasks();
  }

  private static OffloadException noTasks() {
    return new OffloadException(OffloadWire.Status.INVALID_OPCODE, "the device knows no tasks");
  }

  /** Returns what became of the windows of the latest plan that {@link #executeSplit} answered. */
  default SplitCounts splitCounts() {
    return SplitCounts.NONE;
  }

  /**
   * Returns whether another plan may run in this session. Not if an earlier one was given up and
   * may still be running; such a session is closed and never used again.
   */
  default boolean isUsable() {
    return true;
  }

  /**
   * Returns the report of the device's model about the plan that was run last; see {@link
   * TimingModel#startModel}.
   *
   * @param data what is wanted, of {@link OffloadWire.ModelData}
   * @return a model_report, or any number of model_trace_record, from byte 0 to the limit,
   *     little-endian; valid until the next call
   * @throws OffloadException with status INVALID_OPCODE if the device cannot model, another one if
   *     the plan was not modelled
   */
  default ByteBuffer modelData(int data) throws IOException {
    throw new OffloadException(
        OffloadWire.Status.INVALID_OPCODE, "the device models no time and energy");
  }

  /** Asked now and then by a running plan. */
  @FunctionalInterface
  interface StopSignal {
    /** Never stops. */
    StopSignal NEVER = () -> false;

    /** Returns whether the plan should end now. */
    boolean stop();

    /** Tells that a staged plan was answered, so that the time of the next begins. */
    default void answered() {}
  }
}
