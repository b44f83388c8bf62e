/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.luceneoffload.DamagedBytes;
import org.luceneoffload.device.DeviceSession;
import org.luceneoffload.device.PlainSession;
import org.luceneoffload.wire.layout.ResultHeaderLayout;
import org.luceneoffload.wire.plan.PlanRequest;
import org.luceneoffload.wire.plan.ResultReader;

/** Result pages with bytes altered: what comes out keeps the rules, or is refused. */
class TestDamagedResults {
  private static final int MAX_DOC = 1000;

  private final Random random = new Random(DamagedBytes.seed(getClass()));

  /** Its way to copy is the one that every device can use. */
  private static final DeviceSession SESSION = new PlainSession();

  private static PlanRequest request(int mode) {
    PlanRequest request = PlanRequest.of(mode, 0, MAX_DOC, 1 << 16);
    request.k = 50;
    return request;
  }

  /** Reads all of a page; false if it is refused. */
  private static boolean use(ByteBuffer page, int mode) {
    PlanRequest request = request(mode);
    ResultReader reader = new ResultReader();
    try {
      reader.reset(page, request);
      int count = reader.entryCount();
      assertTrue(count >= 0 && count <= page.limit() / 4, "" + count);
      int[] docs = new int[count];
      float[] scores = new float[count];
      if (mode == OffloadWire.Mode.TOP_K) {
        reader.hits(docs, scores);
        for (float score : scores) {
          assertTrue(score >= 0f, "score " + score);
        }
      } else if (mode != OffloadWire.Mode.COUNT) {
        reader.docs(SESSION::copyAscending, docs);
        if (mode == OffloadWire.Mode.SCORED_DOCS) {
          reader.scores(scores);
        }
        for (float score : scores) {
          assertTrue(score >= 0f, "score " + score);
        }
        for (int i = 1; i < count; i++) {
          assertTrue(docs[i - 1] < docs[i]);
        }
      }
      for (int doc : docs) {
        assertTrue(doc >= 0 && doc < MAX_DOC, "" + doc);
      }
      assertTrue(reader.nextDoc() <= MAX_DOC);
      return true;
    } catch (OffloadException expected) {
      return false;
    }
  }

  @Test
  void everyResultOfTheVectors() throws IOException {
    int pages = 0;
    int refused = 0;
    int accepted = 0;
    for (WireVector vector : WireVector.all("good")) {
      if (!vector.struct().equals("result")) {
        continue;
      }
      ByteBuffer good = vector.bytes();
      int mode = ResultHeaderLayout.mode(good, 0);
      byte[] bytes = new byte[good.capacity()];
      for (int i = 0; i < 4000; i++) {
        good.get(0, bytes);
        DamagedBytes.alter(random, bytes, 0);
        ByteBuffer page = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        if (random.nextInt(16) == 0) {
          page.limit(random.nextInt(bytes.length + 1));
        }
        if (use(page, mode)) {
          accepted++;
        } else {
          refused++;
        }
      }
      pages++;
    }
    assertTrue(pages >= 4, pages + " pages");
    assertTrue(refused > 1000 && accepted > 1000, refused + " refused, " + accepted + " accepted");
  }
}
