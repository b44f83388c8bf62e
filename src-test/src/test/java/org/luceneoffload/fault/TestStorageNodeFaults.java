/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.device.Device;
import org.luceneoffload.nvme.tcp.CsdDeviceProvider;
import org.luceneoffload.nvme.tcp.CsdTarget;
import org.luceneoffload.report.OffloadStats.Counter;

/** A storage node that dies, stops or lies: searches go on with stock Lucene's answers. */
class TestStorageNodeFaults {
  private static final long SEED = Long.getLong("tests.seed", System.nanoTime());
  private static final int HEADER_BYTES = 8;
  private static final OffloadOptions PATIENT =
      OffloadOptions.DEFAULT.withDeviceTimeout(Duration.ofMinutes(1));

  @TempDir Path folder;
  private final List<Query> queries = FaultIndex.queries(SEED).subList(0, 12);

  /** Something done with an index whose lists are on a node. */
  @FunctionalInterface
  private interface Action {
    void run(CsdTarget node, OffloadDirectory directory, OffloadIndexSearcher searcher)
        throws Exception;
  }

  /** The index is written with patience: a drive that others use may take its time. */
  private void withIndex(Action action) throws Exception {
    withIndex("vendor", action);
  }

  private void withIndex(String commands, Action action) throws Exception {
    System.out.println("seed of TestStorageNodeFaults: -Dtests.seed=" + SEED);
    Path index = folder.resolve("index");
    try (CsdTarget node =
        new CsdTarget(folder, "--capacity", "1G", "--dram", "32M", "--programs", "256M")) {
      String device = "csd:" + node.node() + ",commands=" + commands;
      IndexWriterConfig config = new IndexWriterConfig().setCodec(new OffloadCodec());
      try (OffloadDirectory patient =
              OffloadDirectory.open(index, device + ",claim=empty,timeout=60000", PATIENT);
          IndexWriter writer = new IndexWriter(patient, config)) {
        FaultIndex.add(writer, SEED, 3_000);
      }
      try (OffloadDirectory directory = OffloadDirectory.open(index, device);
          DirectoryReader reader = DirectoryReader.open(directory)) {
        action.run(node, directory, new OffloadIndexSearcher(reader));
      }
    }
  }

  private List<String> stock() throws IOException {
    try (FSDirectory plain = FSDirectory.open(folder.resolve("index"));
        DirectoryReader reader = DirectoryReader.open(plain)) {
      return FaultIndex.answers(new IndexSearcher(reader), queries);
    }
  }

  private long offloaded(OffloadDirectory directory) {
    return directory.stats().get(Counter.LEAVES_OFFLOADED);
  }

