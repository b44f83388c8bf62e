/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec.term;

import java.io.IOException;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.store.RandomAccessInput;
import org.apache.lucene.util.BitUtil;
import org.apache.lucene.util.BytesRef;
import org.luceneoffload.wire.OffloadWire;

/** Reads slots and entries of a {@link TermHash} for one look-up. */
public final class TermHashCursor {
  /** Slots after the first one that are asked for with it: hardly a search goes beyond them. */
  private static final int SLOTS_AHEAD = 64;

  private final RandomAccessInput in;
  private final TermHashPages pages; // null if the file was verified as a whole
  private final Object source;
  private final int maxDoc;
  private final ReadAhead ahead; // told before a page is read that was not before; or null
  private long hash; // of the term
  private long entries; // where those of the field begin,
  private long slotsEnd; // and where its slots end
  private long slot; // to be looked at next: no slot before it has the hash
  private long position; // of the next byte to be read
  private long end; // of the entries
  private long verified; // bytes from the position up to here may be read
  private long touched; // what was read for the processor's caches alone

  /**
   * A cursor over a file.
   *
   * @param pages verifies what is read; null if that was done
   * @param source what names the file in an error
   * @param maxDoc documents of the segment
   * @param ahead told before a page is read that was not read before; null: nobody is
   */
  public TermHashCursor(
      RandomAccessInput in, TermHashPages pages, Object source, int maxDoc, ReadAhead ahead) {
    this.in = in;
    this.pages = pages;
    this.source = source;
    this.maxDoc = maxDoc;
    this.ahead = ahead;
  }

  /** Goes to the slot where a search for a hash begins. Returns this cursor. */
  public TermHashCursor at(TermHash.Field field, long wanted) {
    hash = wanted;
    entries = field.entriesStart();
    end = field.slotsStart();
    slotsEnd = end + field.slots() * Long.BYTES;
    slot = end + TermHash.home(wanted, field.homes()) * Long.BYTES;
    return this;
  }

  /**
   * Asks for the page of that slot, and for the next one if the search may go on there.
   *
   * @param again whether even if it was read before
   */
  public void askForSlot(boolean again) throws IOException {
    if (again || !isVerified(slot)) {
      int bytes = (int) Math.min(SLOTS_AHEAD * Long.BYTES, slotsEnd - slot);
      pages.ask(in, slot, bytes, again);
    }
  }

  /**
   * Asks for the pages of the entry that has the hash. What the slots say of it is not verified,
   * and need not be.
   *
   * @param bytes of the entry, about
   * @param again whether even if they were read before
   */
  public void askForEntry(int bytes, boolean again) throws IOException {
    long last = Math.min(slotsEnd, slot + TermHashPages.PAGE_BYTES);
    for (; slot < last; slot += Long.BYTES) {
      long word = in.readLong(slot);
      long found = word >>> Integer.SIZE;
      if (found == hash) {
        position = entries + (word & TermHash.MAX_OFFSET);
        pages.ask(in, Math.min(position, end - 1), bytes, again);
      } else if (found > hash) {
        return;
      }
    }
  }

  private boolean isVerified(long at) {
    return pages == null || pages.isVerified(at);
  }

  /**
   * Reads the slot where the search begins, if it was read before, for the processor's caches:
   * nothing waits for it.
   */
  public void touchSlot() {
    try {
      if (isVerified(slot)) {
        touched = in.readLong(slot);
      }
    } catch (IOException e) {
      // Whoever looks the term up finds out, if it matters.
    }
  }

  /** Goes to the slot that has the hash, as far as the page was read before. */
  public void findEntry() {
    position = end;
    try {
      if (!isVerified(slot)) {
        return;
      }
      long last = Math.min(slotsEnd, (slot | TermHashPages.PAGE_BYTES - 1) + 1);
      for (; slot < last; slot += Long.BYTES) {
        long word = in.readLong(slot);
        if (word >>> Integer.SIZE >= hash) {
          position = word >>> Integer.SIZE == hash ? entries + (word & TermHash.MAX_OFFSET) : end;
          return;
        }
      }
    } catch (IOException e) {
      // As above.
    }
  }

  /** Reads the entry of that slot for the processor's caches, if it was read before. */
  public void touchEntry() {
    try {
      if (position < end && isVerified(position)) {
        touched += in.readByte(position);
      }
    } catch (IOException e) {
      // As above.
    }
  }

  /**
   * Finds the term.
   *
   * @param field as for {@link #at}
   * @param positions whether to read where its positions are, too, if the field has any
   * @return null if the field has no such term
   * @throws CorruptIndexException if an entry says what cannot be
   */
  public OffloadTermState find(TermHash.Field field, BytesRef term, boolean positions)
      throws IOException {
    long slotsVerified = 0;
    for (; slot < slotsEnd; slot += Long.BYTES) {
      if (slot >= slotsVerified) {
        slotsVerified =
            pages == null ? slotsEnd : pages.verify(in, slot, ahead); // no slot crosses pages
      }
      long word = in.readLong(slot);
      long found = word >>> Integer.SIZE;
      if (found > hash) {
        return null; // hashes ascend from the home on, and an empty slot is above all
      }
      if (found == hash) {
        position = entries + (word & TermHash.MAX_OFFSET);
        verified = 0;
        if (isTerm(term)) {
          OffloadTermState state = readList(field);
          if (positions && field.hasPositions()) {
            readPositions(state);
          }
          return state;
        }
      }
    }
    return null;
  }

