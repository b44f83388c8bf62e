/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.tables;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.LongStream;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.ModelReport;
import org.luceneoffload.model.ProfileException;
import org.luceneoffload.papers.classic.EventLog;
import org.luceneoffload.papers.classic.TableStore;
import org.luceneoffload.papers.classic.table.Layout;
import org.luceneoffload.papers.classic.table.Query;
import org.luceneoffload.papers.classic.table.TableScan;
import org.luceneoffload.papers.study.Table;
import org.luceneoffload.wire.OffloadWire.ModelSide;

/**
 * Several sessions at once, as the paper's section 3 describes their runtime: a fixed grant of
 * memory when a session opens, loaded pages pinned until they are done with, a core that programs
 * leave after a few pages, polls whose interval adapts. The paper has no figures of this.
 */
public final class SessionStudy {
  private static final int SCALE = 2048;
  private static final int GRANT_PAGES = 128;
  private static final int QUANTUM_PAGES = 4;
  private static final long MIN_POLL_PS = 100_000_000L;
  private static final long MAX_POLL_PS = 80_000_000_000L;
  private static final long PAGES_A_MB = (1 << 20) / TableScan.PAGE_BYTES;
  private static final List<Integer> SESSIONS = List.of(1, 2, 4, 8, 16);
  private static final List<Integer> MEMORY_MB = List.of(1, 4, 16, 64);

  private final DeviceProfile profile;
  private final byte[] bytes;

  private SessionStudy(DeviceProfile profile) {
    this.profile = profile;
    bytes = profile.wireArray();
  }

  /** Runs all, and returns tables for the report. */
  static List<Table> run(DeviceProfile profile) throws IOException {
    SessionStudy study = new SessionStudy(profile);
    Query query = Query.ofPpm(TableLab.SELECTIVITIES.get(0), true);
    List<Table> sections = new ArrayList<>();
    try (TableStore store = new TableStore();
        EventLog wide = log(store, 64, Layout.NSM, query);
        EventLog narrow = log(store, 4, Layout.PAX, query)) {
      sections.add(study.memory(wide, narrow));
      sections.add(study.quanta(wide, narrow));
      sections.add(study.polls(wide));
    }
    return sections;
  }

  private static EventLog log(TableStore store, int columns, Layout layout, Query query) {
    TableScan table = TableLab.table(columns, layout, SCALE);
    return table.onDevice(store, List.of(query)).get(0).log();
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
  static Together play(byte[] profile, List<EventLog> logs, int sessions, EventLog.Runtime runtime)
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
    List<List<String>> rows = new ArrayList<>();
    for (int sessions : SESSIONS) {
      for (int mb : MEMORY_MB) {
        EventLog.Runtime runtime =
            EventLog.Runtime.quantum(QUANTUM_PAGES).memory((int) (mb * PAGES_A_MB), GRANT_PAGES);
        Together w = play(bytes, List.of(wide), sessions, runtime);
        Together n = play(bytes, List.of(narrow), sessions, runtime);
        rows.add(
            List.of(
                sessions + "",
                mb + " MB",
                Math.min(sessions, mb * PAGES_A_MB / GRANT_PAGES) + "",
                number(w.meanMs()),
                number(w.lastMs()),
                number(w.pagesAMs()),
                number(n.meanMs()),
                number(n.lastMs())));
      }
    }
    return Table.ofText(
        "Sessions and memory",
        "Aggregations over 1/"
            + SCALE
            + " of a table that begin together, each granted 1 MB when it opens; who finds no"
            + " memory waits. Wide: 64 columns, NSM; narrow: 4 columns, PAX. One core, which"
            + " programs leave after "
            + QUANTUM_PAGES
            + " pages. Not in the paper.",
        List.of(
            ">sessions",
            ">memory",
            ">open at once",
            ">wide: mean, ms",
            ">last, ms",
            ">pages a ms",
            ">narrow: mean, ms",
            ">last, ms"),
        rows);
  }

  private Table quanta(EventLog wide, EventLog narrow) throws ProfileException {
    List<List<String>> rows = new ArrayList<>();
    for (int quantum : new int[] {0, 1, 4, 16, 64}) {
      EventLog.Runtime runtime = EventLog.Runtime.quantum(quantum);
      Together one = play(bytes, List.of(wide, narrow), 8, runtime);
      byte[] more = profile.with("device.core_count", 3, "an experiment").wireArray();
      Together three = play(more, List.of(wide, narrow), 8, runtime);
      rows.add(
          List.of(
              quantum == 0 ? "whole program" : quantum + " pages",
              number(one.firstMs()),
              number(one.meanMs()),
              number(one.lastMs()),
              number(three.firstMs()),
              number(three.meanMs()),
              number(three.lastMs())));
    }
    return Table.ofText(
        "How long a program keeps its core",
        "Eight sessions, wide and narrow in turn, memory for all; on one core and on three. A"
            + " change of program takes "
            + profile.get("device.core_switch_ns") / 1000
            + " us (an estimate). Not in the paper.",
        List.of(
            "quantum",
            ">one core: first, ms",
            ">mean, ms",
            ">last, ms",
            ">three cores: first, ms",
            ">mean, ms",
            ">last, ms"),
        rows);
  }

  private Table polls(EventLog wide) throws ProfileException {
    List<List<String>> rows = new ArrayList<>();
    for (int sessions : SESSIONS) {
      List<EventLog> logs = Collections.singletonList(wide);
      EventLog.Runtime fixed = EventLog.Runtime.quantum(QUANTUM_PAGES);
      Together before = play(bytes, logs, sessions, fixed);
      Together after = play(bytes, logs, sessions, fixed.polls(MIN_POLL_PS, MAX_POLL_PS));
      rows.add(
          List.of(
              sessions + "",
              before.polls() + "",
              number(before.meanMs()),
              after.polls() + "",
              number(after.meanMs())));
    }
    return Table.ofText(
        "Polls",
        "Polls in vain every 10 ms; and by a rule: the first poll after 0.1 ms, twice as long after"
            + " each poll in vain, 80 ms at most, half as long after one that found results. The"
            + " paper's interval adapts; how, it does not say.",
        List.of(">sessions", ">polls", ">mean, ms", ">adaptive: polls", ">mean, ms"),
        rows);
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }
}
