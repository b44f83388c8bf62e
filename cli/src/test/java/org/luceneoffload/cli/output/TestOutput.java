/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.output;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.luceneoffload.cli.index.IndexProgress;

/** Tables, figures and the line on a terminal. */
class TestOutput {
  @Test
  void theTimeThatIsLeftIsSaidOnceItCanBeTold() {
    assertEquals("", Terminal.left(1.9, 0.5), "soon done");
    assertEquals("", Terminal.left(60, 0), "nothing known");
    assertEquals("", Terminal.left(60, 1.1), "the input has grown");
    assertEquals(", 30 s left", Terminal.left(10, 0.25));
    assertEquals(", 2 min 00 s left", Terminal.left(40, 0.25));
  }

  @Test
  void columnsAreAligned() {
    StringWriter out = new StringWriter();
    TextTable table = new TextTable("  ", "name", ">n");
    table.add("a", "1");
    table.add("longer", "234");
    table.print(new PrintWriter(out, true));
    assertEquals(
        "  name      n\n  a         1\n  longer  234\n", out.toString().replace("\r\n", "\n"));
    assertThrows(IllegalArgumentException.class, () -> table.add("too few"));
  }

  @Test
  void figuresForPeople() {
    assertEquals("1,234,567", Figures.count(1234567));
    assertEquals("1 hit", Figures.count(1, "hit"));
    assertEquals("0 hits", Figures.count(0, "hit"));
    assertEquals("1023 B", Figures.bytes(1023));
    assertEquals("1.5 KiB", Figures.bytes(1536));
    assertEquals("3.0 GiB", Figures.bytes(3L << 30));
    assertEquals("85 us", Figures.micros(85.2));
    assertEquals("12.3 ms", Figures.micros(12300));
    assertEquals("59 s", Figures.duration(59.4));
    assertEquals("3 min 05 s", Figures.duration(185));
    assertEquals("2 h 03 min", Figures.duration(7380));
    assertEquals("abcd...", Figures.cut("abcdefghij", 7));
  }

  @Test
  void smallNumbersKeepThreeDigits() {
    assertEquals(1234.568, Figures.round(1234.56789));
    assertEquals(0.123, Figures.round(0.12345));
    assertEquals(0.0123, Figures.round(0.012345));
    assertEquals(-0.000417, Figures.round(-1 / 2400.0));
    assertEquals(0, Figures.round(0));
    assertEquals(0, Figures.round(Double.NaN));
  }

  @Test
  void progressTellsRateAndTimeLeft() {
    assertEquals(
        "50,000 documents  5,000 docs/s  2.5 MB/s  25 %, 30 s left",
        IndexProgress.line(50_000, 25_000_000, 10, 0.25));
  }

  @Test
  void onlyATerminalGetsALine() {
    StringWriter err = new StringWriter();
    Terminal none = Terminal.of(new PrintWriter(err, true), false);
    none.show("working");
    none.clear();
    assertEquals("", err.toString());
    none.log("half of it");
    assertEquals("half of it\n", err.toString().replace("\r\n", "\n"));
    err.getBuffer().setLength(0);
    Terminal terminal = Terminal.of(new PrintWriter(err, true), true);
    terminal.show("working");
    terminal.log("half of it");
    terminal.show("work");
    assertEquals("\rworking\rwork   ", err.toString(), "no more columns than it needs");
    terminal.clear();
    assertTrue(err.toString().endsWith("\r    \r"), err.toString());
  }

  @Test
  void partsOfAWorkTellTimeLeft() {
    StringWriter err = new StringWriter();
    Terminal none = Terminal.of(new PrintWriter(err, true), false);
    for (int done = 0; done < 12; done++) {
      none.tell("part " + done, done, 12);
    }
    none.tell("more");
    assertEquals(
        List.of(
            "1 of 12: part 0", "2 of 12: part 1", "5 of 12: part 4", "10 of 12: part 9", "more"),
        err.toString().lines().toList());
    err.getBuffer().setLength(0);
    Terminal terminal = Terminal.of(new PrintWriter(err, true), true);
    terminal.tell("part", 2, 3);
    terminal.tell("other");
    assertEquals("\r3 of 3: part\rother       ", err.toString());
    assertEquals(", 12 s left", Terminal.left(4, 0.25));
    assertEquals("", Terminal.left(1, 0.25), "it is early");
    assertEquals("", Terminal.left(4, 0), "nothing is done");
  }
}
