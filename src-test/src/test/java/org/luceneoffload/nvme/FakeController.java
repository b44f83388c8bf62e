/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.DeviceInfo;
import org.luceneoffload.device.DeviceSession;
import org.luceneoffload.nvme.port.CommandPort;
import org.luceneoffload.nvme.port.NvmeCommand;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.layout.DeviceInfoLayout;
import org.luceneoffload.wire.layout.PlanHeaderLayout;
import org.luceneoffload.wire.layout.TrimRangeLayout;

/**
 * A controller with one namespace, made of any device: takes the commands apart that the driver
 * would send. Counts them, and can be told to fail.
 */
public final class FakeController implements CommandPort {
  static final int NSID = 7;

  private static final int INVALID_OPCODE = 0x4001;
  private static final int VENDOR = 0x4700;

  /** Returned by a {@link Fault} that has executed the command itself, with success. */
  static final int ANSWERED = -1;

  /** Says what a command ends with instead of being executed. */
  @FunctionalInterface
  interface Fault {
    /** Returns an NVMe status, 0 to let the command pass, or throws as a driver's error does. */
    int of(NvmeCommand command) throws OffloadException;
  }

  /** A session and the result page that waits in it. */
  private static final class Session {
    private final DeviceSession session;
    private byte[] result = new byte[0];

    Session(DeviceSession session) {
      this.session = session;
    }
  }

  private final Device device;
  private final Opcodes opcodes;
  private final Map<Integer, Session> sessions = new ConcurrentHashMap<>();
  private final AtomicInteger lastSession = new AtomicInteger(100);
  private final AtomicInteger locks;
  private final Map<Integer, ByteBuffer> chunks = new ConcurrentHashMap<>();
  private final AtomicInteger lastResource = new AtomicInteger(1 << 20);
  private final Map<Integer, Integer> resources = new ConcurrentHashMap<>();
  private boolean closesDevice = true;
  private volatile boolean locked;
  private volatile boolean closed;

  /** The properties of the controller, which tests may change. */
  volatile Fault fault = command -> 0;

  volatile int maxTransferPages;
  volatile int lbaShift = 12;
  volatile int effectsOpcodes = 6;
  volatile int infoMagic = OffloadWire.INFO_MAGIC;
  volatile int infoVersion = OffloadWire.VERSION;
  final AtomicInteger vendorCommands = new AtomicInteger();
  final AtomicInteger writes = new AtomicInteger();
  volatile int largestTransfer;

  FakeController(Device device, Opcodes opcodes, AtomicInteger locks) {
    this.device = device;
    this.opcodes = opcodes;
    this.locks = locks;
  }

  /** A controller over {@code device}, which is closed with it; with the wire's opcodes. */
  FakeController(Device device) {
    this(device, Opcodes.WIRE, new AtomicInteger());
  }

  /** An NVMe device over a controller over {@code device}, whose namespace is given over. */
  public static Device over(Device device) throws IOException {
    Device result = over(new FakeController(device), false);
    result.openForWriting();
    return result;
  }

  /**
   * One more NVMe device over a namespace, as another process has it.
   *
   * @param device holds what the namespace holds; not closed
   * @param locks shared by all of them
   */
  public static Device beside(Device device, AtomicInteger locks, boolean readOnly)
      throws IOException {
    FakeController controller = new FakeController(device, Opcodes.WIRE, locks);
    controller.closesDevice = false;
    return over(controller, readOnly);
  }

  private static Device over(FakeController controller, boolean readOnly) throws IOException {
    String options = readOnly ? ",readonly=true" : ",claim=empty";
    return NvmeDevice.open(
        "nvme:/dev/ng0n1", controller, NvmeOptions.parse("/dev/ng0n1" + options).access());
  }

  int openSessions() {
    return sessions.size();
  }

  /** Does what a reset of the controller does. */
  void reset() throws IOException {
    for (Integer number : sessions.keySet()) {
      sessions.remove(number).session.close();
    }
    for (Integer resource : resources.keySet()) {
      device.dropResource(resources.remove(resource));
    }
  }

