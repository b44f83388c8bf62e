/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec;

import java.io.IOException;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.codecs.FieldsProducer;
import org.apache.lucene.index.Terms;
import org.apache.lucene.util.IOUtils;

/** The stock terms of a segment, each field's with the image of the segment beside them. */
final class OffloadFieldsProducer extends FieldsProducer {
  private final FieldsProducer in;
  private final SegmentImage image;
  private final Map<String, OffloadTerms> terms = new ConcurrentHashMap<>();

  OffloadFieldsProducer(FieldsProducer in, SegmentImage image) {
    this.in = in;
    this.image = image;
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
    return stock == null
        ? null
        : terms.computeIfAbsent(field, unused -> new OffloadTerms(stock, image));
  }

  @Override
  public int size() {
    return in.size();
  }

  @Override
  public void checkIntegrity() throws IOException {
    in.checkIntegrity();
    image.checkIntegrity();
  }

  @Override
  public void close() throws IOException {
    IOUtils.close(image, in);
  }

  @Override
  public String toString() {
    return "OffloadFieldsProducer(" + image + ", " + in + ")";
  }
}
