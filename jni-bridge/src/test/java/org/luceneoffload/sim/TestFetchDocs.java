/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.DeviceSession;
import org.luceneoffload.device.DeviceSession.StopSignal;
import org.luceneoffload.device.StridedList;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.layout.ResultHeaderLayout;

/** Doc IDs that go from the device to the caller's array, and through no buffer of the session. */
class TestFetchDocs {
  private static final int STRIDE = 5;

  @TempDir Path home;

  private interface Body {
    void run(Device device, DeviceSession session) throws IOException;
  }

  private void withSession(Body body) throws IOException {
    try (Device device = new SimDeviceProvider().openForWriting("capacity=16m", home);
        DeviceSession session = device.openSession()) {
      body.run(device, session);
    }
  }

  private static ByteBuffer executeDocs(DeviceSession session, StridedList list, int minDoc)
      throws IOException {
    int bytes =
        StridedList.encode(session.planBuffer(), list.plan(), OffloadWire.Mode.DOCS, minDoc);
    return session.executeDocs(bytes, StopSignal.NEVER);
  }

  private static int[] copied(DeviceSession session, ByteBuffer page) throws IOException {
    int[] docs = new int[ResultHeaderLayout.entryCount(page, 0) + 1];
    docs[docs.length - 1] = -7;
    assertTrue(
        session.copyAscending(page, ResultHeaderLayout.BYTES, docs.length - 1, docs), "ascending");
    assertEquals(-7, docs[docs.length - 1], "behind the last");
    return docs;
  }

  @Test
  void docsAreThoseOfThePage() throws IOException {
    withSession(
        (device, session) -> {
          int lba = 0;
          for (int postings :
              new int[] {1, 2, 127, 128, 2047, 2048, 2049, 4082, 4083, 4097, 9000}) {
            StridedList list = StridedList.write(device, lba, postings, STRIDE, 3);
            lba += list.extent().pageCount();
            ByteBuffer page = executeDocs(session, list, 0);
            assertEquals(postings, ResultHeaderLayout.entryCount(page, 0));
            assertEquals(ResultHeaderLayout.BYTES + Integer.BYTES * postings, page.limit());
            int[] docs = copied(session, page);
            for (int i = 0; i < postings; i++) {
              assertEquals(list.doc(i), docs[i], "of " + postings);
            }
          }
        });
  }

  @Test
  void nextPagesGoOnWhereTheLastOneEnded() throws IOException {
    withSession(
        (device, session) -> {
          StridedList list = StridedList.write(device, 0, 40_000, STRIDE, 3);
          int seen = 0;
          for (int next = 0, pages = 0; next < list.maxDoc(); pages++) {
            ByteBuffer page = executeDocs(session, list, next);
            int[] docs = copied(session, page);
            for (int i = 0; i < docs.length - 1; i++) {
              assertEquals(list.doc(seen++), docs[i]);
            }
            next = ResultHeaderLayout.nextDoc(page, 0);
            assertTrue(pages < 4, "pages");
          }
          assertEquals(40_000, seen);
        });
  }

  @Test
  void pageOfAnotherPlanIsReadAsItIs() throws IOException {
    withSession(
        (device, session) -> {
          StridedList list = StridedList.write(device, 0, 10_000, STRIDE, 3);
          executeDocs(session, list, 0);
          ByteBuffer page =
              StridedList.run(session, list.plan(), OffloadWire.Mode.DOCS, 0, StopSignal.NEVER);
          page.putInt(ResultHeaderLayout.BYTES + 4 * 5000, -1);
          assertFalse(
              session.copyAscending(page, ResultHeaderLayout.BYTES, 10_000, new int[10_000]));
        });
  }

  @Test
  void refusesWhatThePageHasNot() throws IOException {
    withSession(
        (device, session) -> {
          StridedList list = StridedList.write(device, 0, 10_000, STRIDE, 3);
          ByteBuffer page = executeDocs(session, list, 0);
          int[] docs = new int[20_000];
          int first = ResultHeaderLayout.BYTES;
          fails(
              OffloadWire.Status.INTERNAL, () -> session.copyAscending(page, first, 10_001, docs));
          assertThrows(
              OffloadException.class, () -> session.copyAscending(page, first, 20_001, docs));
          assertThrows(OffloadException.class, () -> session.copyAscending(page, -4, 5, docs));
          fails(
              OffloadWire.Status.INVALID_FIELD,
              () -> session.copyAscending(page, 1 << 20, 5, docs));
          copied(session, page);
        });
  }

  @Test
  void sessionThatIsClosedSaysSo() throws IOException {
    withSession(
        (device, session) -> {
          StridedList list = StridedList.write(device, 0, 10_000, STRIDE, 3);
          ByteBuffer page = executeDocs(session, list, 0);
          session.close();
          fails(
              OffloadWire.Status.CLOSED,
              () -> session.copyAscending(page, ResultHeaderLayout.BYTES, 10_000, new int[10_000]));
        });
  }

  private interface Call {
    void run() throws IOException;
  }

  private static void fails(int status, Call call) {
    assertEquals(status, assertThrows(OffloadException.class, call::run).status());
  }
}
