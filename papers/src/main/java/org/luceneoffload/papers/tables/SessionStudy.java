/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.tables;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.ModelReport;
import org.luceneoffload.model.ProfileException;
import org.luceneoffload.papers.classic.EventLog;
import org.luceneoffload.papers.classic.EventLog.Runtime;
import org.luceneoffload.papers.classic.TableStore;
import org.luceneoffload.papers.classic.table.Layout;
import org.luceneoffload.papers.classic.table.Query;
import org.luceneoffload.papers.classic.table.TableScan;
import org.luceneoffload.papers.study.Table;
import org.luceneoffload.wire.OffloadWire.ModelSide;

/**
 * Several sessions at once, as the paper's section 3 describes their runtime: a fixed grant of SRAM
 * and DRAM when a session opens, loaded pages pinned until they are done with, worker and master
 * threads, a core that programs leave after a few pages, polls whose interval adapts. The paper has
 * no figures of this.
 */
public final class SessionStudy {
  private static final int SCALE = 2048;
  private static final int GRANT_PAGES = 128;
  private static final int GRANT_SRAM = 16 << 10;
  private static final int QUANTUM_PAGES = 4;
  private static final int TOGETHER = 8;
  private static final long MIN_POLL_PS = 100_000_000L;
  private static final long MAX_POLL_PS = 80_000_000_000L;
  private static final int PAGES_A_MB = (1 << 20) / TableScan.PAGE_BYTES;
  private static final List<Integer> SESSIONS = List.of(1, 2, 4, 8, 16);
  private static final List<Integer> MEMORY_MB = List.of(1, 4, 16, 64);
  private static final List<Integer> SRAM_KB = List.of(16, 32, 64, 128);
  private static final String WHY = "an experiment";

  private final DeviceProfile profile;
  private final byte[] bytes;

  private SessionStudy(DeviceProfile profile) {
    this.profile = profile;
    bytes = profile.wireArray();
  }

  /** Runs all, and returns tables for the report. */
  static List<Table> run(DeviceProfile profile) throws IOException {
    SessionStudy study = new SessionStudy(profile);
    int rare = TableLab.SELECTIVITIES.get(0);
    int many = TableLab.SELECTIVITIES.get(1);
    List<EventLog> logs = new ArrayList<>();
    try (TableStore store = new TableStore()) {
      List<Query> queries =
          List.of(Query.ofPpm(rare, true), Query.ofPpm(rare, false), Query.ofPpm(many, false));
      logs.addAll(logs(store, 64, Layout.NSM, queries));
      logs.addAll(logs(store, 4, Layout.PAX, queries));
      EventLog wide = logs.get(0);
      EventLog narrow = logs.get(queries.size());
      return List.of(
          study.memory(wide, narrow),
          study.grants(wide),
          study.quanta(wide, narrow),
          study.threads(wide, narrow),
          study.polls(wide),
          study.queries(logs));
    } finally {
      logs.forEach(EventLog::close);
    }
  }

  private static List<EventLog> logs(
      TableStore store, int columns, Layout layout, List<Query> queries) {
    return TableLab.table(columns, layout, SCALE).onDevice(store, queries).stream()
        .map(TableScan.Recorded::log)
        .toList();
  }

  /**
   * What sessions took that began together.
   *
   * @param firstMs until the first had its answer
   * @param lastMs until the last had
   * @param meanMs on average
   * @param pages loaded by all
   * @param polls that found nothing
   */
  record Together(double firstMs, double lastMs, double meanMs, long pages, long polls) {
    double pagesAMs() {
      return pages / lastMs;
    }
  }

