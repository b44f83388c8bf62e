/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.sim;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.luceneoffload.model.Profiles;
import org.luceneoffload.wire.OffloadWire;

/**
 * How to open a simulated device. A number of 0 stands for the default: of the memory what {@link
 * DeviceMemory} gives, of the others the engine's.
 *
 * @param store the store file
 * @param capacityBytes size of the device, a multiple of the LBA
 * @param dramBytes device memory for pages
 * @param indexBytes cache of the page index
 * @param maxSessions sessions open at once
 * @param readOnly whether writes are refused for good, and the store file has to be there
 * @param direct whether pages are read past the system's cache, so that device memory alone keeps
 *     them; where the file system does not let one, they are read as ever
 * @param threads the device's own threads, for all plans; 0: plans run on the callers' threads, and
 *     the device has one thread for those that are split
 * @param budget postings that a plan works off before it looks again whether it is to stop
 * @param windowPages pages of lists that a window of a plan which is split has at least
 * @param queuedWindows windows of all plans which are split that may wait in the device
 * @param rawPercent of the windows that plans which are split offer, so many of 100 are refused at
 *     random, as if the task queue were full: for tests
 * @param profile profile of the device that the planner takes it for, see {@link Profiles#load};
 *     null: none
 */
public record SimOptions(
    Path store,
    long capacityBytes,
    long dramBytes,
    long indexBytes,
    int maxSessions,
    boolean readOnly,
    boolean direct,
    int threads,
    int budget,
    int windowPages,
    int queuedWindows,
    int rawPercent,
    String profile) {

  /** Name of the store file in the index directory. */
  public static final String STORE_FILE_NAME = "offload.vol";

  private static final int MAX_SESSIONS = 65535;
  private static final int MAX_THREADS = 64;
  private static final int MAX_QUEUED = 65536;
  private static final int MAX_PERCENT = 100;

  /** The names that {@link #parse} understands, for messages. */
  static final String GRAMMAR =
      "capacity=SIZE, dram=SIZE, index=SIZE, sessions=N, readonly=true|false, direct=true|false,"
          + " store=FILE, threads=N, budget=N, window=PAGES, queue=N,"
          + " raw=PERCENT, profile=NAME|FILE.json; a SIZE is a"
          + " number of bytes, or one followed by k, m, g or t";

  /**
   * Returns what the engine is told, in a direct buffer.
   *
   * @param share device memory, if the options name none
   */
  ByteBuffer forEngine(long share) {
    ByteBuffer b = ByteBuffer.allocateDirect(SimOpeningStruct.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    SimOpeningStruct.capacityBytes(b, 0, capacityBytes);
    SimOpeningStruct.dramBytes(b, 0, dramBytes != 0 ? dramBytes : share);
    SimOpeningStruct.indexBytes(b, 0, indexBytes);
    SimOpeningStruct.maxSessions(b, 0, maxSessions);
    SimOpeningStruct.threads(b, 0, threads);
    SimOpeningStruct.queuedWindows(b, 0, queuedWindows);
    SimOpeningStruct.rawPercent(b, 0, rawPercent);
    SimOpeningStruct.readOnly(b, 0, readOnly ? 1 : 0);
    SimOpeningStruct.direct(b, 0, direct ? 1 : 0);
    return b;
  }

  /**
   * Reads the part of a device name after {@code sim:}, a comma separated list of {@code
   * key=value}.
   *
   * @param rest the part; empty for the defaults
   * @param home directory in which the store file is, unless {@code store} says otherwise; a
   *     relative {@code store} is resolved against it
   * @throws IllegalArgumentException naming the key or value that is wrong
   */
  public static SimOptions parse(String rest, Path home) {
    Path store = null;
    long capacity = 0;
    long dram = 0;
    long index = 0;
    int sessions = 0;
    boolean readOnly = false;
    boolean direct = false;
    int threads = 0;
    int budget = 0;
    int windowPages = 0;
    int queuedWindows = 0;
    int rawPercent = 0;
    String profile = null;
    Set<String> seen = new HashSet<>();
    if (!rest.isEmpty()) {
      for (String part : rest.split(",", -1)) {
        int equals = part.indexOf('=');
        if (equals < 0) {
          throw new IllegalArgumentException(
              part.isEmpty()
                  ? "empty option in device name 'sim:" + rest + "'; options are " + GRAMMAR
                  : "sim option '"
                      + part
                      + "' has no value (a profile is named by profile=NAME); options are "
                      + GRAMMAR);
        }
        String key = part.substring(0, equals);
        String value = part.substring(equals + 1);
        if (!seen.add(key)) {
          throw new IllegalArgumentException("sim option '" + key + "' is given twice");
        }
        switch (key) {
          case "capacity" -> capacity = size(key, value);
          case "dram" -> dram = size(key, value);
          case "index" -> index = size(key, value);
          case "sessions" -> sessions = (int) number(key, value, 1, MAX_SESSIONS);
          case "readonly" -> readOnly = bool(key, value);
          case "direct" -> direct = bool(key, value);
          case "threads" -> threads = (int) number(key, value, 1, MAX_THREADS);
          case "budget" -> budget = (int) number(key, value, 1, Integer.MAX_VALUE);
          case "window" -> windowPages = (int) number(key, value, 1, Integer.MAX_VALUE);
          case "queue" -> queuedWindows = (int) number(key, value, 1, MAX_QUEUED);
          case "raw" -> rawPercent = (int) number(key, value, 0, MAX_PERCENT);
          case "store" -> store = path(key, value);
          case "profile" -> profile = profile(value);
          default ->
              throw new IllegalArgumentException(
                  "unknown sim option '" + key + "'; options are " + GRAMMAR);
        }
      }
    }
    if (capacity % OffloadWire.LBA_BYTES != 0) {
      throw new IllegalArgumentException(
          "sim option 'capacity' must be a multiple of "
              + OffloadWire.LBA_BYTES
              + ", got "
              + capacity);
    }
    Path file = store == null ? home.resolve(STORE_FILE_NAME) : home.resolve(store);
    return new SimOptions(
        file,
        capacity,
        dram,
        index,
        sessions,
        readOnly,
        direct,
        threads,
        budget,
        windowPages,
        queuedWindows,
        rawPercent,
        profile);
  }

  private static long size(String key, String value) {
    String digits = value.toLowerCase(Locale.ROOT);
    int shift = 0;
    if (!digits.isEmpty()) {
      shift = 10 * (1 + "kmgt".indexOf(digits.charAt(digits.length() - 1)));
    }
    if (shift > 0) {
      digits = digits.substring(0, digits.length() - 1);
    }
    return number(key, digits, value, 1, Long.MAX_VALUE >> shift) << shift;
  }

  private static long number(String key, String value, long min, long max) {
    return number(key, value, value, min, max);
  }

  private static long number(String key, String digits, String value, long min, long max) {
    if (digits.matches("[0-9]{1,18}")) {
      long number = Long.parseLong(digits);
      if (number >= min && number <= max) {
        return number;
      }
    }
    throw new IllegalArgumentException(
        "malformed value '" + value + "' of sim option '" + key + "'; options are " + GRAMMAR);
  }

  private static boolean bool(String key, String value) {
    return switch (value) {
      case "true" -> true;
      case "false" -> false;
      default ->
          throw new IllegalArgumentException(
              "malformed value '" + value + "' of sim option '" + key + "': true or false");
    };
  }

  private static String profile(String value) {
    if (!Profiles.isOne(value)) {
      throw new IllegalArgumentException(
          "unknown profile '"
              + value
              + "' of a sim device: neither one of "
              + String.join(", ", Profiles.names())
              + " nor a path that ends in .json");
    }
    return value;
  }

  private static Path path(String key, String value) {
    if (value.isEmpty()) {
      throw new IllegalArgumentException("sim option '" + key + "' names no file");
    }
    try {
      return Path.of(value);
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException(
          "malformed value '" + value + "' of sim option '" + key + "': " + e.getMessage(), e);
    }
  }
}
