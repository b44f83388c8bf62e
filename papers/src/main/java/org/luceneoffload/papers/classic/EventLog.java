/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.classic;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.luceneoffload.natives.NativeHandle;
import org.luceneoffload.natives.Trail;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.layout.ModelReportLayout;

/**
 * What a program did, event by event, for the timing model to play under any profile, alone or
 * beside others. The log is in native memory until {@link #close}. Safe for use from many threads;
 * its {@link Builder} is not.
 */
public final class EventLog implements AutoCloseable {
  private static final int LOAD = 0;
  private static final int READ_AHEAD = 1;
  private static final int SEND = 2;
  private static final int PROGRAM = 5;
  private static final int ASK = 7;
  static final int TASK = 8;
  static final int TASK_REST = 9;
  private static final int END = 10;
  private static final int HEAD_WORDS = 3;
  private static final int KIND_BITS = 8;
  private static final int UNIT_BITS = 56;

  private final NativeHandle handle;

  private EventLog(long address) {
    handle = new NativeHandle("the log", address);
  }

  /** Takes over a log that native code has recorded. */
  static EventLog of(long address) {
    return new EventLog(address);
  }

  /**
   * How sessions share a device, beyond what the profile says.
   *
   * @param quantumPages loads after which a program gives its core to one that waits; 0: it keeps
   *     it
   * @param memoryPages pages that all sessions together may be granted; 0: no limit
   * @param sessionPages granted to each session when it opens, which waits until they are free
   * @param sramBytes bytes of SRAM that all sessions together may be granted; 0: no limit
   * @param sessionSramBytes of these, granted to each session when it opens
   * @param pollMinPs the shortest time between two polls of a session, which doubles with each poll
   *     in vain and halves with each that found results; 0: always the profile's
   * @param pollMaxPs the longest time between two polls
   */
  public record Runtime(
      int quantumPages,
      int memoryPages,
      int sessionPages,
      int sramBytes,
      int sessionSramBytes,
      long pollMinPs,
      long pollMaxPs) {
    /** Nothing is shared but the resources of the profile. */
    public static final Runtime NONE = new Runtime(0, 0, 0, 0, 0, 0, 0);

    /** Returns cores that are shared in quanta, and no limit of memory. */
    public static Runtime quantum(int pages) {
      return new Runtime(pages, 0, 0, 0, 0, 0, 0);
    }

    /** Returns the same with grants of DRAM. */
    public Runtime memory(int pages, int perSession) {
      return new Runtime(
          quantumPages, pages, perSession, sramBytes, sessionSramBytes, pollMinPs, pollMaxPs);
    }

    /** Returns the same with grants of SRAM. */
    public Runtime sram(int bytes, int perSession) {
      return new Runtime(
          quantumPages, memoryPages, sessionPages, bytes, perSession, pollMinPs, pollMaxPs);
    }

    /** Returns the same with a time between polls that adapts. */
    public Runtime polls(long leastPs, long mostPs) {
      return new Runtime(
          quantumPages, memoryPages, sessionPages, sramBytes, sessionSramBytes, leastPs, mostPs);
    }
  }

  /**
   * How tasks are divided between device and host, see {@link Builder#task}.
   *
   * @param slots places of the device's task queue
   * @param markedPpm share of the tasks that the host marks for the device, per million
   * @param dynamic whether a page that finds the queue full goes to the host as it is; otherwise it
   *     waits
   * @param apart whether the host begins its work only when the last page has come
   */
  public record Split(int slots, int markedPpm, boolean dynamic, boolean apart) {}

  /**
   * How tasks were divided.
   *
   * @param marked tasks that the host marked
   * @param processed of these, tasks that the device did
   * @param full marked tasks that found the queue full
   * @param raw pages that went to the host as they were
   */
  public record SplitCounts(long marked, long processed, long full, long raw) {}

  /**
   * The result of a playback.
   *
   * @param reports a {@code model_report} of each request
   * @param total the {@code model_report} of all together
   * @param counts how tasks were divided; null without a division
   */
  public record Played(byte[][] reports, byte[] total, SplitCounts counts) {}

