/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.SegmentReader;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.store.AlreadyClosedException;
import org.luceneoffload.codec.position.MismatchException;
import org.luceneoffload.codec.position.PositionCheck;
import org.luceneoffload.codec.term.OffloadTermState;
import org.luceneoffload.codec.term.TermHash;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.page.Impacts;
import org.luceneoffload.wire.page.PageDecoder;

/**
 * Compares every device list of an index with the stock postings: doc IDs, frequencies, norm bytes
 * and positions, that no impacts are too low, and that the term hash leads to it. Reads the pages
 * with the host.
 */
public final class ImageCheck {
  /** Told how far a check is. */
  @FunctionalInterface
  public interface Progress {
    /** Reports that some postings are compared; called now and then. */
    void compared(long postings, long ofPostings);
  }

  /**
   * The findings of a check.
   *
   * @param segments segments of the index
   * @param segmentsChecked segments with a usable image
   * @param lists device lists compared, those of one posting included
   * @param postings postings compared
   * @param pages pages read
   * @param withoutImage segment and reason, for each segment that has no image
   * @param problems what is wrong, at most {@link #MAX_PROBLEMS}
   */
  public record Result(
      int segments,
      int segmentsChecked,
      long lists,
      long postings,
      long pages,
      List<String> withoutImage,
      List<String> problems) {}

  /** Most problems that are reported; a check ends when it has found so many. */
  public static final int MAX_PROBLEMS = 100;

  private static final int PROGRESS_STEP = 1 << 20;

