/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.tasks;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.ModelNames;
import org.luceneoffload.model.ModelReport;
import org.luceneoffload.model.ProfileException;
import org.luceneoffload.papers.classic.EventLog;
import org.luceneoffload.papers.tasks.TaskPage.Work;
import org.luceneoffload.wire.OffloadWire;

/**
 * Plays the pages of a workload, in any of the paper's modes. Pages are repeated in turn until
 * there are as many as asked for: what a page more takes, once all is under way, is the difference
 * of two lengths.
 */
final class TaskLab implements AutoCloseable {
  /** Places of the task queue. The paper does not say how many; see the table of queue lengths. */
  static final int SLOTS = 8;

  private static final int PPM = 1_000_000;

  /** Pages of the shorter of the two runs that the report takes a steady rate from. */
  static final int PAGES = 4_000;

  private static final int OPEN_BYTES = 64;
  private static final int RESULT_BYTES = 4096;

  /**
   * A workload.
   *
   * @param name of it
   * @param pages what it does with each
   * @param build what it does before with each page of a table that is joined; none without a join
   * @param tableBytes of the hash table that this makes, which goes to the device with INIT_TSK if
   *     the host has made it
   */
  record Workload(String name, List<TaskPage> pages, List<TaskPage> build, int tableBytes) {
    /** A workload without a join. */
    Workload(String name, List<TaskPage> pages) {
      this(name, pages, List.of(), 0);
    }

    /** Returns the mean of something over the pages, with the share of the build phase. */
    double mean(ToLongFunction<Work> units) {
      long sum = 0;
      for (TaskPage page : pages) {
        sum += units.applyAsLong(page.all());
      }
      for (TaskPage page : build) {
        sum += units.applyAsLong(page.all());
      }
      return (double) sum / pages.size();
    }
  }

  /**
   * How a workload runs.
   *
   * @param markedPpm share of the pages that is asked of the device, per million
   * @param dynamic whether pages that find the queue full come to the host as they are
   * @param filters whether the device filters only (the paper's hand-coded mode)
   * @param slots places of the task queue
   * @param apart whether the host computes only when all pages have come, as in the paper
   */
  record Mode(int markedPpm, boolean dynamic, boolean filters, int slots, boolean apart) {
    /** Everything on the host. */
    static final Mode HOST = fixed(0);

    /** Everything on the device. */
    static final Mode DEVICE = fixed(PPM);

    static final Mode DYNAMIC = new Mode(PPM, true, false, SLOTS, true);
    static final Mode HAND_CODED = new Mode(PPM, false, true, SLOTS, true);

    /** Returns the static mode with a share of the pages on the device. */
    static Mode fixed(int ppm) {
      return new Mode(ppm, false, false, SLOTS, true);
    }

    /** Returns what tables call it: the paper's bars. */
    String name() {
      if (filters) {
        return "HD";
      }
      return dynamic ? "DYN" : Double.toString(markedPpm / (double) PPM);
    }

    Mode withSlots(int places) {
      return new Mode(markedPpm, dynamic, filters, places, apart);
    }

    /** Returns whether the device builds the hash table that it probes: it does all else, too. */
    private boolean buildsOnDevice() {
      return markedPpm == PPM && !dynamic && !filters;
    }

    /** Returns whether both sides probe. */
    private boolean probesOnBoth() {
      return markedPpm > 0 && !filters && !buildsOnDevice();
    }

    /** Returns the same, with a host that computes while pages come. */
    Mode overlapped() {
      return new Mode(markedPpm, dynamic, filters, slots, false);
    }
  }

  /**
   * What pages took.
   *
   * @param deviceMs until the last page or answer had come
   * @param hostMs what the host computed after that
   * @param ms all of it
   * @param onDevice share of the pages that the device did
   * @param pages how many there were
   * @param busyMs use of resources, all units together, by {@link ModelNames#RESOURCES}
   * @param energyMj of all components, idle and active
   */
  record Outcome(
      double deviceMs,
      double hostMs,
      double ms,
      double onDevice,
      int pages,
      Map<String, Double> busyMs,
      double energyMj) {
    /** Returns the gain in time over another way, in percent. */
    double gainPct(Outcome over) {
      return 100 * (over.ms / ms - 1);
    }

    private Outcome less(Outcome shorter) {
      int more = pages - shorter.pages;
      double done = onDevice * pages - shorter.onDevice * shorter.pages;
      return plus(shorter, -1, done / more, more);
    }

    /** Adds a part of the build phase, whose pages are not counted. */
    private Outcome after(Outcome build, double part) {
      return plus(build, part, onDevice, pages);
    }

    private Outcome plus(Outcome other, double times, double share, int count) {
      Map<String, Double> busy = new HashMap<>(busyMs);
      other.busyMs.forEach((name, time) -> busy.merge(name, times * time, Double::sum));
      return new Outcome(
          deviceMs + times * other.deviceMs,
          hostMs + times * other.hostMs,
          ms + times * other.ms,
          share,
          count,
          busy,
          energyMj + times * other.energyMj);
    }

    /** Returns the share of the time for which units of a resource are in use, in percent. */
    double usePct(String resource, long units) {
      return 100 * busyMs.get(resource) / (ms * units);
    }
  }