  /** Collects events. Work belongs to the event that is added next. */
  public static final class Builder {
    private final long[] work = new long[OffloadWire.MODEL_WORK_SLOTS];
    private long[] words = new long[1 << 12];
    private int used;

    /**
     * Counts work.
     *
     * @param kind an {@link OffloadWire.ModelWork}
     * @param units how much of it
     */
    public Builder work(int kind, long units) {
      work[kind] += units;
      return this;
    }

    /** Has the program wait for bytes from an LBA on. */
    public Builder load(long lba, int bytes) {
      return add(LOAD, lba, bytes);
    }

    /** Reads bytes ahead that the program will need, as far as the profile allows. */
    public Builder readAhead(long lba, int bytes) {
      return add(READ_AHEAD, lba, bytes);
    }

    /** Hands results of the program to the host; does nothing on the host's side. */
    public Builder send(long bytes) {
      return add(SEND, 0, bytes);
    }

    /** Has the host ask the device, which reads bytes (0: none) from an LBA on, and keeps them. */
    public Builder ask(long lba, int bytes) {
      return add(ASK, lba, bytes);
    }

    /**
     * Adds a task: a page that the device or the host processes. It asks for the work that was
     * counted before.
     */
    public Builder task(long lba, int bytes) {
      return add(TASK, lba, bytes);
    }

    /**
     * Sets what the last task leaves for the host: bytes, if the device did the task, and in any
     * case the work that was counted since.
     */
    public Builder rest(int bytes) {
      return add(TASK_REST, 0, bytes);
    }

    /** Has the flash program a page, given by its physical number; the end waits for it. */
    public Builder program(long flashPage) {
      return add(PROGRAM, flashPage, 0);
    }

    /**
     * Ends the log.
     *
     * @param openedBytes what the host sends to open the session
     * @param bare no session: neither opening nor fixed times, and sends are not fetched
     * @throws IllegalStateException if the native library cannot be loaded
     */
    public EventLog end(long openedBytes, boolean bare) {
      add(END, 0, 0);
      return make(words, used, openedBytes, bare);
    }

    private Builder add(int kind, long address, long bytes) {
      if (words.length - used < HEAD_WORDS + work.length) {
        words = Arrays.copyOf(words, 2 * words.length);
      }
      int head = used;
      used += HEAD_WORDS;
      for (int i = 0; i < work.length; i++) {
        if (work[i] != 0) {
          words[used++] = (long) i << UNIT_BITS | work[i];
          work[i] = 0;
        }
      }
      words[head] = (long) (used - head - HEAD_WORDS) << KIND_BITS | kind;
      words[head + 1] = address;
      words[head + 2] = bytes;
      return this;
    }
  }

  /** Makes a log of words as the builder puts them together, up to the end. */
  static EventLog make(long[] words, int used, long openedBytes, boolean bare) {
    ClassicLibrary.load();
    Trail trail = new Trail();
    long address = nativeMake(words, used, openedBytes, bare, trail.bytes);
    return new EventLog(check(trail, address, "recording a program"));
  }

  /**
   * Plays the log alone.
   *
   * @param profile the bytes of a {@code model_profile}
   * @param side a {@link OffloadWire.ModelSide}
   * @return its {@code model_report}
   * @throws IllegalArgumentException if the profile is refused, or the log does not fit it
   */
  public byte[] play(byte[] profile, int side) {
    return play(List.of(this), profile, side, new long[1], Runtime.NONE).total();
  }

  /**
   * Plays logs that contend for the device; a log may stand several times.
   *
   * @param logs requests
   * @param profile the bytes of a {@code model_profile}
   * @param side a {@link OffloadWire.ModelSide}
   * @param arrivalsPs when each request comes, in simulated picoseconds
   * @param runtime how sessions share the device
   * @throws IllegalArgumentException if the profile is refused, or a log does not fit it
   */
  public static Played play(
      List<EventLog> logs, byte[] profile, int side, long[] arrivalsPs, Runtime runtime) {
    return play(logs, profile, side, arrivalsPs, runtime, null);
  }

