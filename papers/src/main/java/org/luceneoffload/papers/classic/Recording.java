/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.classic;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.OffloadWire.ModelData;
import org.luceneoffload.wire.OffloadWire.Opcode;

/** What the engine's recorder has of a session's last program or task, event by event. */
public final class Recording {
  private static final int HEAD_WORDS = 2;
  private static final int COUNT_SHIFT = 8;
  private static final int BYTE = 0xFF;
  private static final int UNIT_BITS = 56;
  private static final int CHUNK_BYTES = 1 << 20;

  /**
   * A window of a task.
   *
   * @param work units of each {@link OffloadWire.ModelWork}
   * @param restBytes that a filter has left for the host; -1: it was no filter
   */
  public record Task(long[] work, int restBytes) {}

  private final long[] words;

  /** Takes words as {@link ModelData#EVENTS} has them. */
  public Recording(ByteBuffer events) {
    words = new long[events.remaining() / Long.BYTES];
    events.order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().get(words);
  }

  private Recording(long[] words) {
    this.words = words;
  }

  /** Asks a device for what it has recorded in a session: MODEL_FETCH. */
  public static Recording of(RawDevice device, int session) throws OffloadException {
    ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    long[] words = new long[0];
    int got = CHUNK_BYTES;
    for (int from = 0; got == CHUNK_BYTES; from += got) {
      int[] dwords = {session, from, CHUNK_BYTES, ModelData.EVENTS, 0};
      got = (int) device.run(Opcode.MODEL_FETCH, dwords, chunk.clear(), CHUNK_BYTES);
      int before = words.length;
      words = Arrays.copyOf(words, before + got / Long.BYTES);
      chunk.asLongBuffer().get(words, before, got / Long.BYTES);
    }
    return new Recording(words);
  }

  private int count(int at) {
    return (int) (words[at] >>> COUNT_SHIFT) & BYTE;
  }

  /** Returns the windows of a task, in order. */
  public List<Task> tasks() {
    List<Task> tasks = new ArrayList<>();
    for (int at = 0; at < words.length; at += HEAD_WORDS + count(at)) {
      int kind = (int) words[at] & BYTE;
      if (kind == EventLog.TASK) {
        long[] work = new long[OffloadWire.MODEL_WORK_SLOTS];
        for (int i = 0; i < count(at); i++) {
          long word = words[at + HEAD_WORDS + i];
          work[(int) (word >>> UNIT_BITS)] += word << Byte.SIZE >>> Byte.SIZE;
        }
        tasks.add(new Task(work, -1));
      } else if (kind == EventLog.TASK_REST) {
        Task filtered = tasks.remove(tasks.size() - 1);
        tasks.add(new Task(filtered.work(), (int) words[at + 1]));
      }
    }
    return tasks;
  }

  /**
   * Makes a log of it, to be played under any profile and beside others; the caller closes it.
   *
   * @param openedBytes what the host has sent to begin it
   */
  public EventLog log(long openedBytes) {
    long[] events = new long[words.length / HEAD_WORDS + words.length];
    int used = 0;
    for (int at = 0; at < words.length; at += HEAD_WORDS + count(at)) {
      events[used++] = (long) count(at) << COUNT_SHIFT | words[at] & BYTE;
      events[used++] = words[at] >>> Integer.SIZE;
      events[used++] = words[at + 1];
      System.arraycopy(words, at + HEAD_WORDS, events, used, count(at));
      used += count(at);
    }
    return EventLog.make(events, used, openedBytes, false);
  }
}
