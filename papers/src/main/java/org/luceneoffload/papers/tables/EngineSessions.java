/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.tables;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.ModelReport;
import org.luceneoffload.papers.classic.EventLog;
import org.luceneoffload.papers.classic.EventLog.Runtime;
import org.luceneoffload.papers.classic.RawDevice;
import org.luceneoffload.papers.study.Table;
import org.luceneoffload.papers.tables.EngineStudy.Answer;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.OffloadWire.ModelSide;
import org.luceneoffload.wire.OffloadWire.Opcode;

/**
 * Several queries at once on the production engine: a device of the engine with so much memory for
 * sessions grants each OPEN its memory or refuses it; what plans do is what the engine's recorder
 * has of them, and when one ends is what the model's clock says of all that run.
 */
final class EngineSessions {
  /** Granted to each session: memory for its plan and its result. */
  static final int GRANT_BYTES = 1 << 20;

  private static final int QUANTUM_PAGES = 4;
  private static final int MB_BITS = 20;
  private static final long CAPACITY = 1 << 24;
  private static final double PS_A_MS = 1e9;
  private static final List<Integer> SESSIONS = List.of(1, 4, 16);
  private static final List<Integer> MEMORY_MB = List.of(1, 2, 4, 16);

  private final byte[] profile;
  private final RawDevice device;
  private final List<EventLog> begun = new ArrayList<>();
  private final List<Integer> numbers = new ArrayList<>();
  private final List<Long> starts = new ArrayList<>();
  private final Set<Integer> open = new TreeSet<>();
  private int refused;

  private EngineSessions(byte[] profile, RawDevice device) {
    this.profile = profile;
    this.device = device;
  }

  /**
   * What sessions took that came together.
   *
   * @param refused OPENs that found no memory; each is sent again when another session has closed
   * @param waitMs until the session was open, on average
   * @param firstMs until the first had its answer
   * @param meanMs until a session had its answer, on average
   * @param lastMs until the last had
   */
  record Outcome(int refused, double waitMs, double firstMs, double meanMs, double lastMs) {}

  /**
   * Plays sessions that come together, whose queries alternate, on a device with so much memory.
   */
  static Outcome play(byte[] profile, List<EventLog> logs, int sessions, long memoryBytes)
      throws IOException {
    Path home = Files.createTempDirectory("offload-sessions");
    try (RawDevice device = new RawDevice(home.resolve("pages"), CAPACITY, 1, memoryBytes)) {
      return new EngineSessions(profile, device).all(logs, sessions);
    } finally {
      try (Stream<Path> files = Files.walk(home)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  private Outcome all(List<EventLog> logs, int sessions) throws IOException {
    long now = 0;
    while (begun.size() < sessions) {
      if (!opens(logs.get(begun.size() % logs.size()), now)) {
        refused++;
        now = Math.max(now, closeFirst());
      }
    }
    long[] ends = ends();
    while (!open.isEmpty()) {
      closeFirst();
    }
    return new Outcome(
        refused,
        starts.stream().mapToLong(Long::longValue).average().orElseThrow() / PS_A_MS,
        LongStream.of(ends).min().orElseThrow() / PS_A_MS,
        LongStream.of(ends).average().orElseThrow() / PS_A_MS,
        LongStream.of(ends).max().orElseThrow() / PS_A_MS);
  }

  private boolean opens(EventLog log, long now) throws OffloadException {
    try {
      numbers.add((int) run(Opcode.OPEN, GRANT_BYTES));
    } catch (OffloadException e) {
      if (e.status() != OffloadWire.Status.NO_MEMORY || open.isEmpty()) {
        throw e;
      }
      return false;
    }
    open.add(begun.size());
    begun.add(log);
    starts.add(now);
    return true;
  }

  private long run(int opcode, int cdw10) throws OffloadException {
    return device.run(opcode, new int[] {cdw10, 0, 0, 0, 0}, null, 0);
  }

  /** Closes the session that ends first of those that are open; returns when that is. */
  private long closeFirst() throws IOException {
    long[] ends = ends();
    int first = open.stream().min(Comparator.comparingLong(i -> ends[i])).orElseThrow();
    run(Opcode.CLOSE, numbers.get(first));
    open.remove(first);
    return ends[first];
  }

  /** Returns when the sessions that have begun end. One that begins later changes none before. */
  private long[] ends() throws IOException {
    long[] arrivals = starts.stream().mapToLong(Long::longValue).toArray();
    EventLog.Played played =
        EventLog.play(begun, profile, ModelSide.DEVICE, arrivals, Runtime.quantum(QUANTUM_PAGES));
    long[] ends = new long[arrivals.length];
    for (int i = 0; i < ends.length; i++) {
      ends[i] = ModelReport.read(played.reports()[i]).finishPs();
    }
    return ends;
  }

  /** Returns a log of each answer's plan; the caller closes them. */
  static List<EventLog> logs(List<Answer> answers) {
    return answers.stream().map(answer -> answer.recording().log(answer.openedBytes())).toList();
  }

  /** Runs sessions of all queries on devices with more and more memory. */
  static Table run(DeviceProfile profile, List<Answer> selections, List<Answer> sums)
      throws IOException {
    Table table =
        Table.of(
                "Sessions of the production engine",
                "The plans of the table before come together, selections and aggregations of all"
                    + " selectivities in turn, each in a session of 1 MB. A device of the engine"
                    + " with so much memory for sessions answers each OPEN; one that it refuses is"
                    + " sent again when another session has closed. Times are the model's, of what"
                    + " the engine's recorder has of the plans. One core, which programs leave"
                    + " after "
                    + QUANTUM_PAGES
                    + " pages. Not in the paper.")
            .number("sessions", "")
            .number("memory", "MB")
            .number("OPENs refused", "")
            .number("wait: mean", "ms")
            .number("first", "ms")
            .number("mean", "ms")
            .number("last", "ms");
    List<Answer> all = new ArrayList<>(selections);
    all.addAll(sums);
    List<EventLog> logs = logs(all);
    try {
      for (int sessions : SESSIONS) {
        for (int mb : MEMORY_MB) {
          Outcome o = play(profile.wireArray(), logs, sessions, (long) mb << MB_BITS);
          table.row(sessions, mb, o.refused(), o.waitMs(), o.firstMs(), o.meanMs(), o.lastMs());
        }
      }
    } finally {
      logs.forEach(EventLog::close);
    }
    return table;
  }
}
