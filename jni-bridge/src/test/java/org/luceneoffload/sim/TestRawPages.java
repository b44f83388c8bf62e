/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.layout.ExtentLayout;

/** Which pages are copied, and which are let go of. */
class TestRawPages {
  private static final int LBAS = 1000;
  private static final int MAX_PAGES = 10;
  private static final int MAX_READ = 4; // pages at once

  private final List<String> reads = new ArrayList<>();
  private RawPages pages;

  @BeforeEach
  void open() throws IOException {
    pages =
        RawPages.open(
            "a test",
            LBAS,
            (long) MAX_PAGES * OffloadWire.LBA_BYTES,
            MAX_READ * OffloadWire.LBA_BYTES,
            this::read);
  }

  @AfterEach
  void close() throws IOException {
    pages.close();
  }

  private void read(long lba, ByteBuffer into) throws IOException {
    if (lba >= LBAS - 1) {
      throw new IOException("the medium is worn out at LBA " + lba);
    }
    reads.add(lba + "+" + into.remaining() / OffloadWire.LBA_BYTES);
    into.position(into.limit());
  }

  /** Returns extents of these first LBAs and numbers of pages. */
  private static ByteBuffer extents(long... lbasAndCounts) {
    ByteBuffer extents =
        ByteBuffer.allocate(lbasAndCounts.length / 2 * ExtentLayout.BYTES)
            .order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < lbasAndCounts.length / 2; i++) {
      ExtentLayout.lba(extents, i * ExtentLayout.BYTES, lbasAndCounts[2 * i]);
      ExtentLayout.pageCount(extents, i * ExtentLayout.BYTES, (int) lbasAndCounts[2 * i + 1]);
    }
    return extents;
  }

  private boolean copy(long... lbasAndCounts) throws OffloadException {
    reads.clear();
    return pages.copy(extents(lbasAndCounts), lbasAndCounts.length / 2);
  }

  @Test
  void aProcessThatIsKilledLeavesNoFilesOnLinux() throws IOException {
    Path open = Path.of("/proc/self/fd");
    assumeTrue(Files.isDirectory(open), "no /proc/self/fd here");
    List<String> files = new ArrayList<>();
    try (Stream<Path> all = Files.list(open)) {
      for (Path link : all.filter(Files::isSymbolicLink).toList()) {
        String file = target(link);
        if (file.contains("/lucene-offload-pages")) {
          files.add(file);
          assertTrue(file.endsWith(" (deleted)"), file);
        }
      }
    }
    assertTrue(files.size() >= 2, files::toString); // pages, and the page index beside them
  }

  private static String target(Path link) {
    try {
      return Files.readSymbolicLink(link).toString();
    } catch (IOException e) {
      return ""; // closed meanwhile
    }
  }

  @Test
  void pagesAreReadOnceAndTogether() throws IOException {
    assertTrue(copy(20, 2, 22, 1, 7, 1, 20, 1));
    assertEquals(List.of("7+1", "20+3"), reads);
    assertTrue(copy(20, 3, 7, 1));
    assertEquals(List.of(), reads);
    assertTrue(copy(19, 6));
    assertEquals(List.of("19+1", "23+2"), reads);
    assertEquals(7, pages.count());
  }

  @Test
  void noMoreIsReadAtOnceThanTheDeviceTransfers() throws IOException {
    assertTrue(copy(100, 9));
    assertEquals(List.of("100+4", "104+4", "108+1"), reads);
  }

  @Test
  void whatTheDeviceHasWrittenIsReadAgain() throws IOException {
    assertTrue(copy(20, 4, 40, 2));
    pages.forget(21, 2);
    pages.forget(900, 50); // was never there
    assertTrue(copy(20, 4, 40, 2));
    assertEquals(List.of("21+2"), reads);
    pages.forget(extents(23, 1, 40, 2));
    assertTrue(copy(20, 4, 40, 2));
    assertEquals(List.of("23+1", "40+2"), reads);
  }

  @Test
  void pagesAreLetGoOfIfTheyAreTooMany() throws IOException {
    assertTrue(copy(0, MAX_PAGES - 1));
    assertTrue(copy(0, 1, 500, 3));
    assertEquals(List.of("0+1", "500+3"), reads);
    assertEquals(4, pages.count());
    assertTrue(copy(5, 1));
    assertEquals(List.of("5+1"), reads);
  }

  @Test
  void aPlanOfTooManyPagesIsTheDevices() throws IOException {
    assertTrue(copy(3, 1));
    assertFalse(copy(100, MAX_PAGES + 1));
    assertEquals(List.of(), reads);
    assertEquals(1, pages.count());
  }

  @Test
  void aFailureNamesItsCauseAndLeavesThePagesOut() throws IOException {
    OffloadException failure = assertThrows(OffloadException.class, () -> copy(5, 1, LBAS - 1, 1));
    assertTrue(failure.getMessage().contains("worn out at LBA 999"), failure.toString());
    assertTrue(copy(5, 1));
    assertEquals(List.of(), reads);
    assertThrows(OffloadException.class, () -> copy(LBAS - 1, 1));
  }

  @Test
  void devicesOfTooManyLbasAreRefused() {
    OffloadException failure =
        assertThrows(
            OffloadException.class,
            () -> RawPages.open("a huge one", 1L << 31, 1 << 20, 1 << 20, this::read));
    assertEquals(OffloadWire.Status.INVALID_ARGUMENT, failure.status());
    assertTrue(failure.getMessage().contains("a huge one"), failure.toString());
  }
}
