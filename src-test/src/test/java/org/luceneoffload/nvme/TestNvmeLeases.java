/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.util.IOUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.luceneoffload.device.RamBlockDevice;
import org.luceneoffload.nvme.port.CommandPort;
import org.luceneoffload.nvme.port.NvmeCommand;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.OffloadWire.LeaseAction;
import org.luceneoffload.wire.layout.LeaseStateLayout;

/** Leases of scopes, as a host holds, loses and gives them up. */
class TestNvmeLeases {
  private static final long ARTICLES = 1000;
  private static final long LOGS = 2000;
  private static final long TABLE = 1;
  private static final int INVALID_FIELD = 0x4002;
  private static final int LOCKED = 0x4700 | OffloadWire.Status.LOCKED;

  private final Map<Long, Long> keys = new HashMap<>(); // of who has a scope
  private final Map<Long, Long> generations = new HashMap<>();
  private final Set<Long> late = new HashSet<>(); // scopes that are lost until they are given up
  private boolean knowsScopes = true;
  private boolean refuses; // writes
  private long boot = 5;

  /** A connection to a node that has leases. */
  private final class LeasingPort implements CommandPort {
    private final FakeController controller =
        new FakeController(new RamBlockDevice(64), Opcodes.WIRE, new AtomicInteger());
    private long epoch = 1;

    @Override
    public String name() {
      return "node";
    }

    @Override
    public int namespaceId() throws OffloadException {
      return controller.namespaceId();
    }

    @Override
    public int maxTransferBytes() {
      return controller.maxTransferBytes();
    }

    @Override
    public boolean isPipelined() {
      return true;
    }

    @Override
    public long epoch() {
      return epoch;
    }

    @Override
    public int io(NvmeCommand command) throws OffloadException {
      if (command.opcode() == OffloadWire.Opcode.WRITE && refuses) {
        return LOCKED;
      }
      return command.opcode() == OffloadWire.Opcode.LEASE ? lease(command) : controller.io(command);
    }

    @Override
    public int admin(NvmeCommand command) throws OffloadException {
      int status = controller.admin(command);
      ByteBuffer data = command.data().order(ByteOrder.LITTLE_ENDIAN);
      if (command.opcode() == 0x02) {
        data.putInt(command.dataOffset() + 1024 + 4 * OffloadWire.Opcode.LEASE, 1);
      }
      return status;
    }

    @Override
    public void lock() throws OffloadException {
      controller.lock();
    }

    @Override
    public void close() {
      controller.close();
    }
  }

  private static long longOf(NvmeCommand command, int dword) {
    return command.dword(dword) & 0xFFFFFFFFL | (long) command.dword(dword + 1) << 32;
  }

  private int lease(NvmeCommand command) {
    int action = command.dword(10);
    long key = longOf(command, 12);
    long scope = longOf(command, 14);
    boolean writes = action == LeaseAction.TAKE_WRITER || action == LeaseAction.DROP_WRITER;
    if (writes && scope != 0 && !knowsScopes) {
      return INVALID_FIELD;
    }
    if (action == LeaseAction.TAKE_WRITER) {
      if (late.contains(scope) || keys.getOrDefault(scope, key) != key) {
        return LOCKED;
      }
      keys.put(scope, key);
      generations.putIfAbsent(scope, 1L);
    } else if (action == LeaseAction.DROP_WRITER) {
      keys.remove(scope, key);
      late.remove(scope);
    }
    ByteBuffer data = command.data().order(ByteOrder.LITTLE_ENDIAN);
    LeaseStateLayout.boot(data, command.dataOffset(), boot);
    LeaseStateLayout.generation(
        data, command.dataOffset(), writes ? generations.getOrDefault(scope, 0L) : 0);
    command.result(LeaseStateLayout.BYTES);
    return 0;
  }

  /** Another host had a scope meanwhile, and has given it up. */
  private void anotherHad(long scope) {
    generations.merge(scope, 1L, Long::sum);
  }

