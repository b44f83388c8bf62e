/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.tasks;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import org.luceneoffload.papers.classic.Recording;
import org.luceneoffload.papers.classic.RowTask;
import org.luceneoffload.papers.classic.RowTask.Program;
import org.luceneoffload.papers.tasks.RowStore.Extent;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire.Opcode;
import org.luceneoffload.wire.OffloadWire.TaskAnswer;
import org.luceneoffload.wire.OffloadWire.TaskMode;

/**
 * A program over rows as a task of the device: INIT_TSK, READ_PROC or READ_FILT for each page, and
 * FINAL go through its task queue, and its recorder counts what the program does with each.
 */
final class RowSession implements AutoCloseable {
  private static final int ROWS_PROGRAM = 1;
  private static final int GRANT_BYTES = 64 << 20;
  private static final int WAITING = 64;
  private static final int INIT_BYTES = 32;
  private static final int ANSWER_BYTES = 1 << 20;

  private final RowStore store;
  private final int session;
  private final int partPages;
  private final ByteBuffer answer =
      ByteBuffer.allocateDirect(ANSWER_BYTES).order(ByteOrder.LITTLE_ENDIAN);

  /**
   * Begins a task.
   *
   * @param program over the pages
   * @param parts pages of PART that come first, and fill a hash table; none for a filter
   * @param mode a {@link TaskMode}
   * @param queries query records of a join
   */
  RowSession(RowStore store, Program program, Extent pages, Extent parts, int mode, int... queries)
      throws IOException {
    this.store = store;
    partPages = parts.pages();
    store.record(true);
    session = (int) command(Opcode.OPEN, GRANT_BYTES, 0, 0);
    ByteBuffer init =
        ByteBuffer.allocateDirect(INIT_BYTES + Integer.BYTES * queries.length)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt(program.ordinal())
            .putInt(RowTask.capacity(parts.pages()))
            .putLong(parts.lba())
            .putLong(pages.lba())
            .putInt(parts.pages())
            .putInt(pages.pages());
    for (int word : queries) {
      init.putInt(word);
    }
    int bytes = init.flip().limit();
    store
        .device()
        .run(Opcode.INIT_TSK, new int[] {session, bytes, mode, WAITING, ROWS_PROGRAM}, init, bytes);
    for (int i = 0; i < partPages; i++) {
      while (!take(i)) {
        Thread.onSpinWait(); // the hash table is the device's to build
      }
    }
  }

  private long command(int opcode, int cdw10, int cdw11, int cdw12) throws OffloadException {
    return store.device().run(opcode, new int[] {cdw10, cdw11, cdw12, 0, 0}, null, 0);
  }

  private boolean take(int window) throws OffloadException {
    return command(Opcode.READ_PROC, session, window, window + 1) == TaskAnswer.TAKEN;
  }

  /**
   * Offers a page to the device: READ_PROC.
   *
   * @return whether it takes it; else the page is the host's
   */
  boolean process(int page) throws OffloadException {
    return take(partPages + page);
  }

  /** Has the device filter a page: READ_FILT. Returns what the host needs, until the next call. */
  ByteBuffer filter(int page) throws OffloadException {
    return fetch((int) command(Opcode.READ_FILT, session, partPages + page, partPages + page + 1));
  }

  private ByteBuffer fetch(int bytes) throws OffloadException {
    int[] dwords = {session, 0, bytes, 0, 0};
    store.device().run(Opcode.FETCH, dwords, answer.clear(), bytes);
    return answer.clear().limit(bytes);
  }

  /** Ends the task: FINAL. Returns what it has found, by group. */
  Map<Integer, long[]> result() throws OffloadException {
    return RowTask.groups(fetch((int) command(Opcode.FINAL, session, 0, 0)));
  }

  /** Returns what the recorder has of each page, those of PART first, once the task has ended. */
  List<Recording.Task> recorded() throws OffloadException {
    return Recording.of(store.device(), session).tasks();
  }

  @Override
  public void close() throws IOException {
    command(Opcode.CLOSE, session, 0, 0);
    store.record(false);
  }
}
