/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.device;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.luceneoffload.device.DeviceSession.StopSignal;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;

/**
 * A facet of sessions whose device knows the commands of tasks (section 6b of the wire); {@link
 * org.luceneoffload.device.task.DeviceTask} is the way to use it. From INIT_TSK to FINAL the
 * session runs no plan.
 */
public interface TaskCommands {
  /**
   * {@return the facet of a session}
   *
   * @param session any session
   * @throws OffloadException with status INVALID_OPCODE if it lacks it
   */
  static TaskCommands of(DeviceSession session) throws OffloadException {
    TaskCommands facet = session.as(TaskCommands.class);
    if (facet == null) {
      throw new OffloadException(OffloadWire.Status.INVALID_OPCODE, "the device knows no tasks");
    }
    return facet;
  }

  /**
   * Runs a command of a task.
   *
   * @param opcode INIT_TSK, of the plan in {@link DeviceSession#planBuffer()}; READ_PROC, READ_FILT
   *     or FINAL
   * @param dword11 of the command, as the two that follow
   * @param dword12 of the command
   * @param dword13 of the command
   * @param stop asked now and then while the command waits; true ends it with status ABORTED
   * @return dword 0 of the completion
   * @throws IOException if the device fails
   */
  int taskCommand(int opcode, int dword11, int dword12, int dword13, StopSignal stop)
      throws IOException;

  /**
   * Fetches the page that READ_FILT or FINAL has left.
   *
   * @param bytes as that command answered
   * @return the page, from byte 0 to the limit, little-endian; valid until the next call
   * @throws IOException if the device fails
   */
  ByteBuffer taskPage(int bytes) throws IOException;
}
