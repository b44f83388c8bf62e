/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme.tcp;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.zip.CRC32C;
import org.luceneoffload.nvme.port.NvmeCommand;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;

/**
 * A submission and a completion queue over a connection of their own. One thread at a time runs
 * commands, one or several at once; any may {@link #close}.
 *
 * <p>If a command throws, the queue {@link #isBroken} and serves no more.
 */
final class CommandQueue implements Closeable {
  /** Data that are sent with their command at most, whatever the controller takes. */
  static final int MAX_IN_CAPSULE = 16 << 10;

  private static final int FIRST_VENDOR_OPCODE = 0x80;
  private static final int FABRICS_OPCODE = 0x7F;
  private static final int TO_HOST = 2; // bit of an opcode: it only brings data
  private static final int MIN_H2C_DATA = 4096;
  private static final int MAX_ALIGNMENT = 31;
  private static final int CID_MASK = 0x7FFF;
  private static final int FRONT_BYTES = 512; // a header, its digest and padding, with room

  /** A command that is under way. */
  private static final class Slot {
    private NvmeCommand command; // null: free
    private int cid;
    private int sent;
    private int received;
    private boolean whole; // all data of the device have come
    private int status;
    private boolean done;

    void begin(NvmeCommand started, int number) {
      command = started;
      cid = number;
      sent = 0;
      received = 0;
      whole = false;
      status = 0;
      done = false;
    }
  }

  private final String peer;
  private final PduStream stream;
  private final boolean headerDigest;
  private final boolean dataDigest;
  private final int alignment; // of data to the controller
  private final int maxData; // of a H2CData
  private final int inCapsule;
  private final CRC32C crc = new CRC32C();
  private final ByteBuffer out = PduStream.buffer(2 * (FRONT_BYTES + MAX_IN_CAPSULE));
  private final List<Slot> slots = new ArrayList<>();
  private int used; // slots, in the order of their commands
  private int lastCid;
  private volatile boolean broken;

  /**
   * Connects, and agrees on the parameters of the connection.
   *
   * @param peer for messages
   * @param security between the socket and the PDUs; null: none
   * @param inCapsule bytes of data that the controller takes with a command
   */
  CommandQueue(
      String peer,
      InetSocketAddress address,
      CsdOptions options,
      PduStream.Security security,
      int inCapsule,
      Deadline deadline)
      throws IOException {
    this.peer = peer;
    this.inCapsule = Math.min(inCapsule, MAX_IN_CAPSULE);
    this.stream = PduStream.connect(address, options.spinMicros(), security, deadline);
    boolean success = false;
    try {
      out.put(Pdu.HLEN, (byte) Pdu.IC_BYTES).putInt(Pdu.PLEN, Pdu.IC_BYTES);
      out.put(Pdu.IC_DIGESTS, (byte) options.digests());
      stream.write(out.limit(Pdu.IC_BYTES), deadline);
      ByteBuffer in = stream.need(Pdu.COMMON_BYTES, deadline);
      if (in.get(in.position()) == Pdu.C2H_TERM) {
        takeTermination(deadline);
      }
      in = stream.need(Pdu.IC_BYTES, deadline);
      int at = in.position();
      int agreed = in.get(at + Pdu.IC_DIGESTS);
      if (in.get(at) != Pdu.IC_RESP
          || in.get(at + Pdu.FLAGS) != 0
          || in.get(at + Pdu.HLEN) != (byte) Pdu.IC_BYTES
          || in.getInt(at + Pdu.PLEN) != Pdu.IC_BYTES
          || in.getShort(at + Pdu.IC_VERSION) != 0
          || (agreed & ~options.digests()) != 0) {
        throw violation("it is no ICResp of NVMe/TCP");
      }
      // Who asked for digests wants them: a node that has none says so by leaving them out.
      if (agreed != options.digests()) {
        throw violation("it does not agree to digests");
      }
      int dwords = in.get(at + Pdu.IC_ALIGNMENT) & 0xFF;
      maxData = in.getInt(at + Pdu.IC_LIMIT);
      if (dwords > MAX_ALIGNMENT || maxData < MIN_H2C_DATA) {
        throw violation("its ICResp has CPDA " + dwords + ", MAXH2CDATA " + maxData);
      }
      alignment = (dwords + 1) * Integer.BYTES;
      headerDigest = (agreed & Pdu.HEADER_DIGEST) != 0;
      dataDigest = (agreed & Pdu.DATA_DIGEST) != 0;
      in.position(at + Pdu.IC_BYTES);
      success = true;
    } catch (OffloadException e) {
      throw new OffloadException(e.status(), "connecting to " + peer + ": " + detail(e), e);
    } catch (IOException e) {
      throw security != null
          ? e
          : new IOException(
              reason(e) + "; if it speaks TLS alone, tls-key-file= names this host's key", e);
    } finally {
      if (!success) {
        stream.close();
      }
    }
  }