  private NvmeDevice open(LeasingPort port) throws IOException {
    return NvmeDevice.open("csd:node", port, NvmeOptions.parse("/dev/ng0n1,claim=empty").access());
  }

  private static void write(NvmeDevice device) throws IOException {
    device.write(
        9, ByteBuffer.allocateDirect(OffloadWire.LBA_BYTES).order(ByteOrder.LITTLE_ENDIAN));
  }

  private static String refusal(int status, Executable call) {
    OffloadException e = assertThrows(OffloadException.class, call);
    assertEquals(status, e.status(), e.getMessage());
    return e.getMessage();
  }

  @Test
  void aNodeThatKnowsTheWholeAlone() throws IOException {
    knowsScopes = false;
    try (NvmeDevice device = open(new LeasingPort())) {
      assertTrue(device.hasLeases());
      assertFalse(device.hasScopes());
      device.openForWriting();
      write(device);
      assertEquals(1, keys.size());
    }
    assertTrue(keys.isEmpty());
  }

  @Test
  void scopesAreHeldAndGivenUp() throws IOException {
    LeasingPort port = new LeasingPort();
    try (NvmeDevice device = open(port)) {
      assertTrue(device.hasScopes());
      assertTrue(keys.isEmpty());
      refusal(OffloadWire.Status.READ_ONLY, () -> write(device));
      device.takeScope(ARTICLES, false);
      device.takeScope(LOGS, false);
      device.takeScope(TABLE, true);
      assertEquals(3, keys.size());
      write(device);
      device.dropScope(TABLE);
      device.dropScope(TABLE);
      assertEquals(2, keys.size());
      port.epoch = 2; // the connection was made anew
      write(device);
      keys.put(TABLE, 77L);
      refusal(OffloadWire.Status.BUSY, () -> device.takeScope(TABLE, true));
      keys.put(3000L, 77L);
      refusal(OffloadWire.Status.LOCKED, () -> device.takeScope(3000, false));
      write(device);
    }
    assertEquals(Map.of(TABLE, 77L, 3000L, 77L), keys);
  }

  @Test
  void whoLosesAScopeIsShutOut() throws IOException {
    LeasingPort port = new LeasingPort();
    try (NvmeDevice device = open(port)) {
      device.takeScope(ARTICLES, false);
      device.takeScope(LOGS, false);
      write(device);
      anotherHad(LOGS);
      port.epoch = 2;
      assertTrue(refusal(OffloadWire.Status.LOCKED, () -> write(device)).contains("anew"));
      refusal(OffloadWire.Status.LOCKED, () -> write(device));
      refusal(OffloadWire.Status.LOCKED, () -> device.takeScope(TABLE, true));
    }
  }

  /** As Lucene closes several outputs, each of which tries to write. */
  @Test
  void whoIsShutOutIsToldByNewExceptions() throws IOException {
    LeasingPort port = new LeasingPort();
    try (NvmeDevice device = open(port)) {
      device.takeScope(ARTICLES, false);
      anotherHad(ARTICLES);
      port.epoch = 2;
      Closeable output = () -> write(device);
      OffloadException first =
          assertThrows(OffloadException.class, () -> IOUtils.close(output, output, output));
      assertEquals(2, first.getSuppressed().length);
      Closeable scope = () -> device.takeScope(TABLE, true);
      OffloadException second =
          assertThrows(OffloadException.class, () -> IOUtils.close(output, scope));
      assertEquals(first.getMessage(), second.getMessage());
      assertEquals(first.getCause(), second.getCause());
    }
  }

  /** Over the same connection, too: the process slept for longer than its lease. */
  @Test
  void whoIsRefusedAWriteFindsOutWhy() throws IOException {
    try (NvmeDevice device = open(new LeasingPort())) {
      device.takeScope(ARTICLES, false);
      anotherHad(ARTICLES);
      refuses = true;
      assertTrue(refusal(OffloadWire.Status.LOCKED, () -> write(device)).contains("anew"));
    }
  }