  /** Plays sessions that begin together, whose logs alternate. */
  static Together play(byte[] profile, List<EventLog> logs, int sessions, Runtime runtime)
      throws ProfileException {
    List<EventLog> all = new ArrayList<>();
    for (int i = 0; i < sessions; i++) {
      all.add(logs.get(i % logs.size()));
    }
    EventLog.Played played =
        EventLog.play(all, profile, ModelSide.DEVICE, new long[sessions], runtime);
    long[] ends = new long[sessions];
    for (int i = 0; i < sessions; i++) {
      ends[i] = ModelReport.read(played.reports()[i]).finishPs();
    }
    ModelReport total = ModelReport.read(played.total());
    return new Together(
        LongStream.of(ends).min().orElseThrow() / 1e9,
        LongStream.of(ends).max().orElseThrow() / 1e9,
        LongStream.of(ends).average().orElseThrow() / 1e9,
        total.pageLoads(),
        total.polls());
  }

  private Table memory(EventLog wide, EventLog narrow) throws ProfileException {
    Table table =
        Table.of(
                "Sessions and memory",
                "Aggregations over 1/"
                    + SCALE
                    + " of a table that begin together, each granted 1 MB when it opens; one that"
                    + " finds no memory waits. Wide: 64 columns, NSM; narrow: 4 columns, PAX. One"
                    + " core, which programs leave after "
                    + QUANTUM_PAGES
                    + " pages. Not in the paper.")
            .number("sessions", "")
            .number("memory", "MB")
            .number("open at once", "")
            .number("wide: mean", "ms")
            .number("wide: last", "ms")
            .number("wide: pages", "1/ms")
            .number("narrow: mean", "ms")
            .number("narrow: last", "ms");
    for (int sessions : SESSIONS) {
      for (int mb : MEMORY_MB) {
        Runtime runtime = Runtime.quantum(QUANTUM_PAGES).memory(mb * PAGES_A_MB, GRANT_PAGES);
        Together w = play(bytes, List.of(wide), sessions, runtime);
        Together n = play(bytes, List.of(narrow), sessions, runtime);
        table.row(
            sessions,
            mb,
            Math.min(sessions, mb * PAGES_A_MB / GRANT_PAGES),
            w.meanMs(),
            w.lastMs(),
            w.pagesAMs(),
            n.meanMs(),
            n.lastMs());
      }
    }
    return table;
  }

  private Table grants(EventLog wide) throws ProfileException {
    Table table =
        Table.of(
                "Grants of SRAM and DRAM",
                TOGETHER
                    + " wide sessions, each granted 1 MB of DRAM for pages and "
                    + (GRANT_SRAM >> 10)
                    + " KB of SRAM for schema and state; a session opens when both are free. Not in"
                    + " the paper.")
            .number("SRAM", "KB")
            .number("DRAM", "MB")
            .number("open at once", "")
            .number("first", "ms")
            .number("mean", "ms")
            .number("last", "ms");
    for (int kb : SRAM_KB) {
      for (int mb : new int[] {2, 16}) {
        Runtime runtime =
            Runtime.quantum(QUANTUM_PAGES)
                .memory(mb * PAGES_A_MB, GRANT_PAGES)
                .sram(kb << 10, GRANT_SRAM);
        Together all = play(bytes, List.of(wide), TOGETHER, runtime);
        int open = Math.min((kb << 10) / GRANT_SRAM, mb * PAGES_A_MB / GRANT_PAGES);
        table.row(kb, mb, Math.min(TOGETHER, open), all.firstMs(), all.meanMs(), all.lastMs());
      }
    }
    return table;
  }

  private Table quanta(EventLog wide, EventLog narrow) throws ProfileException {
    Table table =
        Table.of(
                "How long a program keeps its core",
                "Eight sessions, wide and narrow in turn, memory for all; on one core and on three."
                    + " A change of program takes "
                    + profile.get("device.core_switch_ns") / 1000
                    + " us (an estimate). Quantum 0: the whole program. Not in the paper.")
            .number("quantum", "pages")
            .number("one core: first", "ms")
            .number("one core: mean", "ms")
            .number("one core: last", "ms")
            .number("three cores: first", "ms")
            .number("three cores: mean", "ms")
            .number("three cores: last", "ms");
    byte[] more = profile.with("device.core_count", 3, WHY).wireArray();
    for (int quantum : new int[] {0, 1, 4, 16, 64}) {
      Together one = play(bytes, List.of(wide, narrow), TOGETHER, Runtime.quantum(quantum));
      Together three = play(more, List.of(wide, narrow), TOGETHER, Runtime.quantum(quantum));
      table.row(
          quantum,
          one.firstMs(),
          one.meanMs(),
          one.lastMs(),
          three.firstMs(),
          three.meanMs(),
          three.lastMs());
    }
    return table;
  }