  private final Progress progress;
  private final List<String> withoutImage = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();
  private final PageDecoder decoder = new PageDecoder();
  private final ByteBuffer page =
      ByteBuffer.allocateDirect(OffloadWire.PAGE_BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private final int[] docs = new int[OffloadWire.BLOCK_POSTINGS];
  private final int[] freqs = new int[OffloadWire.BLOCK_POSTINGS];
  private final int[] norms = new int[OffloadWire.BLOCK_POSTINGS];
  private final PositionCheck positionCheck = new PositionCheck();
  private SegmentImage positionImage; // the latest one whose positions were compared
  private PositionCheck.PageReader positionPages; // of it
  private TermHash termHash; // the latest one that was verified
  private SegmentImage pageImage;
  private int pageNumber;
  private long lists;
  private long postings;
  private long pages;
  private long totalPostings;
  private PostingsEnum reuse;

  private ImageCheck(Progress progress) {
    this.progress = progress;
  }

  /**
   * Checks an index.
   *
   * @throws IOException if the stock index cannot be read
   */
  public static Result run(DirectoryReader reader, Progress progress) throws IOException {
    return new ImageCheck(progress).check(reader);
  }

  private Result check(DirectoryReader reader) throws IOException {
    for (LeafReaderContext leaf : reader.leaves()) {
      for (FieldInfo field : leaf.reader().getFieldInfos()) {
        Terms terms = leaf.reader().terms(field.name);
        totalPostings += terms == null ? 0 : terms.getSumDocFreq();
      }
    }
    int checked = 0;
    for (LeafReaderContext leaf : reader.leaves()) {
      if (checkSegment(leaf.reader(), "segment " + leaf.ord)) {
        checked++;
      }
    }
    progress.compared(postings, totalPostings);
    return new Result(
        reader.leaves().size(),
        checked,
        lists,
        postings,
        pages + positionCheck.pages(),
        List.copyOf(withoutImage),
        List.copyOf(problems));
  }

  private boolean checkSegment(LeafReader reader, String segment) throws IOException {
    String lastReason = null;
    boolean checked = false;
    checkSidecar(reader, segment);
    for (FieldInfo field : reader.getFieldInfos()) {
      if (field.getIndexOptions() == IndexOptions.NONE) {
        continue;
      }
      Terms terms = DeviceTerms.of(reader, field.name);
      checkTermHash(terms, segment);
      String reason = whyNot(terms);
      if (reason == null) {
        checked = true;
        checkField(reader, field, (OffloadTerms) terms);
      } else if (terms != null && !reason.equals(lastReason)) {
        lastReason = reason;
        boolean bad = terms instanceof OffloadTerms offload && offload.image().bad();
        (bad ? problems : withoutImage).add(segment + ": " + reason);
      }
    }
    return checked;
  }

  /**
   * Checks what lies beside a segment; Lucene's own check verifies the checksums of what belongs to
   * the segment.
   */
  private void checkSidecar(LeafReader reader, String segment) {
    SegmentReader segmentReader = Sidecars.segment(reader);
    try {
      Sidecar sidecar = segmentReader == null ? null : Sidecars.find(segmentReader);
      if (sidecar != null) {
        sidecar.checkIntegrity();
      }
    } catch (IOException e) {
      problems.add(segment + ": imported lists: " + e.getMessage());
    }
  }

  /** Verifies the term hash of a segment that was written with one. */
  private void checkTermHash(Terms terms, String segment) {
    TermHash hash =
        terms instanceof OffloadTerms ours && !ours.isImported() ? ours.segmentHash() : null;
    if (hash == null || hash == termHash) {
      return;
    }
    termHash = hash;
    hash.checkIntegrity();
    if (hash.unusableReason() != null) {
      problems.add(
          segment
              + ": term hash "
              + hash.name()
              + ": "
              + hash.unusableReason()
              + "; terms are looked up in the dictionary");
    }
  }

  private static String whyNot(Terms terms) {
    if (terms instanceof OffloadTerms offload) {
      return offload.image().unusableReason();
    }
    return "the field was neither written with postings format "
        + Offload104PostingsFormat.NAME
        + " nor imported";
  }

  private void checkField(LeafReader reader, FieldInfo field, OffloadTerms terms)
      throws IOException {
    TermsEnum iterator = terms.iterator();
    while (iterator.next() != null && problems.size() < MAX_PROBLEMS) {
      NumericDocValues fieldNorms = field.hasNorms() ? reader.getNormValues(field.name) : null;
      int wanted = terms.isPositioned() ? PostingsEnum.POSITIONS : PostingsEnum.FREQS;
      reuse = iterator.postings(reuse, wanted);
      try {
        if (!terms.isImported()) {
          OffloadTermState state = (OffloadTermState) iterator.termState();
          checkList(terms.image(), state, reuse, fieldNorms);
          if (terms.isHashed()) {
            checkFound(state, terms.find(iterator.term(), true));
          }
        } else {
          checkImported(terms, iterator, reuse, fieldNorms);
        }
      } catch (OffloadException | AlreadyClosedException | MismatchException e) {
        problems.add(
            terms.image().fileName()
                + ", field "
                + field.name
                + ", term "
                + iterator.term().utf8ToString()
                + ": "
                + e.getMessage());
      }
      lists++;
    }
  }

  /** Compares a list that only the term hash leads to. */
  private void checkImported(
      OffloadTerms terms, TermsEnum at, PostingsEnum stock, NumericDocValues fieldNorms)
      throws IOException {
    OffloadTermState found = terms.find(at.term(), true);
    if (found == null
        || found.docFreq != at.docFreq()
        || found.totalTermFreq != at.totalTermFreq()) {
      throw new MismatchException(
          "the term hash says "
              + found
              + ", the dictionary "
              + at.docFreq()
              + " documents and "
              + at.totalTermFreq()
              + " occurrences");
    }
    checkList(terms.image(), found, stock, fieldNorms);
  }

  /** Compares what the term hash says with the terms dictionary. */
  private static void checkFound(OffloadTermState state, OffloadTermState found) {
    if (found == null || !found.isSameList(state)) {
      throw new MismatchException("the term hash says " + found + ", the dictionary " + state);
    }
  }

  private void checkList(
      SegmentImage image, OffloadTermState state, PostingsEnum stock, NumericDocValues fieldNorms)
      throws IOException {
    if (state.hasPositions() && state.hasOnePosition()) {
      positionCheck.start(state.onePosition());
    } else if (state.hasPositions()) {
      positionCheck.start(
          positionPages(image),
          image.stamp(),
          image.positionStart() + state.positionPage(),
          state.positionSlot(),
          state.positionPageCount(),
          state.hasEqualPositions());
    }
    if (state.isInline()) {
      expect(0, "doc", stock.nextDoc(), state.inlineDoc());
      checkPosting(stock, fieldNorms, state.inlineFreq(), state.inlineNorm());
      checkPositions(state, stock);
    } else {
      checkPages(image, state, stock, fieldNorms);
    }
    if (state.hasPositions()) {
      positionCheck.finish();
    }
  }

  private PositionCheck.PageReader positionPages(SegmentImage image) {
    if (image != positionImage) {
      positionImage = image;
      positionPages = image::readPage;
    }
    return positionPages;
  }

  private void checkPositions(OffloadTermState state, PostingsEnum stock) throws IOException {
    if (state.hasPositions()) {
      positionCheck.next(stock);
    }
  }

  private void checkPages(
      SegmentImage image, OffloadTermState state, PostingsEnum stock, NumericDocValues fieldNorms)
      throws IOException {
    int number = state.firstPage();
    int slot = state.slot();
    int base = OffloadWire.NO_DOC;
    while (true) {
      load(image, number);
      if (slot >= decoder.blockCount()) {
        throw new MismatchException("page " + number + " has no block " + slot);
      }
      expect(base, "base", base, decoder.baseDoc(slot));
      int count = decoder.decode(slot, docs, freqs, norms);
      for (int i = 0; i < count; i++) {
        expect(base, "doc", stock.nextDoc(), docs[i]);
        checkPosting(stock, fieldNorms, freqs[i], norms[i]);
        checkPositions(state, stock);
        if (!Impacts.covers(state.impacts(), freqs[i], norms[i])) {
          throw new MismatchException("impacts of the list are too low at doc " + docs[i]);
        }
      }
      base = docs[count - 1];
      if ((decoder.flags(slot) & OffloadWire.BlockFlag.LAST_OF_LIST) != 0) {
        break;
      }
      if (++slot == decoder.blockCount()) {
        number++;
        slot = 0;
      }
    }
    expect(base, "doc", stock.nextDoc(), DocIdSetIterator.NO_MORE_DOCS);
    expect(base, "page count", number - state.firstPage() + 1, state.pageCount());
  }

  private void checkPosting(PostingsEnum stock, NumericDocValues fieldNorms, int freq, int norm)
      throws IOException {
    int doc = stock.docID();
    expect(doc, "freq", stock.freq(), freq);
    boolean hasNorm = fieldNorms != null && fieldNorms.advanceExact(doc);
    expect(doc, "norm", hasNorm ? (int) fieldNorms.longValue() & 0xFF : 1, norm);
    if (++postings % PROGRESS_STEP == 0) {
      progress.compared(postings, totalPostings);
    }
  }

  private void load(SegmentImage image, int number) throws IOException {
    if (image != pageImage || number != pageNumber) {
      pageImage = null;
      image.readPage(number, page.clear());
      decoder.reset(page.clear(), image.stamp(), number);
      pages++;
      pageImage = image;
      pageNumber = number;
    }
  }

  private static void expect(int doc, String what, int expected, int actual) {
    MismatchException.expect(doc, what, expected, actual);
  }
}