  private final Map<String, EventLog> logs = new HashMap<>();
  private final int pages;

  /**
   * Prepares a lab.
   *
   * @param pages of the shorter of the two runs that a steady rate is taken from
   */
  TaskLab(int pages) {
    this.pages = pages;
  }

  int pages() {
    return pages;
  }

  /** Measures what so many more pages take when all is under way. */
  Outcome steady(DeviceProfile profile, Workload workload, Mode mode) throws ProfileException {
    return steady(profile, workload, mode, pages);
  }

  /** Measures the same with other lengths, which have to be long for a long queue. */
  Outcome steady(DeviceProfile profile, Workload workload, Mode mode, int length)
      throws ProfileException {
    int whole = rounds(workload, length);
    Outcome more =
        play(profile, workload, mode, 2 * whole).less(play(profile, workload, mode, whole));
    double tables = (double) whole / workload.pages().size();
    return workload.build().isEmpty() ? more : more.after(build(profile, workload, mode), tables);
  }

  /** Measures the workload with a table of the paper's size, from the first command on. */
  Outcome table(DeviceProfile profile, Workload workload, Mode mode) throws ProfileException {
    Outcome pages = play(profile, workload, mode, workload.pages().size());
    return workload.build().isEmpty() ? pages : pages.after(build(profile, workload, mode), 1);
  }

  /** Plays the build phase: by the device alone, or by the host, which hands the table on. */
  private Outcome build(DeviceProfile profile, Workload workload, Mode mode)
      throws ProfileException {
    boolean handsOn = mode.probesOnBoth();
    Workload build =
        new Workload(
            workload.name() + (handsOn ? " build for both" : " build"),
            workload.build(),
            List.of(),
            handsOn ? workload.tableBytes() : 0);
    int marked = mode.buildsOnDevice() ? PPM : 0;
    Mode how = new Mode(marked, false, false, mode.slots(), mode.apart());
    return play(profile, build, how, build.pages().size());
  }

  /**
   * Returns the rounds over at least so many pages, each equally often if there are few: they may
   * differ much.
   */
  private static int rounds(Workload workload, int length) {
    int pages = workload.pages().size();
    return 2 * pages > length ? length : (length + pages - 1) / pages * pages;
  }

  /** Plays so many pages of a workload, from the first command to the result. */
  private Outcome play(DeviceProfile profile, Workload workload, Mode mode, int length)
      throws ProfileException {
    EventLog log = log(workload, mode, length);
    EventLog.Played played =
        log.play(
            profile.wireArray(),
            new EventLog.Split(mode.slots(), mode.markedPpm(), mode.dynamic(), mode.apart()));
    ModelReport report = ModelReport.read(played.total());
    double ms = report.elapsedPs() / 1e9;
    double host = report.partMs("compute");
    Map<String, Double> busy = new HashMap<>();
    report.busyPs().forEach((name, time) -> busy.put(name, time / 1e9));
    double picojoules =
        Stream.of(report.idlePj(), report.activePj())
            .flatMap(energy -> energy.values().stream())
            .mapToDouble(Long::doubleValue)
            .sum();
    double share = (double) played.counts().processed() / length;
    return new Outcome(ms - host, host, ms, share, length, busy, picojoules / 1e9);
  }

  private EventLog log(Workload workload, Mode mode, int pages) {
    boolean session =
        mode.markedPpm() > 0 || workload.build().isEmpty() && workload.tableBytes() > 0;
    String name = workload.name() + " " + mode.filters() + " " + session + " " + pages;
    return logs.computeIfAbsent(name, n -> record(workload, mode.filters(), session, pages));
  }

  private static EventLog record(Workload workload, boolean filters, boolean session, int pages) {
    EventLog.Builder events = new EventLog.Builder();
    long lba = 0;
    for (int i = 0; i < pages; i++) {
      TaskPage page = workload.pages().get(i % workload.pages().size());
      (filters ? page.filter() : page.all()).addTo(events);
      events.task(lba, page.bytes());
      lba += page.bytes() / OffloadWire.LBA_BYTES;
      if (filters && !page.rest().equals(Work.NONE)) {
        page.rest().addTo(events);
        events.rest(page.restBytes());
      }
    }
    int handed = workload.build().isEmpty() ? workload.tableBytes() : 0;
    if (session && handed == 0) {
      events.send(RESULT_BYTES);
    }
    return events.end(OPEN_BYTES + handed, !session);
  }

  @Override
  public void close() {
    logs.values().forEach(EventLog::close);
    logs.clear();
  }
}
