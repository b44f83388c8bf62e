/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Ports for nodes that start later, and come back on the same ports. They are none of those that
 * the system gives to whoever asks for any: a connection of somebody else, or of another node of
 * the same cluster, could have one of these by the time that its node starts.
 */
final class FreePorts {
  private static final Path GIVEN = Path.of("/proc/sys/net/ipv4/ip_local_port_range");
  private static final int MIN_PORT = 10_000;
  private static final int LINUX_DEFAULT = 32_768;
  private static final int ENOUGH = 1_000;
  private static final int ANY = 0;

  private FreePorts() {}

  /** Takes some, all different. */
  static List<Integer> take(int count) throws IOException {
    int end = firstGiven();
    Random random = new Random();
    List<ServerSocket> held = new ArrayList<>();
    try {
      while (held.size() < count) {
        // Where the system gives them nearly all, there is no better way than to ask it.
        int port = end - MIN_PORT < ENOUGH ? ANY : MIN_PORT + random.nextInt(end - MIN_PORT);
        ServerSocket socket = bound(port);
        if (socket != null) {
          held.add(socket);
        } else if (port == ANY) {
          throw new IOException("no port is free");
        }
      }
      return held.stream().map(ServerSocket::getLocalPort).toList();
    } finally {
      for (ServerSocket socket : held) {
        socket.close();
      }
    }
  }

  private static ServerSocket bound(int port) {
    try {
      return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      return null; // somebody has it
    }
  }

  private static int firstGiven() throws IOException {
    return Files.isReadable(GIVEN)
        ? Integer.parseInt(Files.readString(GIVEN).strip().split("\\s+")[0])
        : LINUX_DEFAULT;
  }
}
