/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.drive;

import java.io.IOException;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.ModelReport;
import org.luceneoffload.papers.classic.EventLog;
import org.luceneoffload.wire.OffloadWire;

/**
 * Predicts what a cold query takes on the host of a profile, from what it counted and from what the
 * engine asks for (docs/internals/READS.md): the pages of its terms, twice, one after the other;
 * then the pages of its lists, in reads of up to 16 pages, of each list the first at once and two
 * more ahead of the one that is worked on. The work lies evenly between the reads.
 */
final class ColdPrediction {
  private static final int PAGE_BYTES = OffloadWire.PAGE_BYTES;
  private static final int RUN_PAGES = 16;
  private static final int FLASH_PAGES = DriveFit.FLASH_PAGE_BYTES / PAGE_BYTES;
  private static final int RUNS_AHEAD = 2;
  private static final int WAVES_OF_TERMS = 2;

  /** Flash pages among which the reads are spread. */
  private static final int PLACES = 1 << 14;

  private final EventLog.Builder log = new EventLog.Builder();
  private final SplittableRandom places = new SplittableRandom(1);

  private ColdPrediction() {}

  /** Returns the microseconds that the model gives a query. */
  static double micros(LabIndex.Task task, HostLab.Work work, DeviceProfile profile)
      throws IOException {
    ColdPrediction prediction = new ColdPrediction();
    for (int wave = 0; wave < WAVES_OF_TERMS; wave++) {
      prediction.terms(task.words());
    }
    prediction.lists(task.lists(), work);
    try (EventLog played = prediction.log.end(0, false)) {
      byte[] report = played.play(profile.wireArray(), OffloadWire.ModelSide.HOST);
      return ModelReport.read(report).elapsedPs() / 1e6;
    }
  }

  private long place() {
    return (long) places.nextInt(PLACES) * FLASH_PAGES;
  }

  private void terms(int words) {
    long[] at = new long[words];
    for (int i = 0; i < words; i++) {
      at[i] = place();
      log.readAhead(at[i], PAGE_BYTES);
    }
    for (long page : at) {
      log.load(page, PAGE_BYTES);
    }
  }

  private void lists(int lists, HostLab.Work work) {
    int[] pages = runs(lists, work.pages());
    long[] at = new long[pages.length];
    for (int i = 0; i < pages.length; i++) {
      at[i] = place();
    }
    int asked = 0;
    for (int i = 0; i < pages.length; i++) {
      int upTo = Math.min(pages.length, i == 0 ? lists : i + 1 + lists * RUNS_AHEAD);
      for (; asked < upTo; asked++) {
        log.readAhead(at[asked], pages[asked] * PAGE_BYTES);
      }
      log.load(at[i], pages[i] * PAGE_BYTES);
      for (int kind = 0; kind < work.units().length; kind++) {
        long units = Math.round(work.units()[kind]);
        log.work(kind, units * (i + 1) / pages.length - units * i / pages.length);
      }
    }
  }

  /** Divides pages among lists, and those of each into reads; returns the pages of each read. */
  private static int[] runs(int lists, long pages) {
    int of = (int) Math.max(1, Math.min(lists, pages));
    int[][] each = new int[of][];
    int most = 0;
    for (int list = 0; list < of; list++) {
      int count = (int) (pages * (list + 1) / of - pages * list / of);
      int reads = Math.max(1, Math.ceilDiv(count, RUN_PAGES));
      each[list] = new int[reads];
      for (int i = 0; i < reads; i++) {
        each[list][i] = Math.max(1, Math.min(RUN_PAGES, count - i * RUN_PAGES));
      }
      most = Math.max(most, reads);
    }
    // The lists are read side by side.
    IntStream.Builder all = IntStream.builder();
    for (int i = 0; i < most; i++) {
      for (int[] list : each) {
        if (i < list.length) {
          all.add(list[i]);
        }
      }
    }
    return all.build().toArray();
  }
}
