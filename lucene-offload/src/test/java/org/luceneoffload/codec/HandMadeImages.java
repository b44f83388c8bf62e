/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsFormat.IntBlockTermState;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.FilterDirectoryReader;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.TermState;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.BytesRef;
import org.luceneoffload.PassingLeafReader;
import org.luceneoffload.codec.term.OffloadTermState;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.store.guard.DeviceHandle;
import org.luceneoffload.store.volume.Extent;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.page.Impacts;
import org.luceneoffload.wire.page.PageEncoder;

/**
 * Gives a reader over a stock index posting images that are made by walking its postings: searching
 * can be tested without the codec, and over images that are in several extents.
 */
public final class HandMadeImages {
  private record Key(String field, BytesRef term) {}

  private record Segment(SegmentImage image, Map<Key, OffloadTermState> states) {}

  private final DeviceHandle handle;
  private final OffloadOptions options;
  private final Map<Object, Segment> segments = new ConcurrentHashMap<>();
  private long nextLba = 10;
  private long nextStamp = 1000;

  /** Images on a device; pages go from LBA 10 upwards, with a gap after every fifth page. */
  public HandMadeImages(DeviceHandle handle, OffloadOptions options) {
    this.handle = handle;
    this.options = options;
  }

  /** The reader, with images; a segment seen before keeps its image. */
  public DirectoryReader open(DirectoryReader reader) throws IOException {
    return new Reader(reader);
  }

  /** The images made so far. */
  public List<SegmentImage> images() {
    return segments.values().stream().map(Segment::image).toList();
  }

  /** The image of a segment, from its reader with images. */
  public SegmentImage image(LeafReader reader) {
    return segments.get(reader.getCoreCacheHelper().getKey()).image();
  }

  private Segment segment(LeafReader reader) {
    Object key = reader.getCoreCacheHelper().getKey();
    Segment segment = segments.get(key);
    if (segment == null) {
      try {
        segment = make(reader);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      segments.put(key, segment);
    }
    return segment;
  }

  private Segment make(LeafReader reader) throws IOException {
    List<Extent> extents = new ArrayList<>();
    long stamp = nextStamp++;
    int[] pages = {0};
    PageEncoder encoder = new PageEncoder(stamp, 1, page -> addPage(page, extents, pages));
    SegmentImage image;
    Map<Key, OffloadTermState> states = new HashMap<>();
    for (FieldInfo field : reader.getFieldInfos()) {
      if (field.getIndexOptions() != IndexOptions.NONE && reader.terms(field.name) != null) {
        addField(reader, field, encoder, states);
      }
    }
    encoder.finish();
    image = SegmentImage.of("_" + stamp + ".odp", handle, options, stamp, extents);
    return new Segment(image, states);
  }

  private void addPage(byte[] page, List<Extent> extents, int[] pages) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocateDirect(page.length).order(ByteOrder.LITTLE_ENDIAN);
    handle.device().write(nextLba, buffer.put(page).flip());
    int filePage = ++pages[0];
    if (filePage % 5 == 1) {
      extents.add(new Extent(filePage, 1, nextLba));
    } else {
      Extent last = extents.remove(extents.size() - 1);
      extents.add(new Extent(last.filePage(), last.pageCount() + 1, last.lba()));
    }
    nextLba += filePage % 5 == 0 ? 3 : 1;
  }

  private static void addField(
      LeafReader reader, FieldInfo field, PageEncoder encoder, Map<Key, OffloadTermState> states)
      throws IOException {
    boolean freqs = field.getIndexOptions().compareTo(IndexOptions.DOCS_AND_FREQS) >= 0;
    TermsEnum terms = reader.terms(field.name).iterator();
    for (BytesRef term = terms.next(); term != null; term = terms.next()) {
      OffloadTermState state = wrap(terms.termState());
      NumericDocValues norms = reader.getNormValues(field.name);
      PostingsEnum postings = terms.postings(null, freqs ? PostingsEnum.FREQS : PostingsEnum.NONE);
      addList(postings, freqs, norms, encoder, state);
      states.put(new Key(field.name, BytesRef.deepCopyOf(term)), state);
    }
  }

