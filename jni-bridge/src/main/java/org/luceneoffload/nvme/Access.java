/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme;

import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.function.BiPredicate;
import org.luceneoffload.device.Device.Claim;

/**
 * What is done with a namespace, whatever the way to it.
 *
 * @param claim what may be done with a namespace that holds no volume of ours
 * @param readOnly whether writes are refused
 * @param timeoutMillis after which a command is given up
 * @param opcodes what the device calls the vendor commands
 * @param force whether a device is asked that does not say, in its effects log, that it takes them
 * @param commands what plans are sent by
 */
public record Access(
    Claim claim,
    boolean readOnly,
    int timeoutMillis,
    Opcodes opcodes,
    boolean force,
    Commands commands) {
  /** What plans are sent by. */
  public enum Commands {
    /** The vendor's commands. */
    VENDOR,
    /** The standard's: memory range sets and programs of the device. */
    PROGRAMS,
    /** The vendor's, or the standard's if the device lists no others. */
    AUTO
  }

  /** The options that {@link #parse} understands, for messages. */
  public static final String GRAMMAR =
      "claim=empty|overwrite (a namespace without a volume),"
          + " readonly=true|false, timeout=MILLISECONDS, opcodes=80..f0 (hexadecimal base of the"
          + " vendor opcodes), force=true|false (ask even if the effects log lacks them)";

  private static final int DEFAULT_TIMEOUT_MILLIS = 5_000;
  private static final int MAX_TIMEOUT_MILLIS = 600_000;

  /** How one kind of device spells its options, for messages. */
  public record Spelling(String scheme, String grammar) {
    /** Returns the exception for a malformed value. */
    public IllegalArgumentException malformed(String key, String value) {
      return new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "malformed value '%s' of %s option '%s'; a name is %s",
              value,
              scheme,
              key,
              grammar));
    }

    /** Parses a number in decimal, or hexadecimal of two digits. */
    public int number(String key, String value, int radix, int min, int max) {
      if (value.matches(radix == 16 ? "[0-9a-fA-F]{1,2}" : "[0-9]{1,9}")) {
        int number = Integer.parseInt(value, radix);
        if (number >= min && number <= max) {
          return number;
        }
      }
      throw malformed(key, value);
    }

    private boolean bool(String key, String value) {
      return switch (value) {
        case "true" -> true;
        case "false" -> false;
        default -> throw malformed(key, value);
      };
    }

    private Claim claim(String value) {
      return switch (value) {
        case "empty" -> Claim.EMPTY;
        case "overwrite" -> Claim.OVERWRITE;
        default -> throw malformed("claim", value);
      };
    }
  }

  /**
   * Reads options.
   *
   * @param parts of a device name, split at commas; the first one is no option
   * @param others takes key and value of an option that is not one of these; false if it is unknown
   * @throws IllegalArgumentException naming the key or value that is wrong
   */
  public static Access parse(
      Spelling spelling, String[] parts, BiPredicate<String, String> others) {
    Claim claim = Claim.NONE;
    boolean readOnly = false;
    int timeout = DEFAULT_TIMEOUT_MILLIS;
    Opcodes opcodes = Opcodes.WIRE;
    boolean force = false;
    Set<String> seen = new HashSet<>();
    for (int i = 1; i < parts.length; i++) {
      int equals = parts[i].indexOf('=');
      if (equals < 0) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "%s option '%s' has no value; a name is %s",
                spelling.scheme,
                parts[i],
                spelling.grammar));
      }
      String key = parts[i].substring(0, equals);
      String value = parts[i].substring(equals + 1);
      if (!seen.add(key)) {
        throw new IllegalArgumentException(
            spelling.scheme + " option '" + key + "' is given twice");
      }
      switch (key) {
        case "claim" -> claim = spelling.claim(value);
        case "readonly" -> readOnly = spelling.bool(key, value);
        case "timeout" -> timeout = spelling.number(key, value, 10, 1, MAX_TIMEOUT_MILLIS);
        case "opcodes" -> opcodes = new Opcodes(spelling.number(key, value, 16, 0, 0xFF));
        case "force" -> force = spelling.bool(key, value);
        default -> {
          if (!others.test(key, value)) {
            throw new IllegalArgumentException(
                String.format(
                    Locale.ROOT,
                    "unknown %s option '%s'; a name is %s",
                    spelling.scheme,
                    key,
                    spelling.grammar));
          }
        }
      }
    }
    if (readOnly && claim != Claim.NONE) {
      throw new IllegalArgumentException(
          spelling.scheme
              + " options 'claim' and 'readonly=true' exclude each other: a claim writes");
    }
    return new Access(claim, readOnly, timeout, opcodes, force, Commands.VENDOR);
  }

  /** Returns the same with other commands. */
  public Access with(Commands others) {
    return new Access(claim, readOnly, timeoutMillis, opcodes, force, others);
  }
}
