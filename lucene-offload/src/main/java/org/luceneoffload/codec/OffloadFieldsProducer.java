/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec;

import java.io.IOException;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.codecs.FieldsProducer;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.index.Terms;
import org.apache.lucene.util.IOUtils;
import org.luceneoffload.codec.position.PositionedFields;
import org.luceneoffload.codec.term.TermHash;

/** The stock terms of a segment, each field's with the image of the segment beside them. */
final class OffloadFieldsProducer extends FieldsProducer {
  private final FieldsProducer in;
  private final SegmentImage image;
  private final TermHash hash; // null if the segment has none
  private final FieldInfos infos;
  private final PositionedFields positioned;
  private final Map<String, OffloadTerms> terms = new ConcurrentHashMap<>();

  OffloadFieldsProducer(
      FieldsProducer in,
      SegmentImage image,
      TermHash hash,
      FieldInfos infos,
      PositionedFields positioned) {
    this.in = in;
    this.image = image;
    this.hash = hash;
    this.infos = infos;
    this.positioned = positioned;
  }

  @Override
  public Iterator<String> iterator() {
    return in.iterator();
  }

  @Override
  public Terms terms(String field) throws IOException {
    OffloadTerms known = terms.get(field);
    if (known != null) {
      return known;
    }
    Terms stock = in.terms(field);
    return stock == null ? null : terms.computeIfAbsent(field, unused -> wrap(field, stock));
  }

  private OffloadTerms wrap(String field, Terms stock) {
    FieldInfo info = infos.fieldInfo(field);
    TermHash.Field hashed = hash == null ? null : hash.field(info.number);
    return new OffloadTerms(stock, image, hash, hashed, false, positioned.contains(info));
  }

  @Override
  public int size() {
    return in.size();
  }

  /**
   * Returns the part that merging verifies and reads: the stock postings. Device lists and term
   * hash are made anew from them, so that damage to the old ones ends here.
   */
  @Override
  public FieldsProducer getMergeInstance() {
    return in.getMergeInstance();
  }

  /** Verifies what is derived, too: its damage gives it up, and is no damage of the segment. */
  @Override
  public void checkIntegrity() throws IOException {
    in.checkIntegrity();
    if (hash != null) {
      hash.checkIntegrity();
    }
    image.checkIntegrity();
  }

  @Override
  public void close() throws IOException {
    IOUtils.close(image, hash, in);
  }

  @Override
  public String toString() {
    return "OffloadFieldsProducer(" + image + ", " + in + ")";
  }
}
