/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.sim;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
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
 * @param rate bytes a second that direct reads are slowed to, as those of a slow drive
 * @param slow how many times what the processor takes plans take, as on slower cores
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
    long rate,
    int slow,
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
  private static final int MAX_SLOW = 1000;
  private static final int MAX_QUEUED = 65536;
  private static final int MAX_PERCENT = 100;

  private static final Set<String> KEYS =
      Set.of(
          "capacity dram index sessions readonly direct rate slow store threads budget window queue raw profile"
              .split(" "));

  /** The names that {@link #parse} understands, for messages. */
  static final String GRAMMAR =
      "capacity=SIZE, dram=SIZE, index=SIZE, sessions=N, readonly=true|false, direct=true|false,"
          + " rate=SIZE, slow=N, store=FILE, threads=N, budget=N, window=PAGES, queue=N,"
          + " raw=PERCENT, profile=NAME|FILE.json; a SIZE is a number of bytes, or one followed by"
          + " k, m, g or t";

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
    SimOpeningStruct.directBytesPerS(b, 0, rate);
    SimOpeningStruct.maxSessions(b, 0, maxSessions);
    SimOpeningStruct.threads(b, 0, threads);
    SimOpeningStruct.queuedWindows(b, 0, queuedWindows);
    SimOpeningStruct.rawPercent(b, 0, rawPercent);
    SimOpeningStruct.slow(b, 0, slow);
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
    Map<String, String> given = values(rest);
    long capacity = size(given, "capacity");
    if (capacity % OffloadWire.LBA_BYTES != 0) {
      throw new IllegalArgumentException(
          "sim option 'capacity' must be a multiple of "
              + OffloadWire.LBA_BYTES
              + ", got "
              + capacity);
    }
    return new SimOptions(
        store(given, home),
        capacity,
        size(given, "dram"),
        size(given, "index"),
        number(given, "sessions", 1, MAX_SESSIONS),
        bool(given, "readonly"),
        bool(given, "direct"),
        size(given, "rate"),
        number(given, "slow", 1, MAX_SLOW),
        number(given, "threads", 1, MAX_THREADS),
        number(given, "budget", 1, Integer.MAX_VALUE),
        number(given, "window", 1, Integer.MAX_VALUE),
        number(given, "queue", 1, MAX_QUEUED),
        number(given, "raw", 0, MAX_PERCENT),
        profile(given));
  }

  private static Map<String, String> values(String rest) {
    Map<String, String> given = new HashMap<>();
    for (String part : rest.isEmpty() ? new String[0] : rest.split(",", -1)) {
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
      if (!KEYS.contains(key)) {
        throw new IllegalArgumentException(
            "unknown sim option '" + key + "'; options are " + GRAMMAR);
      }
      if (given.put(key, part.substring(equals + 1)) != null) {
        throw new IllegalArgumentException("sim option '" + key + "' is given twice");
      }
    }
    return given;
  }

  private static long size(Map<String, String> given, String key) {
    String value = given.get(key);
    if (value == null) {
      return 0;
    }
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

  private static int number(Map<String, String> given, String key, int min, int max) {
    String value = given.get(key);
    return value == null ? 0 : (int) number(key, value, value, min, max);
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

  private static boolean bool(Map<String, String> given, String key) {
    String value = given.getOrDefault(key, "false");
    return switch (value) {
      case "true" -> true;
      case "false" -> false;
      default ->
          throw new IllegalArgumentException(
              "malformed value '" + value + "' of sim option '" + key + "': true or false");
    };
  }

  private static String profile(Map<String, String> given) {
    String value = given.get("profile");
    if (value != null && !Profiles.isOne(value)) {
      throw new IllegalArgumentException(
          "unknown profile '"
              + value
              + "' of a sim device: neither one of "
              + String.join(", ", Profiles.names())
              + " nor a path that ends in .json");
    }
    return value;
  }

  private static Path store(Map<String, String> given, Path home) {
    String value = given.getOrDefault("store", STORE_FILE_NAME);
    if (value.isEmpty()) {
      throw new IllegalArgumentException("sim option 'store' names no file");
    }
    try {
      return home.resolve(value);
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException(
          "malformed value '" + value + "' of sim option 'store': " + e.getMessage(), e);
    }
  }
}