  /** Returns whether a connection was lost, or given up. */
  boolean isBroken() {
    return broken;
  }

  /** Runs a command; see {@link org.luceneoffload.nvme.port.CommandPort#io}. */
  int run(NvmeCommand command) throws OffloadException {
    run(Deadline.of(command.timeoutMillis()), command);
    return command.status();
  }

  /**
   * Runs commands, one after the other, whatever becomes of those before; no more than the queue is
   * deep. They leave in one write, as far as they fit into the buffer.
   *
   * @param deadline of the waiting for each answer
   */
  void run(Deadline deadline, NvmeCommand... commands) throws OffloadException {
    boolean success = false;
    int answered = 0;
    try {
      out.clear();
      for (NvmeCommand command : commands) {
        if (out.remaining() < FRONT_BYTES + Math.min(command.dataBytes(), inCapsule)) {
          stream.write(out.flip(), deadline);
          out.clear();
        }
        begin(nextSlot(), command);
      }
      stream.write(out.flip(), deadline);
      while (answered < commands.length) {
        receive(deadline);
        while (answered < commands.length && slots.get(answered).done) {
          commands[answered].status(slots.get(answered++).status);
          deadline.answered();
        }
      }
      success = true;
    } catch (OffloadException e) {
      throw new OffloadException(e.status(), what(commands[answered]) + ": " + detail(e), e);
    } catch (IOException e) {
      throw new OffloadException(
          OffloadWire.Status.IO_ERROR,
          what(commands[answered]) + ": the connection is lost: " + reason(e),
          e);
    } finally {
      if (!success) {
        close();
      }
      stream.restoreInterrupt();
      for (int i = 0; i < used; i++) {
        slots.get(i).command = null;
      }
      used = 0;
    }
  }

  private Slot nextSlot() {
    if (used == slots.size()) {
      slots.add(new Slot());
    }
    return slots.get(used++);
  }

  /**
   * Returns the numbers of unanswered commands that may take long, for Aborts; commands that fetch
   * do not. For the thread that waits.
   */
  int[] longUnderWay() {
    int[] numbers = new int[used];
    int count = 0;
    for (Slot slot : slots.subList(0, used)) {
      if (!slot.done && (slot.command.opcode() & TO_HOST) == 0) {
        numbers[count++] = slot.cid;
      }
    }
    return Arrays.copyOf(numbers, count);
  }

  private String what(NvmeCommand command) {
    return String.format(Locale.ROOT, "command %02Xh on %s", command.opcode(), peer);
  }

  private static String reason(IOException e) {
    return e.getMessage() == null ? "it is closed" : e.getMessage();
  }

  /** Returns a message without the name of its status, which the next one brings again. */
  private static String detail(OffloadException e) {
    String name = OffloadWire.Status.name(e.status()) + ": ";
    String message = e.getMessage();
    return message.startsWith(name) ? message.substring(name.length()) : message;
  }

  /** Appends a command capsule, with its data if they are short. */
  private void begin(Slot slot, NvmeCommand command) {
    lastCid = lastCid + 1 & CID_MASK;
    slot.begin(command, lastCid);
    int bytes = command.dataBytes();
    boolean carried = command.isToDevice() && bytes > 0 && bytes <= inCapsule;
    int at = beginPdu(Pdu.CAPSULE_COMMAND, 0, Pdu.COMMAND_BYTES, carried ? bytes : 0);
    out.put(at + Pdu.OPCODE, (byte) command.opcode());
    out.put(at + Pdu.ENTRY_FLAGS, (byte) Pdu.FLAGS_SGL);
    out.putShort(at + Pdu.COMMAND_CID, (short) slot.cid);
    out.putInt(at + Pdu.NSID, command.nsid());
    for (int i = 2; i <= 4; i++) {
      out.putInt(at + Pdu.CDW2 + Integer.BYTES * (i - 2), command.dword(i));
    }
    out.putInt(at + Pdu.SGL_LENGTH, bytes);
    out.put(at + Pdu.SGL_TYPE, (byte) (carried ? Pdu.SGL_IN_CAPSULE : Pdu.SGL_TRANSPORT));
    for (int i = 0; i < 6; i++) {
      out.putInt(at + Pdu.CDW10 + Integer.BYTES * i, command.dword(10 + i));
    }
    sealHeader(at, Pdu.COMMAND_BYTES);
    if (carried) {
      out.put(out.position(), command.data(), command.dataOffset(), bytes);
      out.position(out.position() + bytes);
      if (dataDigest) {
        out.putInt(digest(command.data(), command.dataOffset(), bytes));
      }
      slot.sent = bytes;
    }
  }