  /** Checks that bytes from the position on are verified, and belong to entries. */
  private void verify(long bytes) throws IOException {
    if (bytes > end - position) {
      throw corrupt("it goes on after the entries");
    }
    long at = Math.max(position, verified);
    while (position + bytes > verified) {
      verified = pages == null ? end : Math.min(end, pages.verify(in, at, ahead));
      at = verified;
    }
  }

  /** Returns whether the entry is of this term; if so, its list is read next. */
  private boolean isTerm(BytesRef term) throws IOException {
    int length = readVInt();
    if (length < 0 || length > end - position) {
      throw corrupt("a term of " + length + " bytes");
    }
    if (length != term.length) {
      return false;
    }
    if (position + length > verified) {
      verify(length);
    }
    int i = 0;
    for (; i <= length - Long.BYTES; i += Long.BYTES) {
      if (in.readLong(position + i) != (long) BitUtil.VH_LE_LONG.get(term.bytes, term.offset + i)) {
        return false;
      }
    }
    for (; i < length; i++) {
      if (in.readByte(position + i) != term.bytes[term.offset + i]) {
        return false;
      }
    }
    position += length;
    return true;
  }

  private OffloadTermState readList(TermHash.Field field) throws IOException {
    OffloadTermState state = new OffloadTermState();
    int docFreq = readVInt() + 1;
    long moreFreq = field.hasFreqs() ? readVLong() : 0;
    if (docFreq < 1 || docFreq > maxDoc || moreFreq < 0) {
      throw corrupt("document frequency " + docFreq + ", " + moreFreq + " more occurrences");
    }
    state.docFreq = docFreq;
    state.totalTermFreq = docFreq + moreFreq;
    if (docFreq == 1) {
      state.inlineDoc = readVInt();
      if (field.hasNorms()) {
        state.norm = readByte() & 0xFF;
      }
      if (state.inlineDoc < 0 || state.inlineDoc >= maxDoc || moreFreq >= Integer.MAX_VALUE) {
        throw corrupt("doc " + state.inlineDoc + ", frequency " + state.totalTermFreq);
      }
      return state;
    }
    state.firstPage = readVInt();
    state.slot = readByte() & 0xFF;
    state.pageCount = 1;
    if (docFreq > OffloadWire.BLOCK_POSTINGS) {
      state.pageCount = readVInt() + 1;
      state.impacts = readLong();
    }
    if (state.firstPage < 1 || state.pageCount < 1) {
      throw corrupt("page " + state.firstPage + ", " + state.pageCount + " pages");
    }
    return state;
  }

  private void readPositions(OffloadTermState state) throws IOException {
    state.hasPositions = true;
    if (state.hasOnePosition()) {
      state.position = readVInt();
    } else {
      long page = readVLong();
      state.positionPage = page >>> 1 > Integer.MAX_VALUE ? -1 : (int) (page >>> 1);
      state.hasEqualPositions = (page & 1) != 0;
      state.positionSlot = readByte() & 0xFF;
      state.positionPageCount = state.hasPositionBlocks() ? readVInt() + 1 : 1;
    }
    if (state.position < 0 || state.positionPage < 0 || state.positionPageCount < 0) {
      throw corrupt("positions");
    }
  }

  private byte readByte() throws IOException {
    if (position >= verified) {
      verify(1);
    }
    return in.readByte(position++);
  }

  private long readLong() throws IOException {
    if (position > verified - Long.BYTES) {
      verify(Long.BYTES);
    }
    long value = in.readLong(position);
    position += Long.BYTES;
    return value;
  }

  /** Reads the number; a negative one if there is none of 31 bits. */
  private int readVInt() throws IOException {
    byte first = readByte();
    if (first >= 0) {
      return first;
    }
    long value = readVLong(first);
    return value > Integer.MAX_VALUE ? -1 : (int) value;
  }

  private long readVLong() throws IOException {
    return readVLong(readByte());
  }

  /**
   * Returns the rest of a number whose first byte is read; a negative one if there is none of 63
   * bits.
   */
  private long readVLong(byte first) throws IOException {
    long value = first & 0x7F;
    byte latest = first;
    for (int shift = 7; latest < 0; shift += 7) {
      if (shift > 56) {
        return -1;
      }
      latest = readByte();
      value |= (latest & 0x7FL) << shift;
    }
    return value;
  }

  private CorruptIndexException corrupt(String what) {
    return new CorruptIndexException(
        "an entry of the term hash is damaged, before byte " + position + ": " + what,
        String.valueOf(source));
  }
}
