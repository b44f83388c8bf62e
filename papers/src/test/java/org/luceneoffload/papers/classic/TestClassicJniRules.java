/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.classic;

import org.junit.jupiter.api.Test;
import org.luceneoffload.papers.classic.ClassicModel.Workload;
import org.luceneoffload.util.CheckedJni;
import org.luceneoffload.wire.OffloadWire;

/** Every native function, called in a JVM that checks the rules of JNI: it has nothing to say. */
class TestClassicJniRules {
  /** Calls every native function, most of them also so that they fail. */
  static final class Child {
    public static void main(String[] args) {
      byte[] profile = ProfileBytes.valid().array();
      ClassicModel.checkProfile(profile);
      int side = OffloadWire.ModelSide.DEVICE;
      ClassicModel.playReads(profile, side, 10, 4096, 2, 100, 1);
      refused(() -> ClassicModel.playReads(profile, side, 0, 4096, 2, 100, 1));
      refused(() -> ClassicModel.checkProfile(new byte[3]));
      Workload workload = new Workload(2, 3000, 10, 1000, 0, 1, false);
      refused(() -> ClassicModel.record(workload, Operation.INTERSECTION, false, false, 1));
      try (ClassicModel model =
          ClassicModel.record(workload, Operation.INTERSECTION, false, true, 0)) {
        model.play(profile, side, new long[] {0, 7}, 50);
        refused(() -> model.play(profile, 5));
      }
      ClassicLists.of(workload);
      EventLog.Builder events = new EventLog.Builder().load(0, 8192).work(0, 3).ask(0, 0);
      try (EventLog log = new EventLog.Builder().task(0, 8192).rest(100).end(10, false)) {
        log.play(profile, new EventLog.Split(4, 1_000_000, true, false));
        refused(() -> log.play(profile, side));
      }
      try (EventLog log = events.end(10, false)) {
        log.play(profile, side);
        refused(() -> log.play(new byte[3], side));
        refused(() -> log.play(profile, 5));
      }
      refused(() -> new EventLog.Builder().load(0, 0).end(0, true).play(profile, side));
      refused(() -> ClassicLists.of(new Workload(2, 0, 10, 1000, 0, 1, false)));
      System.out.println("done");
    }

    private static void refused(Runnable call) {
      try {
        call.run();
      } catch (IllegalArgumentException expected) {
        return;
      }
      throw new IllegalStateException("that should have been refused");
    }
  }

  @Test
  void nothingIsReported() throws Exception {
    CheckedJni.assertNothingIsReported(Child.class);
  }

  @Test
  void noFunctionTakesManyValues() {
    CheckedJni.assertFewParameters(
        ClassicModel.class, ClassicLists.class, EventLog.class, TableStore.class);
  }
}