  private Table threads(EventLog wide, EventLog narrow) throws ProfileException {
    Table table =
        Table.of(
                "Worker and master threads",
                "A worker thread's callback for each page and command, and the scheduling of a"
                    + " master thread for each quantum of "
                    + QUANTUM_PAGES
                    + " pages, with a time of their own; the profile has none, since the fitted"
                    + " cycles of a page contain them. Alone, and "
                    + TOGETHER
                    + " sessions, wide and narrow in turn.")
            .number("worker", "us")
            .number("master", "us")
            .number("wide alone", "ms")
            .number("narrow alone", "ms")
            .number("together: mean", "ms")
            .number("together: last", "ms");
    Runtime quantum = Runtime.quantum(QUANTUM_PAGES);
    for (int[] us : new int[][] {{0, 0}, {1, 0}, {0, 5}, {1, 5}, {2, 10}}) {
      byte[] threads =
          profile
              .with("device.thread_worker_ns", 1000L * us[0], WHY)
              .with("device.thread_master_ns", 1000L * us[1], WHY)
              .wireArray();
      Together all = play(threads, List.of(wide, narrow), TOGETHER, quantum);
      table.row(
          us[0],
          us[1],
          play(threads, List.of(wide), 1, quantum).lastMs(),
          play(threads, List.of(narrow), 1, quantum).lastMs(),
          all.meanMs(),
          all.lastMs());
    }
    return table;
  }

  private Table polls(EventLog wide) throws ProfileException {
    Table table =
        Table.of(
                "Polls",
                "Polls in vain every 10 ms; and by a rule: the first poll after 0.1 ms, twice as"
                    + " long after each poll in vain, 80 ms at most, half as long after one that"
                    + " found results. The paper's interval adapts; how, it does not say.")
            .number("sessions", "")
            .number("fixed: polls", "")
            .number("fixed: mean", "ms")
            .number("adaptive: polls", "")
            .number("adaptive: mean", "ms");
    List<EventLog> logs = Collections.singletonList(wide);
    Runtime fixed = Runtime.quantum(QUANTUM_PAGES);
    for (int sessions : SESSIONS) {
      Together before = play(bytes, logs, sessions, fixed);
      Together after = play(bytes, logs, sessions, fixed.polls(MIN_POLL_PS, MAX_POLL_PS));
      table.row(sessions, before.polls(), before.meanMs(), after.polls(), after.meanMs());
    }
    return table;
  }

  private Table queries(List<EventLog> logs) throws ProfileException {
    Table table =
        Table.of(
                "Several queries at once",
                "An aggregation of 0.1 % and selections of 0.1 % and 10 % over the wide table, and"
                    + " the same over the narrow one: one after the other, and all at once on one"
                    + " core and more. Not in the paper.")
            .number("cores", "")
            .number("one after the other", "ms")
            .number("at once: first", "ms")
            .number("at once: mean", "ms")
            .number("at once: last", "ms")
            .number("gain in throughput", "x");
    Runtime quantum = Runtime.quantum(QUANTUM_PAGES);
    for (int cores : new int[] {1, 2, 3, 4}) {
      byte[] with = profile.with("device.core_count", cores, WHY).wireArray();
      double sum = 0;
      for (EventLog log : logs) {
        sum += play(with, List.of(log), 1, quantum).lastMs();
      }
      Together all = play(with, logs, logs.size(), quantum);
      table.row(cores, sum, all.firstMs(), all.meanMs(), all.lastMs(), sum / all.lastMs());
    }
    return table;
  }
}
