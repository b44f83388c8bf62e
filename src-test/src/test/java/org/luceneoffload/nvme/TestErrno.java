/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.luceneoffload.nvme.port.Errno;

/** Error numbers of Linux. */
class TestErrno {
  @ParameterizedTest
  @ValueSource(ints = {Errno.EACCES, Errno.EPERM, Errno.EROFS})
  void whatMayStillBeRead(int errno) {
    assertTrue(Errno.refusesWriting(errno));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, Errno.ENOENT, Errno.ENXIO, Errno.ENODEV, Errno.EBUSY, Errno.EIO})
  void whatMayNot(int errno) {
    assertFalse(Errno.refusesWriting(errno));
  }

  @Test
  void names() {
    assertEquals("EROFS, read-only", Errno.name(Errno.EROFS));
    assertEquals("EISDIR, it is a folder", Errno.name(Errno.EISDIR));
    assertEquals("error number 99", Errno.name(99));
  }
}
