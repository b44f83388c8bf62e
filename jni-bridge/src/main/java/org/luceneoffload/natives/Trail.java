/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.natives;

import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;

/**
 * Turns what native calls return into exceptions: a call takes {@link #bytes} and, when it fails,
 * leaves its error trail there.
 */
public final class Trail {
  private static final int BYTES = 1024;

  /** How the engine names an LBA; the innermost cause comes first. */
  private static final Pattern LBA = Pattern.compile("\\bLBA (\\d{1,18})\\b");

  /** Where a failing call writes its trail, zero terminated unless full. */
  public final byte[] bytes = new byte[BYTES];

  /**
   * Checks what a native call returned.
   *
   * @param result 0 or more, or a negated status
   * @param what what was asked, for the message
   * @return {@code result}
   * @throws OffloadException if it is negative
   */
  public long check(long result, String what) throws OffloadException {
    if (result >= 0) {
      return result;
    }
    String reason = text();
    String message = reason.isEmpty() ? what + " failed" : what + " failed: " + reason;
    throw new OffloadException(status(result), message, lba(reason));
  }

  private static long lba(String reason) {
    Matcher named = LBA.matcher(reason);
    return named.find() ? Long.parseLong(named.group(1)) : OffloadException.NO_LBA;
  }

  private static int status(long result) {
    return -result <= Short.MAX_VALUE ? (int) -result : OffloadWire.Status.INTERNAL;
  }

  private String text() {
    int length = 0;
    while (length < bytes.length && bytes[length] != 0) {
      length++;
    }
    return new String(bytes, 0, length, StandardCharsets.UTF_8);
  }
}
