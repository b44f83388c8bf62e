/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.classic;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.util.SmallFloat;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.DeviceSession;
import org.luceneoffload.device.timing.ModelSettings;
import org.luceneoffload.device.timing.ModelledPlan;
import org.luceneoffload.device.timing.TimingModel;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.ModelReport;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.layout.ExtentLayout;
import org.luceneoffload.wire.layout.ListRefLayout;
import org.luceneoffload.wire.layout.PlanHeaderLayout;
import org.luceneoffload.wire.layout.PlanNodeLayout;
import org.luceneoffload.wire.page.PageEncoder;
import org.luceneoffload.wire.plan.NormTable;
import org.luceneoffload.wire.plan.PlanRequest;
import org.luceneoffload.wire.plan.PlanWriter;
import org.luceneoffload.wire.plan.ResultReader;

/**
 * Posting lists given as arrays, on a device, and the programs of Lucene queries over them under a
 * profile: so that these can be compared with other programs on the same lists.
 *
 * <p>Docs and frequencies are the caller's. Lengths of documents, which BM25 asks for, are drawn
 * here: they depend on the doc alone, 30 to 1,100 terms, about 290 on average. Weights are those of
 * BM25 with k1 = 1.2 and b = 0.75. One thread at a time.
 */
public final class ProductionLists {
  /**
   * The cost of a program, and its result.
   *
   * @param device on the modelled device
   * @param host on its host
   * @param matches docs that match; of a ranked operation at least so many, see {@link #exact}
   * @param exact whether {@code matches} is all of them
   */
  public record Outcome(ModelReport device, ModelReport host, long matches, boolean exact) {}

  /** Hits of a ranked operation. */
  public static final int TOP = 10;

  /** Matches that a ranked operation counts before it leaves out what cannot enter; Lucene's. */
  public static final int COUNTED = 1000;

  private static final float K1 = 1.2f;
  private static final float B = 0.75f;
  private static final int MIN_LENGTH = 30;
  private static final double LENGTH_RATIO = 36; // longest over shortest document
  private static final int SAMPLE = 4096;
  private static final int FIRST_PAGE = 1; // in the file, as in an index

  /** Where a list is: in one run of LBAs. */
  private record PostingList(int postings, int pages, long lba, long stamp) {}

