/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.output;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A line that is rewritten in place on a terminal; elsewhere only what {@link #log} and {@link
 * #tell} get is printed.
 *
 * <p>Java cannot ask whether standard error is a terminal, so the process's own file table is read;
 * where there is none, the answer is no.
 */
public final class Terminal implements Progress {
  private static final int WIDTH = 79;

  /** Of so many parts of a work one is logged. */
  private static final int LOGGED = 5;

  /** Until then nobody asks how long it will take. */
  private static final double MIN_SECONDS = 2;

  private final PrintWriter err;
  private final boolean interactive;
  private int shown; // columns of the line
  private double share = 1; // of the work that is under way
  private long begun;

  private Terminal(PrintWriter err, boolean interactive) {
    this.err = err;
    this.interactive = interactive;
  }

  /** Returns a terminal on standard error. */
  public static Terminal standardError(PrintWriter err) {
    return new Terminal(err, isTerminal(2));
  }

  /** Returns a terminal that is interactive, or is not, whatever {@code err} is. */
  static Terminal of(PrintWriter err, boolean interactive) {
    return new Terminal(err, interactive);
  }

  /** Returns whether a file descriptor of this process is a terminal. */
  static boolean isTerminal(int fileDescriptor) {
    try {
      String target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + fileDescriptor)).toString();
      return target.startsWith("/dev/pts/")
          || target.startsWith("/dev/tty")
          || target.equals("/dev/console");
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }

  /** Returns whether anything is shown. */
  public boolean interactive() {
    return interactive;
  }

  /** Replaces the line. */
  public void show(String text) {
    if (interactive) {
      String cut = text.length() > WIDTH ? text.substring(0, WIDTH) : text;
      err.print("\r" + cut + " ".repeat(Math.max(0, shown - cut.length())));
      err.flush();
      shown = cut.length();
    }
  }

  /**
   * Replaces the line, with the time that is left at its end if the work takes longer.
   *
   * @param done share of the work that is done; a smaller one than before begins another work
   */
  public void show(String text, double done) {
    if (interactive) {
      String left = left(done);
      int room = WIDTH - left.length();
      show((text.length() > room ? text.substring(0, room) : text) + left);
    }
  }

  /** Replaces the line with what runs now, as {@link Progress} is told it. */
  public void show(String step, int done, int total) {
    if (total == 0) {
      show(step);
    } else {
      show(part(step, done, total), (double) done / total);
    }
  }

  /**
   * Shows what runs now; prints it where there is no terminal: of many parts the first two and then
   * each fifth.
   */
  @Override
  public void tell(String step, int done, int total) {
    show(step, done, total);
    if (!interactive && (done <= 1 || (done + 1) % LOGGED == 0)) {
      log(total == 0 ? step : part(step, done, total) + left((double) done / total));
    }
  }

  private static String part(String step, int done, int total) {
    return done + 1 + " of " + total + ": " + step;
  }

  /** Returns how long work takes on that is done to this share. */
  private String left(double done) {
    long now = System.nanoTime();
    if (done < share) {
      begun = now;
    }
    share = done;
    return left((now - begun) / 1e9, done);
  }

  /**
   * Returns how long work takes on, from a comma on, or nothing if that cannot be told.
   *
   * @param seconds that it has taken
   * @param done share of it that is done in that time
   */
  public static String left(double seconds, double done) {
    return seconds < MIN_SECONDS || done <= 0 || done > 1
        ? ""
        : ", " + Figures.duration(seconds * (1 - done) / done) + " left";
  }

  /** Prints a line where there is no terminal. */
  public void log(String text) {
    if (!interactive) {
      err.println(text);
      err.flush();
    }
  }

  /** Wipes the line. */
  public void clear() {
    if (shown > 0) {
      err.print("\r" + " ".repeat(shown) + "\r");
      err.flush();
      shown = 0;
    }
  }
}
