/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire;

/**
 * Reference to a posting list, the fields of the wire's {@code list_ref}.
 *
 * @param kind a value of {@link OffloadWire.ListKind}
 * @param slot block number, in the first page, of the list's first block
 * @param firstPage page number, in its file, of the list's first block
 * @param pageCount pages that hold blocks of the list
 * @param postingCount postings, at least 1
 * @param stamp stamp of the file
 * @param impacts impacts of the whole list; 0: unknown
 * @param firstExtent index, in the plan, of the first extent
 * @param extentCount extents that cover the pages of the list
 * @param inlineDoc INLINE: doc ID
 * @param inlineFreq INLINE: frequency, at least 1
 * @param inlineNorm INLINE: norm byte, 0 to 255
 */
public record ListRef(
    int kind,
    int slot,
    int firstPage,
    int pageCount,
    int postingCount,
    long stamp,
    long impacts,
    int firstExtent,
    int extentCount,
    int inlineDoc,
    int inlineFreq,
    int inlineNorm) {

  /** A list in posting pages. */
  public static ListRef paged(
      int firstPage,
      int slot,
      int pageCount,
      int postingCount,
      long stamp,
      long impacts,
      int firstExtent,
      int extentCount) {
    return new ListRef(
        OffloadWire.ListKind.PAGED,
        slot,
        firstPage,
        pageCount,
        postingCount,
        stamp,
        impacts,
        firstExtent,
        extentCount,
        0,
        0,
        0);
  }

  /** A list of one posting, in the plan itself. */
  public static ListRef inline(int doc, int freq, int norm) {
    return new ListRef(OffloadWire.ListKind.INLINE, 0, 0, 0, 1, 0L, 0L, 0, 0, doc, freq, norm);
  }
}