  private final Device device;
  private final List<PostingList> lists = new ArrayList<>();
  private final NormTable norms;
  private final int maxDoc;
  private final ByteBuffer lbaBytes =
      ByteBuffer.allocateDirect(OffloadWire.PAGE_BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private long nextLba;

  private ProductionLists(Device device, int maxDoc) {
    this.device = device;
    this.maxDoc = maxDoc;
    double sum = 0;
    for (int doc = 0; doc < SAMPLE; doc++) {
      sum += length(doc);
    }
    float[] values = new float[OffloadWire.NORM_TABLE_ENTRIES];
    for (int norm = 0; norm < values.length; norm++) {
      float length = SmallFloat.byte4ToInt((byte) norm);
      values[norm] = 1f / (K1 * ((1 - B) + B * length / (float) (sum / SAMPLE)));
    }
    norms = new NormTable(values);
  }

  /**
   * Writes lists from LBA 0 on, over whatever is there.
   *
   * @param docs of each list: its docs, ascending, at least one
   * @param freqs of each list: the frequencies of its docs, at least 1
   * @param maxDoc docs are below this
   * @param stamp tells these lists from others that were written to the device before
   */
  public static ProductionLists write(
      Device device, List<int[]> docs, List<int[]> freqs, int maxDoc, long stamp)
      throws IOException {
    ProductionLists lists = new ProductionLists(device, maxDoc);
    for (int i = 0; i < docs.size(); i++) {
      lists.writeList(docs.get(i), freqs.get(i), stamp + i);
    }
    device.flush();
    return lists;
  }

  private void writeList(int[] docs, int[] freqs, long stamp) throws IOException {
    long first = nextLba;
    PageEncoder encoder =
        new PageEncoder(
            stamp,
            FIRST_PAGE,
            page -> {
              lbaBytes.clear().put(page).flip();
              device.write(nextLba++, lbaBytes);
            });
    int block = OffloadWire.BLOCK_POSTINGS;
    int[] blockNorms = new int[block];
    int base = OffloadWire.NO_DOC;
    for (int at = 0; at < docs.length; at += block) {
      int count = Math.min(block, docs.length - at);
      for (int i = 0; i < count; i++) {
        blockNorms[i] = SmallFloat.intToByte4(length(docs[at + i])) & 0xFF;
      }
      int flags =
          (at == 0 ? OffloadWire.BlockFlag.FIRST_OF_LIST : 0)
              | (at + count == docs.length ? OffloadWire.BlockFlag.LAST_OF_LIST : 0);
      encoder.addBlock(
          Arrays.copyOfRange(docs, at, at + block),
          Arrays.copyOfRange(freqs, at, at + block),
          blockNorms,
          count,
          base,
          flags);
      base = docs[at + count - 1];
    }
    encoder.finish();
    int pages = (int) (nextLba - first);
    lists.add(new PostingList(docs.length, pages, first, stamp));
  }

  /** Draws the number of a document's terms, evenly in the logarithm. */
  private static int length(int doc) {
    long z = (doc + 1) * 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    double uniform = ((z ^ (z >>> 31)) >>> 11) * 0x1p-53;
    return (int) (MIN_LENGTH * Math.pow(LENGTH_RATIO, uniform));
  }

  /** Returns how many bytes of posting pages the lists take. */
  public long bytes() {
    return nextLba * OffloadWire.PAGE_BYTES;
  }

  /**
   * Runs an operation over the lists.
   *
   * @param profile the modelled device and its host; its model is not left on
   * @param ranked whether only the {@link #TOP} best docs are wanted, with pruning; otherwise all
   *     docs are sent, and the host ranks them on both sides
   */
  public Outcome run(DeviceProfile profile, Operation operation, boolean ranked)
      throws IOException {
    List<ModelReport> onDevice = new ArrayList<>();
    List<ModelReport> onHost = new ArrayList<>();
    TimingModel.of(device)
        .startModel(
            profile.wireBytes(),
            new ModelSettings(0, true),
            plan -> {
              onDevice.add(report(plan, OffloadWire.ModelData.DEVICE_REPORT));
              onHost.add(report(plan, OffloadWire.ModelData.HOST_REPORT));
            });
    try (DeviceSession session = device.openSession()) {
      PlanRequest request =
          PlanRequest.of(
              ranked ? OffloadWire.Mode.TOP_K : OffloadWire.Mode.DOCS,
              0,
              maxDoc,
              device.info().maxResultBytes());
      if (ranked) {
        request.k = TOP;
        request.countThreshold = COUNTED;
      }
      ResultReader result = new ResultReader();
      long matches = 0;
      do {
        int bytes = writePlan(session.planBuffer(), operation, request);
        result.reset(session.execute(bytes, DeviceSession.StopSignal.NEVER), request);
        matches += result.matchCount();
        request.minDoc = result.nextDoc();
      } while (result.more());
      return new Outcome(
          ModelReport.inSequence(onDevice),
          ModelReport.inSequence(onHost),
          matches,
          !result.lowerBound());
    } finally {
      TimingModel.of(device).stopModel();
    }
  }

  /**
   * What windows of docs took.
   *
   * @param reports of each, on the host
   * @param matches docs that match in all of them; ranked, at least so many
   */
  public record Windows(List<ModelReport> reports, long matches) {}

  /**
   * Counts the matches of an operation in one window of docs after the other, or finds the best.
   *
   * @param ranked whether the {@link #TOP} best docs of each window are wanted
   * @param count of windows, of about as many docs each
   */
  public Windows windows(DeviceProfile profile, Operation operation, boolean ranked, int count)
      throws IOException {
    List<ModelReport> reports = new ArrayList<>(count);
    TimingModel.of(device)
        .startModel(
            profile.wireBytes(),
            new ModelSettings(0, true),
            plan -> reports.add(report(plan, OffloadWire.ModelData.HOST_REPORT)));
    try (DeviceSession session = device.openSession()) {
      ResultReader result = new ResultReader();
      long matches = 0;
      for (int i = 0; i < count; i++) {
        PlanRequest request =
            PlanRequest.of(
                ranked ? OffloadWire.Mode.TOP_K : OffloadWire.Mode.COUNT,
                (int) ((long) maxDoc * i / count),
                (int) ((long) maxDoc * (i + 1) / count),
                device.info().maxResultBytes());
        if (ranked) {
          request.k = TOP;
          request.countThreshold = COUNTED;
        }
        int bytes = writePlan(session.planBuffer(), operation, request);
        result.reset(session.execute(bytes, DeviceSession.StopSignal.NEVER), request);
        matches += result.matchCount();
      }
      return new Windows(reports, matches);
    } finally {
      TimingModel.of(device).stopModel();
    }
  }

  private static ModelReport report(ModelledPlan plan, int data) throws IOException {
    return ModelReport.read(plan.modelData(data), 0);
  }

  /** Writes a Boolean node over all lists, each in an extent of its own; returns the bytes. */
  private int writePlan(ByteBuffer b, Operation operation, PlanRequest request) {
    int count = lists.size();
    int bytes =
        PlanHeaderLayout.BYTES
            + (1 + count) * PlanNodeLayout.BYTES
            + count * (ListRefLayout.BYTES + ExtentLayout.BYTES)
            + OffloadWire.NORM_TABLE_BYTES;
    b.clear();
    PlanWriter.writeHeader(
        b,
        request,
        PlanWriter.Counts.of(bytes, maxDoc).nodes(1 + count).lists(count).extents(count).tables(1));
    PlanWriter.Node root =
        PlanWriter.Node.of(OffloadWire.Op.BOOL, OffloadWire.Occur.MUST, count, 0f);
    int at = PlanWriter.writeNode(b, PlanHeaderLayout.BYTES, root);
    for (int i = 0; i < count; i++) {
      float weight = weight(lists.get(i).postings());
      PlanWriter.Node term =
          PlanWriter.Node.of(OffloadWire.Op.TERM, occur(operation, i), 0, weight);
      at = PlanWriter.writeNode(b, at, term.list(i));
    }
    for (int i = 0; i < count; i++) {
      PostingList list = lists.get(i);
      PlanWriter.Extents extents = new PlanWriter.Extents(i, 1);
      PlanWriter.Pages pages =
          new PlanWriter.Pages(FIRST_PAGE, list.pages(), list.stamp(), extents);
      at = PlanWriter.writePaged(b, at, new PlanWriter.ListPlace(pages, 0, list.postings()), 0);
    }
    for (PostingList list : lists) {
      at = PlanWriter.writeExtent(b, at, FIRST_PAGE, list.pages(), list.lba());
    }
    at = PlanWriter.writeTable(b, at, norms);
    assert at == bytes;
    return bytes;
  }

  private static int occur(Operation operation, int list) {
    return switch (operation) {
      case INTERSECTION -> OffloadWire.Occur.MUST;
      case UNION -> OffloadWire.Occur.SHOULD;
      case DIFFERENCE -> list == 0 ? OffloadWire.Occur.MUST : OffloadWire.Occur.MUST_NOT;
    };
  }

  private float weight(double docFreq) {
    return (float) Math.log(1 + (maxDoc - docFreq + 0.5) / (docFreq + 0.5));
  }
}
