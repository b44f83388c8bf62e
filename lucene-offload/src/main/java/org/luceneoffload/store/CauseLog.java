/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Warnings, one line per cause, however often it comes. */
public final class CauseLog {
  private static final Logger LOGGER = System.getLogger("org.luceneoffload");
  private static final int MAX_CAUSES = 1000;
  private static final Set<String> LOGGED = ConcurrentHashMap.newKeySet();

  private CauseLog() {}

  /**
   * Logs a warning unless one for the same cause was logged before.
   *
   * @param cause what tells causes apart; names no single file if many may have the trouble
   * @param message one line for people
   */
  public static void warn(String cause, String message) {
    if (LOGGED.size() < MAX_CAUSES && LOGGED.add(cause)) {
      LOGGER.log(Level.WARNING, message);
    }
  }
}