  /** Fills in a common header; the position is then where the data begin. Returns its start. */
  private int beginPdu(int type, int flags, int headerBytes, int dataBytes) {
    int at = out.position();
    int front = headerBytes + (headerDigest ? Pdu.DIGEST_BYTES : 0);
    int dataAt = dataBytes == 0 ? front : (front + alignment - 1) / alignment * alignment;
    for (int i = 0; i < dataAt; i++) {
      out.put(at + i, (byte) 0);
    }
    boolean digested = dataBytes > 0 && dataDigest;
    out.put(at, (byte) type);
    out.put(
        at + Pdu.FLAGS,
        (byte) (flags | (headerDigest ? Pdu.HEADER_DIGEST : 0) | (digested ? Pdu.DATA_DIGEST : 0)));
    out.put(at + Pdu.HLEN, (byte) headerBytes);
    out.put(at + Pdu.PDO, (byte) (dataBytes == 0 ? 0 : dataAt));
    out.putInt(at + Pdu.PLEN, dataAt + dataBytes + (digested ? Pdu.DIGEST_BYTES : 0));
    out.position(at + dataAt);
    return at;
  }

  private void sealHeader(int at, int headerBytes) {
    if (headerDigest) {
      out.putInt(at + headerBytes, digest(out, at, headerBytes));
    }
  }

  private int digest(ByteBuffer bytes, int from, int count) {
    crc.reset();
    crc.update(bytes.slice(from, count));
    return (int) crc.getValue();
  }

  private void receive(Deadline deadline) throws IOException {
    ByteBuffer in = stream.need(Pdu.COMMON_BYTES, deadline);
    int at = in.position();
    int type = in.get(at) & 0xFF;
    int headerBytes = in.get(at + Pdu.HLEN) & 0xFF;
    if (type == Pdu.C2H_TERM) {
      takeTermination(deadline);
    }
    if (type != Pdu.CAPSULE_RESPONSE && type != Pdu.C2H_DATA && type != Pdu.R2T) {
      throw violation("a PDU of type " + type);
    }
    if (headerBytes != Pdu.SHORT_BYTES) {
      throw violation("a PDU of type " + type + " with HLEN " + headerBytes);
    }
    int front = headerBytes + (headerDigest ? Pdu.DIGEST_BYTES : 0);
    in = stream.need(front, deadline);
    at = in.position();
    boolean digested = (in.get(at + Pdu.FLAGS) & Pdu.HEADER_DIGEST) != 0;
    if (digested != headerDigest) {
      throw violation("a PDU with a header digest, or without one, that was not agreed on");
    }
    if (headerDigest && in.getInt(at + headerBytes) != digest(in, at, headerBytes)) {
      throw violation("a header digest that is wrong");
    }
    in.position(at + front);
    if (type == Pdu.C2H_DATA) {
      takeData(in, at, front, deadline);
    } else {
      int total = in.getInt(at + Pdu.PLEN);
      if (total != front) {
        throw violation("a PDU of type " + type + " with PLEN " + total);
      }
      if (type == Pdu.R2T) {
        sendData(in, at, deadline);
      } else {
        takeResponse(in, at);
      }
    }
  }

  private Slot slotOf(int cid) throws OffloadException {
    for (int i = 0; i < used; i++) {
      Slot slot = slots.get(i);
      if (slot.cid == cid && !slot.done) {
        return slot;
      }
    }
    throw violation("an answer to command " + cid + ", which is not under way");
  }

  private void takeResponse(ByteBuffer in, int at) throws OffloadException {
    Slot slot = slotOf(in.getShort(at + Pdu.RESPONSE_CID) & 0xFFFF);
    slot.status = (in.getShort(at + Pdu.STATUS) & 0xFFFF) >>> 1;
    slot.command.result(in.getLong(at + Pdu.RESULT));
    complete(slot);
  }

  /** Completes a command, and checks that all data of one that succeeded were moved. */
  private void complete(Slot slot) throws OffloadException {
    NvmeCommand command = slot.command;
    slot.done = true;
    if (slot.status != 0 || command.opcode() == FABRICS_OPCODE || command.data() == null) {
      return;
    }
    boolean vendor = command.opcode() >= FIRST_VENDOR_OPCODE;
    int expected = vendor && !command.isToDevice() ? command.dword0() : command.dataBytes();
    int moved = command.isToDevice() ? slot.sent : slot.received;
    if (moved != expected) {
      throw violation(
          String.format(
              Locale.ROOT,
              "success of command %02Xh after %d of %d bytes",
              command.opcode(),
              moved,
              expected & 0xFFFFFFFFL));
    }
  }

