/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.Stream;
import org.luceneoffload.cli.command.ExitCodes;
import org.luceneoffload.device.DeviceProvider;
import org.luceneoffload.device.Devices;

/**
 * One run of the tool inside this process.
 *
 * @param code exit code
 * @param out standard output
 * @param err standard error
 */
public record CliRun(int code, String out, String err) {
  /** How the schemes of devices begin that are there for the library's own tests. */
  private static final String OF_LIBRARY_TESTS = "test";

  /** Runs a command. */
  public static CliRun of(Object... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        OffloadCli.execute(
            new PrintWriter(out),
            new PrintWriter(err),
            Stream.of(args).map(String::valueOf).toArray(String[]::new));
    return new CliRun(code, out.toString(), err.toString());
  }

  /** Devices that work here: the host, and the simulator if its native library is there. */
  public static List<String> devices() {
    return Stream.concat(
            Stream.of(Devices.HOST),
            Devices.providers().stream()
                .filter(p -> p.unavailableReason() == null && !p.needsName())
                .map(DeviceProvider::scheme)
                .filter(scheme -> !scheme.startsWith(OF_LIBRARY_TESTS)))
        .toList();
  }

  /** Fails unless the run was good; returns it. */
  public CliRun ok() {
    assertEquals(ExitCodes.OK, code, () -> out + err);
    return this;
  }

  /** Fails unless the run ended with a code and with each of some words in its message. */
  public void fails(int expected, String... words) {
    assertEquals(expected, code, () -> out + err);
    for (String word : words) {
      assertTrue(err.contains(word), () -> "no '" + word + "' in: " + err);
    }
    assertFalse(err.contains("\tat "), () -> "a stack trace: " + err);
    assertFalse(err.contains("internal error"), err);
  }

  /** The one JSON document on standard output. */
  public JsonNode json() {
    try {
      return JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build()
          .readTree(out);
    } catch (IOException e) {
      throw new UncheckedIOException(out, e);
    }
  }
}
