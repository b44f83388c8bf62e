/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec.term;

import java.util.Arrays;

/**
 * Where the lists of several terms of a field are in an image, as far as who asks for their docs
 * alone has to know: 12 bytes a list. Does not change once it is made.
 */
public final class TermLists {
  private final int[] postings;
  private final int[] places; // first page, or the one doc
  private final int[] extents; // pages, and above them the slot
  private final int firstPage;
  private final int endPage;
  private final long pages;
  private final long postingsOfAll;

  /** Lists are told apart by their lengths up to this one. */
  private static final int MAX_COUNTED = 1 << 12;

  private static final int SLOT_SHIFT = 24;
  private static final int PAGES_MASK = (1 << SLOT_SHIFT) - 1;

  private TermLists(int[] postings, int[] places, int[] extents) {
    this.postings = postings;
    this.places = places;
    this.extents = extents;
    int first = Integer.MAX_VALUE;
    int end = 0;
    long pageSum = 0;
    long postingSum = 0;
    for (int i = 0; i < postings.length; i++) {
      postingSum += postings[i];
      if (!isInline(i)) {
        first = Math.min(first, places[i]);
        end = Math.max(end, places[i] + pageCount(i));
        pageSum += pageCount(i);
      }
    }
    this.firstPage = Math.min(first, end);
    this.endPage = end;
    this.pages = pageSum;
    this.postingsOfAll = postingSum;
  }

  /** Returns how many lists there are. */
  public int size() {
    return postings.length;
  }

  /** Returns the postings of a list. */
  public int postings(int i) {
    return postings[i];
  }

  /** Returns the postings of all lists. */
  public long postings() {
    return postingsOfAll;
  }

  /** Returns whether a list is one doc, {@link #inlineDoc}, and in no page. */
  public boolean isInline(int i) {
    return postings[i] == 1;
  }

  /** Returns the one doc of a list. */
  public int inlineDoc(int i) {
    return places[i];
  }

  /** Returns the number, in the image, of the page with a list's first block. */
  public int firstPage(int i) {
    return places[i];
  }

  /** Returns the number, in that page, of the block. */
  public int slot(int i) {
    return extents[i] >>> SLOT_SHIFT;
  }

  /** Returns how many pages have blocks of a list; 0 if it is inline. */
  public int pageCount(int i) {
    return isInline(i) ? 0 : extents[i] & PAGES_MASK;
  }

  /** Returns the first page of all lists. */
  public int firstPage() {
    return firstPage;
  }

  /** Returns the page behind the last one of all lists; 0 if no list is in pages. */
  public int endPage() {
    return endPage;
  }

  /** Returns the sum of the lists' pages. */
  public long pages() {
    return pages;
  }

  /** The longest lists, which are in pages, and the others. Both keep their order. */
  public record Split(TermLists longest, TermLists others) {}

  /**
   * Tells the longest lists from the others.
   *
   * @param most how many the longest are, at most
   */
  public Split split(int most) {
    int[] counts = new int[MAX_COUNTED + 1];
    for (int i = 0; i < postings.length; i++) {
      counts[Math.min(postings[i], MAX_COUNTED)]++;
    }
    int least = MAX_COUNTED; // postings of the longest
    int left = most - counts[least]; // how many more may be among them; negative: too many
    while (least > 2 && counts[least - 1] <= left) {
      left -= counts[--least];
    }
    if (left > 0 && least > 2) {
      least--; // a part of these
    } else if (left >= 0) {
      left = counts[least];
    } else {
      left = most;
    }
    Builder longest = new Builder();
    Builder others = new Builder();
    for (int i = 0; i < postings.length; i++) {
      int length = Math.min(postings[i], MAX_COUNTED);
      boolean isLong = length > least || (length == least && left > 0);
      left -= length == least ? 1 : 0;
      (isLong ? longest : others).add(this, i);
    }
    return new Split(longest.build(), others.build());
  }

  /** Returns about how many bytes of memory this takes. */
  public long bytes() {
    return 12L * postings.length + 128;
  }

  /** Collects lists. */
  public static final class Builder {
    private int[] postings = new int[16];
    private int[] places = new int[16];
    private int[] extents = new int[16];
    private int size;

    /** Returns how many lists there are so far. */
    public int size() {
      return size;
    }

    /** Forgets all lists. */
    public void clear() {
      size = 0;
    }

    /** Adds one of other lists. */
    public void add(TermLists lists, int i) {
      grow();
      postings[size] = lists.postings[i];
      places[size] = lists.places[i];
      extents[size] = lists.extents[i];
      size++;
    }

    private void grow() {
      if (size == postings.length) {
        postings = Arrays.copyOf(postings, 2 * size);
        places = Arrays.copyOf(places, 2 * size);
        extents = Arrays.copyOf(extents, 2 * size);
      }
    }

    /** Adds a list; false if it has more pages than can be noted. */
    public boolean add(OffloadTermState list) {
      grow();
      postings[size] = list.docFreq;
      boolean inline = list.isInline();
      places[size] = inline ? list.inlineDoc() : list.firstPage();
      extents[size] = inline ? 0 : list.slot() << SLOT_SHIFT | list.pageCount();
      size++;
      return inline || (list.pageCount() <= PAGES_MASK && list.slot() <= 0xFF);
    }

    /** Returns the lists. */
    public TermLists build() {
      return new TermLists(
          Arrays.copyOf(postings, size), Arrays.copyOf(places, size), Arrays.copyOf(extents, size));
    }
  }
}
