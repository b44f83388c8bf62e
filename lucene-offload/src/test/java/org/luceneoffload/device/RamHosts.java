/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.device;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire.Status;

/** Hosts that share a device in memory as they do a storage node: with leases of scopes. */
public final class RamHosts {
  private final RamBlockDevice contents;
  private final Map<Long, Host> writers = new HashMap<>(); // by scope
  private final Map<Long, Host> last = new HashMap<>(); // that had a scope
  private final Map<Long, Long> turns = new HashMap<>();
  private final Map<Host, Long> readers = new HashMap<>();

  /** Hosts over a device. */
  public RamHosts(RamBlockDevice contents) {
    this.contents = contents;
  }

  /** One more host. */
  public Host host() {
    return new Host();
  }

  /** A host's view of the device; a file table that was written without its lease is an error. */
  public final class Host extends FilterDevice implements SharedStorage {
    private static final long TABLE = 1;
    private static final long FIRST_FILE_LBA = 5; // of devices of up to 512 LBAs
    private boolean killed;
    private volatile boolean unsettled;

    private Host() {
      super(contents);
    }

    /** The host is no more: what it held is free, and whatever it does next fails. */
    public void kill() {
      synchronized (RamHosts.this) {
        writers.values().removeIf(host -> host == this);
        readers.remove(this);
        killed = true;
      }
    }

    /** Has it look as if a write was given up, and may still take effect. */
    public void setUnsettled(boolean unsettled) {
      this.unsettled = unsettled;
    }

    @Override
    public boolean hasUnfinishedWrites() {
      return unsettled;
    }

    private void check() throws OffloadException {
      if (killed) {
        throw new OffloadException(Status.IO_ERROR, "the host is dead");
      }
    }

    @Override
    public boolean hasScopes() {
      return true;
    }

    @Override
    public boolean hasLeases() {
      return true;
    }

    @Override
    public void openForWriting() throws IOException {
      takeScope(0, false);
    }

    @Override
    public long takeScope(long scope, boolean passing) throws IOException {
      synchronized (RamHosts.this) {
        check();
        for (Map.Entry<Long, Host> entry : writers.entrySet()) {
          boolean excludes = entry.getKey() == 0 || scope == 0;
          if (excludes || entry.getKey() == scope && entry.getValue() != this) {
            throw new OffloadException(
                passing ? Status.BUSY : Status.LOCKED, "another host has it");
          }
        }
        writers.put(scope, this);
        boolean again = last.put(scope, this) == this;
        if (scope == 0 || !again) {
          turns.merge(scope, 1L, Long::sum);
        }
        return turns.get(scope) + turns.getOrDefault(0L, 0L);
      }
    }

    @Override
    public void dropScope(long scope) throws IOException {
      synchronized (RamHosts.this) {
        check();
        writers.remove(scope, this);
      }
    }

    @Override
    public long leastLease() throws IOException {
      synchronized (RamHosts.this) {
        check();
        return readers.values().stream().mapToLong(Long::longValue).min().orElse(Long.MAX_VALUE);
      }
    }

    @Override
    public void holdLease(long sequence) throws IOException {
      synchronized (RamHosts.this) {
        check();
        if (sequence == Long.MAX_VALUE) {
          readers.remove(this);
        } else {
          readers.put(this, sequence);
        }
      }
    }

    @Override
    public void read(long lba, ByteBuffer dst) throws IOException {
      check();
      super.read(lba, dst);
    }

    @Override
    public void write(long lba, ByteBuffer src) throws IOException {
      synchronized (RamHosts.this) {
        check();
        if (!writers.containsValue(this)) {
          throw new OffloadException(Status.LOCKED, "it holds no scope");
        }
        boolean table = lba < FIRST_FILE_LBA;
        if (table && writers.get(TABLE) != this && writers.get(0L) != this) {
          throw new AssertionError("a file table written without its lease");
        }
        super.write(lba, src);
      }
    }

    @Override
    public void flush() throws IOException {
      check();
      super.flush();
    }

    @Override
    public void trim(long lba, long count) throws IOException {
      check();
      super.trim(lba, count);
    }

    /** It gives back what it held; the device stays. */
    @Override
    public void close() {
      kill();
    }
  }
}