  @Override
  public String name() {
    return "/dev/ng0n1";
  }

  @Override
  public int namespaceId() throws OffloadException {
    checkOpen();
    return NSID;
  }

  @Override
  public int maxTransferBytes() {
    return 128 << 10;
  }

  @Override
  public void lock() throws OffloadException {
    if (!locked && !locks.compareAndSet(0, 1)) {
      throw new OffloadException(OffloadWire.Status.LOCKED, "held");
    }
    locked = true;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      if (locked) {
        locks.set(0);
      }
      try {
        if (closesDevice) {
          device.close();
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private void checkOpen() throws OffloadException {
    if (closed) {
      throw new OffloadException(OffloadWire.Status.CLOSED, "closed");
    }
  }

  @Override
  public int admin(NvmeCommand command) throws OffloadException {
    checkOpen();
    int status = fault.of(command);
    if (status != 0) {
      return status == ANSWERED ? 0 : status;
    }
    ByteBuffer data = memory(command);
    if (command.opcode() == 0x06 && command.dword(10) == 1) {
      data.putShort(0, (short) 0x1234);
      data.put(4, "SERIAL              ".getBytes(StandardCharsets.US_ASCII));
      data.put(
          77,
          (byte) (maxTransferPages == 0 ? 0 : 31 - Integer.numberOfLeadingZeros(maxTransferPages)));
      data.put(261, (byte) 2);
      data.putShort(520, (short) 4);
      return 0;
    }
    if (command.opcode() == 0x06 && command.dword(10) == 0) {
      data.putLong(0, device.info().lbaCount());
      data.putInt(128, lbaShift << 16);
      return 0;
    }
    if (command.opcode() == 0x02 && (command.dword(10) & 0xFF) == EffectsLog.LOG_ID) {
      for (int opcode : Arrays.copyOf(opcodes.needed(), effectsOpcodes)) {
        data.putInt(1024 + 4 * opcode, 1);
      }
      return 0;
    }
    return INVALID_OPCODE;
  }

  @Override
  public int io(NvmeCommand command) throws OffloadException {
    checkOpen();
    int status = fault.of(command);
    if (status != 0) {
      return status == ANSWERED ? 0 : status;
    }
    if (command.nsid() != NSID) {
      return 0x400B;
    }
    largestTransfer = Math.max(largestTransfer, command.dataBytes());
    try {
      int opcode = command.opcode();
      if (opcode < Opcodes.WIRE_BASE) {
        return block(command);
      }
      vendorCommands.incrementAndGet();
      return vendor(opcode - opcodes.base() + Opcodes.WIRE_BASE, command);
    } catch (OffloadException e) {
      return VENDOR | e.status();
    } catch (IOException e) {
      return 0x4006;
    }
  }

  private int block(NvmeCommand command) throws IOException {
    long lba = command.dword(10) & 0xFFFFFFFFL | (long) command.dword(11) << 32;
    switch (command.opcode()) {
      case OffloadWire.Opcode.READ -> device.read(lba, memory(command));
      case OffloadWire.Opcode.WRITE -> {
        writes.incrementAndGet();
        device.write(lba, memory(command));
      }
      case OffloadWire.Opcode.FLUSH -> device.flush();
      case OffloadWire.Opcode.TRIM -> {
        ByteBuffer range = memory(command);
        device.trim(
            TrimRangeLayout.lba(range, 0), TrimRangeLayout.lbaCount(range, 0) & 0xFFFFFFFFL);
      }
      default -> {
        return INVALID_OPCODE;
      }
    }
    return 0;
  }

  private int vendor(int opcode, NvmeCommand command) throws IOException {
    switch (opcode) {
      case OffloadWire.Opcode.OPEN -> {
        int number = lastSession.incrementAndGet();
        sessions.put(number, new Session(device.openSession()));
        command.result(number);
      }
      case OffloadWire.Opcode.SUBMIT -> submit(command);
      case OffloadWire.Opcode.FETCH -> fetch(command);
      case OffloadWire.Opcode.CLOSE -> {
        session(command.dword(10)).session.close();
        sessions.remove(command.dword(10));
      }
      case OffloadWire.Opcode.PUT -> put(command);
      case OffloadWire.Opcode.DROP -> device.dropResource(resource(command.dword(10)));
      default -> {
        return INVALID_OPCODE;
      }
    }
    return 0;
  }

  private Session session(int number) throws OffloadException {
    Session session = sessions.get(number);
    if (session == null) {
      throw new OffloadException(OffloadWire.Status.NO_SESSION, "no session " + number);
    }
    return session;
  }

  private int resource(int number) throws OffloadException {
    Integer resource = resources.get(number);
    if (resource == null) {
      throw new OffloadException(OffloadWire.Status.NO_RESOURCE, "no resource " + number);
    }
    return resource;
  }

  private void submit(NvmeCommand command) throws IOException {
    Session session = session(command.dword(10));
    session.result = new byte[0];
    int bytes = command.dword(11);
    ByteBuffer plan = session.session.planBuffer();
    if (bytes > 0) {
      plan.put(0, memory(command), 0, bytes);
      if (bytes >= PlanHeaderLayout.BYTES && PlanHeaderLayout.liveDocs(plan, 0) != 0) {
        int live = PlanHeaderLayout.liveDocs(plan, 0);
        PlanHeaderLayout.liveDocs(plan, 0, resources.getOrDefault(live, live));
      }
    }
    ByteBuffer page = session.session.execute(bytes, DeviceSession.StopSignal.NEVER);
    session.result = new byte[page.limit()];
    page.get(0, session.result);
    command.result(session.result.length);
  }

  private void fetch(NvmeCommand command) throws OffloadException {
    byte[] from = command.dword(10) == 0 ? info() : session(command.dword(10)).result;
    int bytes = Math.min(command.dword(12), from.length - command.dword(11));
    memory(command).put(from, command.dword(11), bytes);
    command.result(bytes);
  }

  private byte[] info() {
    DeviceInfo info = device.info();
    ByteBuffer b = ByteBuffer.allocate(DeviceInfoLayout.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    DeviceInfoLayout.magic(b, 0, infoMagic);
    DeviceInfoLayout.version(b, 0, infoVersion);
    DeviceInfoLayout.lbaBytes(b, 0, info.lbaBytes());
    DeviceInfoLayout.pageBytes(b, 0, info.pageBytes());
    DeviceInfoLayout.lbaCount(b, 0, info.lbaCount());
    DeviceInfoLayout.dramBytes(b, 0, info.dramBytes());
    DeviceInfoLayout.maxTransferBytes(b, 0, info.maxTransferBytes());
    DeviceInfoLayout.maxPlanBytes(b, 0, info.maxPlanBytes());
    DeviceInfoLayout.maxResultBytes(b, 0, info.maxResultBytes());
    DeviceInfoLayout.maxSessions(b, 0, info.maxSessions());
    DeviceInfoLayout.maxGrantBytes(b, 0, 4 << 20);
    DeviceInfoLayout.modeBits(b, 0, info.modeBits());
    DeviceInfoLayout.opBits(b, 0, info.opBits());
    return b.array();
  }

  /** Chunks are gathered here: a device takes a bitmap in one piece. */
  private void put(NvmeCommand command) throws IOException {
    int number = command.dword(12);
    int from = command.dword(13);
    if (number == 0) {
      number = lastResource.incrementAndGet();
      chunks.put(number, ByteBuffer.allocateDirect(command.dword(14)));
    }
    ByteBuffer whole = chunks.get(number);
    if (whole == null || whole.position() != from) {
      throw new OffloadException(OffloadWire.Status.NO_RESOURCE, "chunk out of order");
    }
    whole.put(memory(command).limit(command.dword(11)));
    if (!whole.hasRemaining()) {
      chunks.remove(number);
      resources.put(number, device.putLiveDocs(whole.flip()));
    }
    command.result(number);
  }

  /** The command's data, in place. */
  private static ByteBuffer memory(NvmeCommand command) {
    return command
        .data()
        .slice(command.dataOffset(), command.dataBytes())
        .order(ByteOrder.LITTLE_ENDIAN);
  }
}
