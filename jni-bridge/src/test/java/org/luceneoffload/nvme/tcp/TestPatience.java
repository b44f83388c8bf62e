/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;

/** What has come is taken, however late this process looks; but a node that drips is late. */
class TestPatience {
  private static final int MILLIS = 1;

  /** One whose time is over. */
  private static Patience over() throws InterruptedException {
    Patience patience = Patience.of(MILLIS);
    Thread.sleep(2 * MILLIS);
    return patience;
  }

  private static void assertOver(Patience patience, boolean ready) {
    OffloadException e = assertThrows(OffloadException.class, () -> patience.check(ready));
    assertEquals(OffloadWire.Status.TIMED_OUT, e.status());
  }

  @Test
  void nobodyWaitsForWhatDoesNotCome() throws Exception {
    assertOver(over(), false);
  }

  @Test
  void whatIsThereIsTakenOnce() throws Exception {
    Patience patience = over();
    patience.check(true);
    assertOver(patience, true);
  }

  @Test
  void eachAnswerHasATimeOfItsOwn() throws Exception {
    Patience patience = over();
    patience.check(true);
    patience.answered();
    Thread.sleep(2 * MILLIS);
    patience.check(true);
    assertOver(patience, false);
  }
}