  @Test
  void whoLosesAPassingScopeFailsOnce() throws IOException {
    LeasingPort port = new LeasingPort();
    try (NvmeDevice device = open(port)) {
      device.takeScope(ARTICLES, false);
      device.takeScope(TABLE, true);
      anotherHad(TABLE);
      port.epoch = 2;
      assertTrue(refusal(OffloadWire.Status.LOCKED, () -> write(device)).contains("try again"));
      device.dropScope(TABLE);
      write(device);
      assertFalse(keys.containsKey(TABLE));
      device.takeScope(TABLE, true);
      write(device);
    }
  }

  /** Over the same connection: the node does not renew what another host has had meanwhile. */
  @Test
  void aPassingScopeThatIsLateIsGivenUp() throws IOException {
    try (NvmeDevice device = open(new LeasingPort())) {
      device.takeScope(ARTICLES, false);
      device.takeScope(TABLE, true);
      late.add(TABLE);
      refuses = true;
      assertTrue(refusal(OffloadWire.Status.LOCKED, () -> write(device)).contains("try again"));
      refuses = false;
      device.dropScope(TABLE);
      write(device);
      assertEquals(Set.of(), late);
      device.takeScope(TABLE, true);
      write(device);
    }
  }

  @Test
  void aTurnTellsWhetherAnotherHostHadTheScope() throws IOException {
    try (NvmeDevice device = open(new LeasingPort())) {
      device.takeScope(ARTICLES, false);
      long turn = device.takeScope(TABLE, true);
      device.dropScope(TABLE);
      assertEquals(turn, device.takeScope(TABLE, true));
      device.dropScope(TABLE);
      anotherHad(TABLE);
      assertNotEquals(turn, device.takeScope(TABLE, true));
    }
  }

  /** A write that was given up may still change what a lease is for. */
  @Test
  void nothingIsGivenUpBeforeWritesHaveEnded() throws IOException {
    AtomicBoolean unsettled = new AtomicBoolean();
    NvmeCommands commands = new NvmeCommands(new LeasingPort(), 1, Opcodes.WIRE, 1000);
    NvmeLeases leases = new NvmeLeases(commands, "node", unsettled::get);
    leases.take(ARTICLES, false, false);
    leases.take(TABLE, true, false);
    unsettled.set(true);
    leases.drop(TABLE);
    assertEquals(Set.of(ARTICLES, TABLE), keys.keySet());
    refusal(OffloadWire.Status.TIMED_OUT, () -> leases.take(TABLE, true, false));
    leases.take(LOGS, false, false);
    unsettled.set(false);
    leases.drop(LOGS);
    assertEquals(Set.of(ARTICLES), keys.keySet());
    leases.take(TABLE, true, false);
    unsettled.set(true);
    leases.drop(TABLE);
    leases.close();
    assertEquals(Set.of(TABLE), keys.keySet()); // it ends by itself
  }

  @Test
  void aNodeThatWasStartedAnew() throws IOException {
    for (boolean another : new boolean[] {false, true}) {
      for (boolean strict : new boolean[] {false, true}) {
        keys.clear(); // who is shut out gives nothing back
        LeasingPort port = new LeasingPort();
        try (NvmeDevice device = open(port)) {
          if (strict) {
            device.shutOutIfLost();
          }
          device.takeScope(ARTICLES, false);
          write(device);
          boot++;
          keys.clear();
          generations.clear();
          if (another) {
            generations.put(ARTICLES, 2L);
          }
          port.epoch = 2;
          if (strict || another) {
            String why = strict ? "started anew" : "another host";
            assertTrue(refusal(OffloadWire.Status.LOCKED, () -> write(device)).contains(why));
          } else {
            write(device); // images can be made again, and nobody was there before
          }
        }
      }
    }
  }
}
