/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme.tcp;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.luceneoffload.nvme.Access;
import org.luceneoffload.nvme.tcp.auth.DhGroup;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;

/**
 * How to reach a storage node.
 *
 * @param host name or numeric address, in lower case; IPv6 without brackets
 * @param port its TCP port
 * @param access what is done with its namespace
 * @param subsystem NVMe qualified name of its subsystem; empty: the only one that discovery tells
 * @param hostName NVMe qualified name of this host; empty: a random one
 * @param digests of PDUs: bit 0 headers, bit 1 data
 * @param connections most connections for commands
 * @param keyFile with the secret of this host, and perhaps of the controller; empty: none
 * @param leastGroup smallest Diffie-Hellman group that this host offers for authentication
 * @param tlsKeyFile with the pre-shared key of this host; empty: no TLS
 * @param spinMicros how long an answer is waited for without going to sleep
 */
record CsdOptions(
    String host,
    int port,
    Access access,
    String subsystem,
    String hostName,
    int digests,
    int connections,
    String keyFile,
    DhGroup leastGroup,
    String tlsKeyFile,
    int spinMicros) {
  /** The names that {@link #parse} understands, for messages. */
  static final String GRAMMAR =
      "csd:HOST[:PORT][,key=value...] (port 4420 unless it is said; an IPv6 address in brackets)"
          + " with nqn=NQN (of the subsystem, if the node has several), hostnqn=NQN (of this host),"
          + " key-file=FILE (a line HOSTNQN DHHC-1:..: to authenticate with, another secret after"
          + " it for the node to), dh-group=null|ffdhe2048|..|ffdhe8192 (the smallest to use),"
          + " tls-key-file=FILE (a line HOSTNQN NVMeTLSkey-1:..:),"
          + " commands=vendor|programs|auto (what plans are sent by),"
          + " digests=none|header|data|both, connections=1..128, spin=MICROSECONDS, "
          + Access.GRAMMAR;

  private static final Access.Spelling SPELLING = new Access.Spelling("csd", GRAMMAR);
  private static final int DEFAULT_PORT = 4420;
  private static final int DEFAULT_CONNECTIONS = 32;
  private static final int MAX_CONNECTIONS = 128;
  private static final int DEFAULT_SPIN_MICROS = 50;
  private static final int MAX_SPIN_MICROS = 10_000;
  private static final int MAX_NQN_BYTES = 223;

  /** The options of their own, while they are read. */
  private static final class Own {
    private String subsystem = "";
    private String hostName = "";
    private int digests;
    private int connections = DEFAULT_CONNECTIONS;
    private String keyFile = "";
    private DhGroup leastGroup = DhGroup.FFDHE2048;
    private String tlsKeyFile = "";
    private int spinMicros = DEFAULT_SPIN_MICROS;
    private Access.Commands commands = Access.Commands.VENDOR;

    boolean take(String key, String value) {
      switch (key) {
        case "nqn" -> subsystem = nqn(key, value);
        case "hostnqn" -> hostName = nqn(key, value);
        case "digests" ->
            digests =
                switch (value) {
                  case "none" -> 0;
                  case "header" -> Pdu.HEADER_DIGEST;
                  case "data" -> Pdu.DATA_DIGEST;
                  case "both" -> Pdu.HEADER_DIGEST | Pdu.DATA_DIGEST;
                  default -> throw SPELLING.malformed(key, value);
                };
        case "key-file" -> keyFile = file(key, value);
        case "dh-group" -> leastGroup = group(key, value);
        case "tls-key-file" -> tlsKeyFile = file(key, value);
        case "connections" -> connections = SPELLING.number(key, value, 10, 1, MAX_CONNECTIONS);
        case "commands" ->
            commands =
                switch (value) {
                  case "vendor" -> Access.Commands.VENDOR;
                  case "programs" -> Access.Commands.PROGRAMS;
                  case "auto" -> Access.Commands.AUTO;
                  default -> throw SPELLING.malformed(key, value);
                };
        case "spin" -> spinMicros = SPELLING.number(key, value, 10, 0, MAX_SPIN_MICROS);
        default -> {
          return false;
        }
      }
      return true;
    }

    private static String file(String key, String value) {
      if (value.isEmpty()) {
        throw SPELLING.malformed(key, value);
      }
      return value;
    }

    private static DhGroup group(String key, String value) {
      for (DhGroup group : DhGroup.values()) {
        if (group.name().toLowerCase(Locale.ROOT).equals(value)) {
          return group;
        }
      }
      throw SPELLING.malformed(key, value);
    }

    private static String nqn(String key, String value) {
      if (!value.startsWith("nqn.")
          || value.getBytes(StandardCharsets.UTF_8).length > MAX_NQN_BYTES) {
        throw SPELLING.malformed(key, value);
      }
      return value;
    }
  }

  /**
   * Reads the part of a device name after {@code csd:}.
   *
   * @throws IllegalArgumentException naming the part that is wrong
   */
  static CsdOptions parse(String rest) {
    String[] parts = rest.split(",", -1);
    String node = parts[0].toLowerCase(Locale.ROOT);
    String host = node;
    String port = "";
    if (node.startsWith("[")) {
      int end = node.indexOf(']');
      String tail = end < 0 ? "" : node.substring(end + 1);
      if (end < 0 || !tail.isEmpty() && !tail.startsWith(":")) {
        throw malformedNode(parts[0]);
      }
      host = node.substring(1, end);
      port = tail;
      if (!host.matches("[0-9a-f:.]+(%[0-9a-z]+)?") || !host.contains(":")) {
        throw malformedNode(parts[0]);
      }
    } else {
      int colon = node.indexOf(':');
      if (colon >= 0) {
        host = node.substring(0, colon);
        port = node.substring(colon);
      }
      if (!host.matches("[0-9a-z]([-0-9a-z._]*[0-9a-z])?")) {
        throw malformedNode(parts[0]);
      }
    }
    int number = port.isEmpty() ? DEFAULT_PORT : port(parts[0], port.substring(1));
    Own own = new Own();
    Access access = Access.parse(SPELLING, parts, own::take).with(own.commands);
    return new CsdOptions(
        host,
        number,
        access,
        own.subsystem,
        own.hostName,
        own.digests,
        own.connections,
        own.keyFile,
        own.leastGroup,
        own.tlsKeyFile,
        own.spinMicros);
  }

  private static int port(String node, String text) {
    if (text.matches("[0-9]{1,5}")) {
      int number = Integer.parseInt(text);
      if (number >= 1 && number <= 65535) {
        return number;
      }
    }
    throw malformedNode(node);
  }

  private static IllegalArgumentException malformedNode(String node) {
    return new IllegalArgumentException(
        "'" + node + "' is no storage node HOST:PORT; a name is " + GRAMMAR);
  }

  /** Returns the node, spelled in one way, for messages. */
  String node() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }

  /**
   * Returns the node by its numeric address, if it is known, so that all its names are one. The
   * store follows, if the options name one.
   */
  String key() {
    String store = subsystem.isEmpty() ? "" : "," + subsystem.replace('/', '_');
    try {
      return InetAddress.getByName(host).getHostAddress() + ":" + port + store;
    } catch (UnknownHostException e) {
      return node() + store;
    }
  }

  /** Looks the node's address up now. */
  InetSocketAddress address() throws OffloadException {
    InetSocketAddress address = new InetSocketAddress(host, port);
    if (address.isUnresolved()) {
      throw new OffloadException(
          OffloadWire.Status.IO_ERROR,
          "storage node " + node() + ": no host of that name is known");
    }
    return address;
  }
}