  private static void addList(
      PostingsEnum postings,
      boolean hasFreqs,
      NumericDocValues norms,
      PageEncoder encoder,
      OffloadTermState state)
      throws IOException {
    int[] docs = new int[OffloadWire.BLOCK_POSTINGS];
    int[] freqs = new int[docs.length];
    int[] normBytes = new int[docs.length];
    Impacts impacts = new Impacts();
    int base = OffloadWire.NO_DOC;
    int count = 0;
    int left = state.docFreq;
    state.hasDeviceList = true;
    boolean first = true;
    while (postings.nextDoc() != DocIdSetIterator.NO_MORE_DOCS) {
      docs[count] = postings.docID();
      freqs[count] = hasFreqs ? postings.freq() : 1;
      boolean normed = norms != null && norms.advanceExact(postings.docID());
      normBytes[count++] = normed ? (int) norms.longValue() & 0xFF : 1;
      left--;
      if (state.docFreq == 1) {
        state.norm = normBytes[0];
      } else if (count == docs.length || left == 0) {
        int flags =
            (first ? OffloadWire.BlockFlag.FIRST_OF_LIST : 0)
                | (left == 0 ? OffloadWire.BlockFlag.LAST_OF_LIST : 0);
        encoder.addBlock(docs, freqs, normBytes, count, base, flags);
        if (first) {
          state.firstPage = encoder.filePage();
          state.slot = encoder.slot();
          state.impacts = encoder.blockImpacts();
        } else {
          state.impacts = impacts.merge(state.impacts, encoder.blockImpacts());
        }
        state.pageCount = encoder.filePage() - state.firstPage + 1;
        base = docs[count - 1];
        count = 0;
        first = false;
      }
    }
  }

  private static OffloadTermState wrap(TermState stock) {
    IntBlockTermState inner = new IntBlockTermState();
    inner.copyFrom(stock);
    OffloadTermState state = new OffloadTermState(inner);
    state.docFreq = inner.docFreq;
    state.totalTermFreq = inner.totalTermFreq;
    return state;
  }

  private final class Reader extends FilterDirectoryReader {
    Reader(DirectoryReader in) throws IOException {
      super(
          in,
          new SubReaderWrapper() {
            @Override
            public LeafReader wrap(LeafReader reader) {
              return new Leaf(reader, segment(reader));
            }
          });
    }

    @Override
    protected DirectoryReader doWrapDirectoryReader(DirectoryReader in) throws IOException {
      return new Reader(in);
    }

    @Override
    public CacheHelper getReaderCacheHelper() {
      return in.getReaderCacheHelper();
    }
  }

  private static final class Leaf extends PassingLeafReader {
    private final Segment segment;
    private final Map<String, OffloadTerms> terms = new ConcurrentHashMap<>();

    Leaf(LeafReader in, Segment segment) {
      super(in);
      this.segment = segment;
    }

    @Override
    public Terms terms(String field) throws IOException {
      Terms stock = in.terms(field);
      return stock == null
          ? null
          : terms.computeIfAbsent(
              field, unused -> new OffloadTerms(new States(stock, field), segment.image));
    }

    private final class States extends FilterTerms {
      private final String field;

      States(Terms in, String field) {
        super(in);
        this.field = field;
      }

      @Override
      public TermsEnum iterator() throws IOException {
        return new FilterTermsEnum(in.iterator()) {
          @Override
          public TermState termState() throws IOException {
            return segment.states.get(new Key(field, term())).clone();
          }

          @Override
          public void seekExact(BytesRef term, TermState state) throws IOException {
            in.seekExact(term, ((OffloadTermState) state).inner);
          }
        };
      }
    }
  }
}
