/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.whatif;

import java.io.IOException;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.util.Locale;
import org.luceneoffload.cli.model.ModelMeter.ModelledProgram;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.layout.ModelTraceRecordLayout;

/**
 * The host's reads of a query log, a line each, as other simulators of SSDs replay them: queries
 * one after the other, reads at their simulated times.
 */
final class BlockTrace {
  private static final int SECTOR = 512;
  private static final long SECTORS_AN_LBA = OffloadWire.LBA_BYTES / SECTOR;
  private static final long PS_A_NS = 1000;

  /** Forms of a line. */
  enum Format {
    /** MQSim's: nanoseconds, device, first sector, sectors, 1 for a read. */
    MQSIM,
    /** As blkparse prints the queueing of a request, which tools for FEMU and fio read. */
    BLKTRACE
  }

  private final Writer out;
  private final Format format;
  private long startNs;
  private long lines;

  BlockTrace(Writer out, Format format) {
    this.out = out;
    this.format = format;
  }

  /** Adds the reads of a plan, after those before it. */
  void add(ModelledProgram program) throws IOException {
    ByteBuffer trace = program.hostTrace();
    for (int at = 0; at < trace.limit(); at += ModelTraceRecordLayout.BYTES) {
      if (ModelTraceRecordLayout.what(trace, at) == OffloadWire.ModelActivity.READ) {
        long lba = Integer.toUnsignedLong(ModelTraceRecordLayout.page(trace, at));
        long bytes = Integer.toUnsignedLong(ModelTraceRecordLayout.amount(trace, at));
        line(
            startNs + ModelTraceRecordLayout.endNs(trace, at),
            lba * SECTORS_AN_LBA,
            Math.ceilDiv(bytes, SECTOR));
      }
    }
    startNs += program.onHost().elapsedPs() / PS_A_NS;
  }

  private void line(long ns, long sector, long sectors) throws IOException {
    lines++;
    out.write(
        switch (format) {
          case MQSIM -> ns + " 0 " + sector + " " + sectors + " 1\n";
          case BLKTRACE ->
              String.format(
                  Locale.ROOT,
                  "259,0 0 %d %d.%09d 1 Q R %d + %d [offload]\n",
                  lines,
                  ns / 1_000_000_000,
                  ns % 1_000_000_000,
                  sector,
                  sectors);
        });
  }
}
