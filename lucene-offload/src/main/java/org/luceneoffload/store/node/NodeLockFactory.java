/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store.node;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.Lock;
import org.apache.lucene.store.LockFactory;
import org.apache.lucene.store.LockObtainFailedException;
import org.luceneoffload.store.guard.DeviceHandle;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;

/**
 * Locks of indexes on a node. Who gets one has made the node's volume writable for the index, which
 * keeps every other process from it; within the process, each lock is one's alone.
 */
final class NodeLockFactory extends LockFactory {
  /** A lock that is held. */
  private record Held(DeviceHandle handle, String name) {}

  private static final Set<Held> HELD = ConcurrentHashMap.newKeySet();

  private final DeviceHandle handle;

  NodeLockFactory(DeviceHandle handle) {
    this.handle = handle;
  }

  @Override
  public Lock obtainLock(Directory directory, String name) throws IOException {
    String index = ((NodeDirectory) directory).index();
    String full = index + "/" + name;
    try {
      handle.openForWriting(index);
    } catch (OffloadException e) {
      if (e.status() == OffloadWire.Status.READ_ONLY) {
        throw new AccessDeniedException(full, null, e.getMessage());
      }
      throw new LockObtainFailedException(full + " on " + handle.device().name(), e);
    }
    Held held = new Held(handle, full);
    if (!HELD.add(held)) {
      throw new LockObtainFailedException(
          full + " on " + handle.device().name() + " is held in this process");
    }
    return new NodeLock(held);
  }

  private static final class NodeLock extends Lock {
    private final Held held;
    private volatile boolean closed;

    NodeLock(Held held) {
      this.held = held;
    }

    @Override
    public void ensureValid() {
      if (closed) {
        throw new AlreadyClosedException("lock " + held.name() + " was released");
      }
    }

    @Override
    public synchronized void close() {
      if (!closed) {
        closed = true;
        HELD.remove(held);
      }
    }

    @Override
    public String toString() {
      return "NodeLock(" + held.name() + " on " + held.handle().device().name() + ")";
    }
  }
}
