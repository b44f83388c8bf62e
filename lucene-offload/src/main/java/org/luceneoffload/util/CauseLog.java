/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.util;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * The one way to the log: one line per cause in the life of the process, however often it comes,
 * and at most {@value #MAX_CAUSES} causes of a kind. What is not logged is still counted.
 */
public final class CauseLog {
  /** Name of the logger. */
  public static final String NAME = "org.luceneoffload";

  /** Causes of a kind that are logged. */
  public static final int MAX_CAUSES = 10;

  private static final int MAX_KINDS = 100;
  private static final Logger LOGGER = System.getLogger(NAME);
  private static final Map<String, Set<String>> LOGGED = new ConcurrentHashMap<>();

  private CauseLog() {}

  /** Logs a warning; see {@link #log}. */
  public static void warn(String kind, String cause, String message) {
    log(Level.WARNING, kind, cause, message);
  }

  /**
   * Logs, unless it did so before for the same kind and cause.
   *
   * @param kind one of a fixed number of kinds of trouble; names no file, device or number
   * @param cause what tells causes of a kind apart, such as a file or a device
   * @param message one line for people
   */
  public static void log(Level level, String kind, String cause, String message) {
    log(level, kind, cause, () -> message);
  }

  /**
   * Logs as {@link #log(Level, String, String, String)}; makes the message only if it is logged.
   */
  public static void log(Level level, String kind, String cause, Supplier<String> message) {
    Set<String> causes = LOGGED.get(kind);
    if (causes == null) {
      if (LOGGED.size() >= MAX_KINDS) {
        return; // somebody takes for a kind what is none
      }
      causes = LOGGED.computeIfAbsent(kind, unused -> ConcurrentHashMap.newKeySet());
    }
    // Of threads that meet at the limit each may log one more.
    if (causes.size() < MAX_CAUSES && causes.add(cause)) {
      boolean last = causes.size() >= MAX_CAUSES;
      String line = Text.line(message.get()); // it may tell of names that an application was given
      LOGGER.log(level, last ? line + " (more of this kind: counted, not logged)" : line);
    }
  }

  /** Forgets what was logged, for tests. */
  static void forget() {
    LOGGED.clear();
  }
}