  /** Searches until the node answers again; every answer on the way is right. */
  private void awaitNode(
      OffloadDirectory directory, OffloadIndexSearcher searcher, List<String> expected)
      throws Exception {
    long before = offloaded(directory);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (offloaded(directory) == before) {
      assertTrue(System.nanoTime() < end, "the node does not answer again");
      assertEquals(expected, FaultIndex.answers(searcher, queries));
      Thread.sleep(20);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"vendor", "programs"})
  void diesAndComesBack(String commands) throws Exception {
    withIndex(
        commands,
        (node, directory, searcher) -> {
          List<String> expected = stock();
          assertEquals(expected, FaultIndex.answers(searcher, queries));
          assertTrue(offloaded(directory) > 0);
          AtomicBoolean over = new AtomicBoolean();
          try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Future<?>> futures = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
              futures.add(
                  threads.submit(
                      () -> {
                        while (!over.get()) {
                          assertEquals(expected, FaultIndex.answers(searcher, queries));
                        }
                        return null;
                      }));
            }
            try {
              for (int round = 0; round < 2; round++) {
                node.kill();
                Thread.sleep(100);
                node.start();
                awaitNode(directory, searcher, expected);
              }
            } finally {
              over.set(true);
            }
            for (Future<?> future : futures) {
              future.get();
            }
          }
        });
  }

  /** A host that is slow to connect, and so is given up by the node, tries once more. */
  @Test
  void givesASlowHostUp() throws Exception {
    try (CsdTarget node = new CsdTarget(folder, "--capacity", "64M", "--dram", "16M");
        CuttingRelay relay = new CuttingRelay(node.port())) {
      String name = "127.0.0.1:" + relay.port() + ",timeout=60000";
      relay.giveUp(1);
      try (Device device = new CsdDeviceProvider().open(name, folder)) {
        assertTrue(device.info().lbaCount() > 0);
      }
      relay.giveUp(2);
      IOException failure =
          assertThrows(IOException.class, () -> new CsdDeviceProvider().open(name, folder).close());
      assertTrue(failure.getMessage().contains("cannot be reached"), failure.getMessage());
    }
  }

  private static void signal(CsdTarget node, String signal) throws Exception {
    String pid = Long.toString(node.process().pid());
    assertEquals(0, new ProcessBuilder("kill", "-" + signal, pid).start().waitFor());
  }

  /** The process stops in the middle of everything; connections stay. */
  @Test
  void hangs() throws Exception {
    OffloadOptions hasty = OffloadOptions.DEFAULT.withDeviceTimeout(Duration.ofMillis(400));
    withIndex(
        (node, patient, unused) -> {
          String device = "csd:" + node.node() + ",timeout=400";
          List<String> expected = stock();
          try (OffloadDirectory directory =
                  OffloadDirectory.open(folder.resolve("index"), device, hasty);
              DirectoryReader reader = DirectoryReader.open(directory)) {
            OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
            assertEquals(expected, FaultIndex.answers(searcher, queries));
            signal(node, "STOP");
            try {
              long start = System.nanoTime();
              assertEquals(expected, FaultIndex.answers(searcher, queries));
              long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
              assertTrue(seconds < 60, seconds + " s: a search for each query waited in vain");
            } finally {
              signal(node, "CONT");
            }
            awaitNode(directory, searcher, expected);
          }
        });
  }

  /** What a node that is none says to all that connect. */
  private static final class Liar implements AutoCloseable {
    private final ServerSocket server = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
    private final Thread thread = new Thread(this::serve, "liar");
    private final byte[] words;
    private final boolean stays;

    Liar(byte[] words, boolean stays) throws IOException {
      this.words = words;
      this.stays = stays;
      thread.setDaemon(true);
      thread.start();
    }

    private void serve() {
      while (!server.isClosed()) {
        try (Socket socket = server.accept();
            InputStream in = socket.getInputStream();
            OutputStream out = socket.getOutputStream()) {
          out.write(words);
          out.flush();
          while (stays && in.read() >= 0) {
            // It listens, and says no more.
          }
        } catch (IOException e) {
          // The other side has had enough.
        }
      }
    }

    @Override
    public void close() throws IOException {
      server.close();
    }
  }

  /** An ICResp as it has to be, or with one byte altered. */
  private static byte[] connectionResponse(int at, int value) {
    byte[] pdu = new byte[128];
    pdu[0] = 1;
    pdu[2] = (byte) 128;
    pdu[4] = (byte) 128;
    pdu[14] = 0x10; // MAXH2CDATA: 1 MiB
    pdu[at] = (byte) value;
    return pdu;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void lies(boolean stays) throws Exception {
    System.out.println("seed of TestStorageNodeFaults: -Dtests.seed=" + SEED);
    Random random = new Random(SEED);
    List<byte[]> lies = new ArrayList<>();
    lies.add(new byte[0]);
    lies.add(connectionResponse(127, 0)); // right, and nothing after it
    for (int at : new int[] {0, 1, 2, 4, 7, 8, 10, 11, 15}) {
      lies.add(connectionResponse(at, 0x80 | random.nextInt(128)));
    }
    for (int type : new int[] {3, 5, 7, 9}) { // a PDU after the ICResp, of a nonsensical length
      byte[] both = java.util.Arrays.copyOf(connectionResponse(127, 0), 128 + 24);
      random.nextBytes(both);
      System.arraycopy(connectionResponse(127, 0), 0, both, 0, 128);
      both[128] = (byte) type;
      lies.add(both);
    }
    for (int i = 0; i < 10; i++) {
      byte[] noise = new byte[HEADER_BYTES + random.nextInt(1 << 12)];
      random.nextBytes(noise);
      lies.add(noise);
    }
    for (byte[] words : lies) {
      try (Liar liar = new Liar(words, stays)) {
        String name = "127.0.0.1:" + liar.server.getLocalPort();
        IOException failure =
            assertThrows(
                IOException.class,
                () -> {
                  try (Device device =
                      new CsdDeviceProvider().open(name + ",timeout=200", folder)) {
                    device.info();
                  }
                });
        assertTrue(failure.getMessage().contains(name), failure.getMessage());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ":4420",
        "node:",
        "node:0",
        "node:65536",
        "node:44x",
        "a node:4420",
        "[::1",
        "[::1]4420",
        "[node]:4420",
        "node:4420,digests=some",
        "node:4420,connections=0",
        "node:4420,connections=129",
        "node:4420,spin=-1",
        "node:4420,nqn=iqn.2001",
        "node:4420,what=ever",
        "node:4420,timeout"
      })
  void badNames(String name) {
    IllegalArgumentException refusal =
        assertThrows(
            IllegalArgumentException.class, () -> new CsdDeviceProvider().open(name, folder));
    assertTrue(refusal.getMessage().contains("csd:HOST"), refusal.getMessage());
  }

  /** Nothing listens there: the index is searched without the node. */
  @Test
  void isNotThere() throws Exception {
    withIndex((node, directory, searcher) -> {});
    int port;
    try (ServerSocket unused = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = unused.getLocalPort();
    }
    try (OffloadDirectory directory =
            OffloadDirectory.open(folder.resolve("index"), "csd:127.0.0.1:" + port);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      assertEquals(stock(), FaultIndex.answers(new OffloadIndexSearcher(reader), queries));
    }
    assertTrue(Files.exists(folder.resolve("csd.vol")));
  }
}