  private void takeData(ByteBuffer in, int at, int front, Deadline deadline) throws IOException {
    Slot slot = slotOf(in.getShort(at + Pdu.DATA_CID) & 0xFFFF);
    NvmeCommand command = slot.command;
    int flags = in.get(at + Pdu.FLAGS);
    int dataAt = in.get(at + Pdu.PDO) & 0xFF;
    int offset = in.getInt(at + Pdu.DATA_OFFSET);
    int bytes = in.getInt(at + Pdu.DATA_LENGTH);
    long total = in.getInt(at + Pdu.PLEN) & 0xFFFFFFFFL;
    boolean last = (flags & Pdu.LAST) != 0;
    boolean success = (flags & Pdu.SUCCESS) != 0;
    if (command.isToDevice() || command.data() == null || slot.whole) {
      throw violation("data that nobody has asked for");
    }
    if (offset != slot.received || bytes <= 0 || bytes > command.dataBytes() - offset) {
      throw violation(
          String.format(
              Locale.ROOT,
              "%d bytes of data at %d, of %d of which %d are here",
              bytes & 0xFFFFFFFFL,
              offset & 0xFFFFFFFFL,
              command.dataBytes(),
              slot.received));
    }
    int digestBytes = dataDigest ? Pdu.DIGEST_BYTES : 0;
    if (dataAt < front
        || total != dataAt + (long) bytes + digestBytes
        || (flags & Pdu.DATA_DIGEST) != 0 != dataDigest
        || success && !last) {
      throw violation(
          String.format(
              Locale.ROOT, "a C2HData with PDO %d, PLEN %d, FLAGS %d", dataAt, total, flags));
    }
    if (dataAt > front) {
      ByteBuffer padded = stream.need(dataAt - front, deadline);
      padded.position(padded.position() + dataAt - front);
    }
    int from = command.dataOffset() + offset;
    stream.read(command.data().duplicate().limit(from + bytes).position(from), deadline);
    if (dataDigest) {
      ByteBuffer tail = stream.need(Pdu.DIGEST_BYTES, deadline);
      if (tail.getInt() != digest(command.data(), from, bytes)) {
        throw violation("a data digest that is wrong");
      }
    }
    slot.received += bytes;
    slot.whole = last;
    if (success) {
      complete(slot);
    }
  }

  /** Sends what an R2T asks for. */
  private void sendData(ByteBuffer in, int at, Deadline deadline) throws IOException {
    Slot slot = slotOf(in.getShort(at + Pdu.DATA_CID) & 0xFFFF);
    NvmeCommand command = slot.command;
    int tag = in.getShort(at + Pdu.DATA_TAG);
    int offset = in.getInt(at + Pdu.DATA_OFFSET);
    int bytes = in.getInt(at + Pdu.DATA_LENGTH);
    if (!command.isToDevice()
        || offset != slot.sent
        || bytes <= 0
        || bytes > command.dataBytes() - offset) {
      throw violation(
          String.format(
              Locale.ROOT,
              "a request for %d bytes at %d, of %d of which %d are sent",
              bytes & 0xFFFFFFFFL,
              offset & 0xFFFFFFFFL,
              command.dataBytes(),
              slot.sent));
    }
    for (int left = bytes; left > 0; ) {
      int part = Math.min(left, maxData);
      int from = command.dataOffset() + slot.sent;
      out.clear();
      int pdu = beginPdu(Pdu.H2C_DATA, part == left ? Pdu.LAST : 0, Pdu.SHORT_BYTES, part);
      out.putShort(pdu + Pdu.DATA_CID, (short) slot.cid);
      out.putShort(pdu + Pdu.DATA_TAG, (short) tag);
      out.putInt(pdu + Pdu.DATA_OFFSET, slot.sent);
      out.putInt(pdu + Pdu.DATA_LENGTH, part);
      sealHeader(pdu, Pdu.SHORT_BYTES);
      int end = out.position();
      ByteBuffer data = command.data().slice(from, part);
      if (dataDigest) {
        out.putInt(digest(command.data(), from, part));
        ByteBuffer tail = out.slice(end, Pdu.DIGEST_BYTES);
        stream.write(new ByteBuffer[] {out.slice(0, end), data, tail}, deadline);
      } else {
        stream.write(new ByteBuffer[] {out.slice(0, end), data}, deadline);
      }
      slot.sent += part;
      left -= part;
    }
  }

  /** Takes the message by which the controller ends the connection, and says why. */
  private void takeTermination(Deadline deadline) throws IOException {
    ByteBuffer in = stream.need(Pdu.SHORT_BYTES, deadline);
    int status = in.getShort(in.position() + Pdu.TERM_STATUS);
    throw new IOException("the node ends it with fatal error status " + status);
  }

  private OffloadException violation(String what) {
    return new OffloadException(
        OffloadWire.Status.IO_ERROR, peer + " breaks the rules of NVMe/TCP: " + what);
  }

  @Override
  public void close() {
    broken = true;
    stream.close();
  }
}
