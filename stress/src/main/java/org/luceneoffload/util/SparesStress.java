/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.util;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** {@link Spares}: nothing is taken twice, nothing is lost, and what is taken is seen whole. */
public final class SparesStress {
  private SparesStress() {}

  /** Something whose field is written before it is put. */
  private static final class Thing {
    int value;
  }

  /** Two threads take; there is one object. */
  @JCStressTest
  @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "the first thread has it")
  @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "the second thread has it")
  @Outcome(expect = Expect.FORBIDDEN, desc = "taken twice, or lost")
  @State
  public static class TakenOnce {
    private final Spares<Thing> spares = new Spares<>(4);

    /** Puts the object. */
    public TakenOnce() {
      spares.put(new Thing());
    }

    /** Takes. */
    @Actor
    public void first(II_Result result) {
      result.r1 = spares.takeAny() == null ? 0 : 1;
    }

    /** Takes. */
    @Actor
    public void second(II_Result result) {
      result.r2 = spares.takeAny() == null ? 0 : 1;
    }
  }

  /** One thread puts, another takes; what is left in the end is counted. */
  @JCStressTest
  @Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "one object, seen whole")
  @Outcome(expect = Expect.FORBIDDEN, desc = "lost, doubled, or seen before it was written")
  @State
  public static class NothingIsLost {
    private final Spares<Thing> spares = new Spares<>(4);
    private int seen;

    /** Puts an object. */
    @Actor
    public void put() {
      Thing thing = new Thing();
      thing.value = 1;
      spares.put(thing);
    }

    /** Takes what is there. */
    @Actor
    public void take() {
      Thing thing = spares.takeAny();
      seen = thing == null ? 0 : thing.value == 1 ? 1 : 100;
    }

    /** Takes what is left. */
    @Arbiter
    public void count(I_Result result) {
      int left = 0;
      for (Thing thing = spares.takeAny(); thing != null; thing = spares.takeAny()) {
        left += thing.value;
      }
      result.r1 = seen + left;
    }
  }
}