  /**
   * Plays a log with tasks alone, on device and host at once.
   *
   * @param profile the bytes of a {@code model_profile}
   * @param split how its tasks are divided
   * @throws IllegalArgumentException if profile or division are refused
   */
  public Played play(byte[] profile, Split split) {
    return split(List.of(this), profile, split);
  }

  /**
   * Plays logs with tasks together, on device and host at once; all begin at the same time.
   *
   * @param logs requests; a log may stand several times
   * @param profile the bytes of a {@code model_profile}
   * @param split how their tasks are divided
   * @throws IllegalArgumentException if profile or division are refused
   */
  public static Played split(List<EventLog> logs, byte[] profile, Split split) {
    return play(
        logs,
        profile,
        OffloadWire.ModelSide.DEVICE,
        new long[logs.size()],
        Runtime.NONE,
        Objects.requireNonNull(split));
  }

  private static Played play(
      List<EventLog> logs,
      byte[] profile,
      int side,
      long[] arrivalsPs,
      Runtime runtime,
      Split split) {
    Objects.requireNonNull(profile);
    int size = ModelReportLayout.BYTES;
    byte[] reports = new byte[Math.multiplyExact(logs.size() + 1, size)];
    long[] handles = new long[logs.size()];
    ByteBuffer run = run(side, runtime, split);
    Trail trail = new Trail();
    int acquired = 0;
    try {
      for (EventLog log : logs) {
        handles[acquired] = log.handle.acquire();
        acquired++;
      }
      check(
          trail,
          nativePlay(handles, profile, run, arrivalsPs, reports, trail.bytes),
          "playing a program");
    } catch (OffloadException e) {
      throw new IllegalStateException(e.getMessage(), e);
    } finally {
      logs.subList(0, acquired).forEach(log -> log.handle.release());
    }
    byte[][] each = new byte[logs.size()][];
    for (int i = 0; i < each.length; i++) {
      each[i] = Arrays.copyOfRange(reports, i * size, (i + 1) * size);
    }
    byte[] total = Arrays.copyOfRange(reports, each.length * size, reports.length);
    return new Played(each, total, split == null ? null : counts(run));
  }

  private static ByteBuffer run(int side, Runtime runtime, Split split) {
    ByteBuffer b = ClassicModel.struct(EventRunStruct.BYTES);
    EventRunStruct.side(b, 0, side);
    EventRunStruct.quantumPages(b, 0, runtime.quantumPages);
    EventRunStruct.memoryPages(b, 0, runtime.memoryPages);
    EventRunStruct.sessionPages(b, 0, runtime.sessionPages);
    EventRunStruct.sramBytes(b, 0, runtime.sramBytes);
    EventRunStruct.sessionSramBytes(b, 0, runtime.sessionSramBytes);
    EventRunStruct.pollMinPs(b, 0, runtime.pollMinPs);
    EventRunStruct.pollMaxPs(b, 0, runtime.pollMaxPs);
    if (split != null) {
      EventRunStruct.divides(b, 0, 1);
      EventRunStruct.slots(b, 0, split.slots);
      EventRunStruct.markedPpm(b, 0, split.markedPpm);
      EventRunStruct.dynamic(b, 0, split.dynamic ? 1 : 0);
      EventRunStruct.apart(b, 0, split.apart ? 1 : 0);
    }
    return b;
  }

  private static SplitCounts counts(ByteBuffer run) {
    return new SplitCounts(
        EventRunStruct.marked(run, 0),
        EventRunStruct.processed(run, 0),
        EventRunStruct.full(run, 0),
        EventRunStruct.raw(run, 0));
  }

  /** Frees the log; later calls of {@link #play} throw {@link IllegalStateException}. */
  @Override
  public void close() {
    handle.close(EventLog::nativeFree);
  }

  private static long check(Trail trail, long result, String what) {
    try {
      return trail.check(result, what);
    } catch (OffloadException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  private static native long nativeMake(
      long[] words, int used, long openedBytes, boolean bare, byte[] trail);

  private static native void nativeFree(long handle);

  private static native long nativePlay(
      long[] handles,
      byte[] profile,
      ByteBuffer run,
      long[] arrivalsPs,
      byte[] reports,
      byte[] trail);
}
