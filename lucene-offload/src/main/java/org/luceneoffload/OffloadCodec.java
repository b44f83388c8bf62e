/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload;

import org.apache.lucene.codecs.CompoundFormat;
import org.apache.lucene.codecs.FilterCodec;
import org.apache.lucene.codecs.PostingsFormat;
import org.apache.lucene.codecs.SegmentInfoFormat;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.apache.lucene.codecs.perfield.PerFieldPostingsFormat;
import org.luceneoffload.codec.Offload104PostingsFormat;
import org.luceneoffload.codec.OffloadCompoundFormat;
import org.luceneoffload.codec.OffloadSegmentInfoFormat;

/**
 * The stock codec of Lucene 10.4 and later with posting images for a device: {@link
 * Offload104PostingsFormat} for every field, and a compound format that leaves the images outside.
 *
 * @lucene.spi {@value #NAME}
 */
public final class OffloadCodec extends FilterCodec {
  /** SPI name. */
  public static final String NAME = "Offload104";

  private final PostingsFormat format = new Offload104PostingsFormat();
  private final PostingsFormat perField =
      new PerFieldPostingsFormat() {
        @Override
        public PostingsFormat getPostingsFormatForField(String field) {
          return format;
        }
      };
  private final CompoundFormat compound;
  private final SegmentInfoFormat segmentInfos;

  /** The codec; also made by the service loader. */
  public OffloadCodec() {
    super(NAME, new Lucene104Codec());
    this.compound = new OffloadCompoundFormat(delegate.compoundFormat());
    this.segmentInfos = new OffloadSegmentInfoFormat(delegate.segmentInfoFormat());
  }

  @Override
  public PostingsFormat postingsFormat() {
    return perField;
  }

  @Override
  public CompoundFormat compoundFormat() {
    return compound;
  }

  @Override
  public SegmentInfoFormat segmentInfoFormat() {
    return segmentInfos;
  }
}
