/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload;

import java.util.function.Predicate;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.CompoundFormat;
import org.apache.lucene.codecs.DocValuesFormat;
import org.apache.lucene.codecs.FilterCodec;
import org.apache.lucene.codecs.PostingsFormat;
import org.apache.lucene.codecs.SegmentInfoFormat;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsFormat;
import org.apache.lucene.codecs.perfield.PerFieldPostingsFormat;
import org.luceneoffload.codec.Offload104PostingsFormat;
import org.luceneoffload.codec.OffloadCompoundFormat;
import org.luceneoffload.codec.OffloadSegmentInfoFormat;
import org.luceneoffload.codec.column.OffloadDocValuesFormat;
import org.luceneoffload.util.LuceneVersion;

/**
 * A codec with posting images for a device: {@link Offload104PostingsFormat} in the place of stock
 * Lucene's postings format, columns beside its doc values ({@link OffloadDocValuesFormat}), a
 * compound format that leaves the images outside, and everything else as the codec has it that this
 * one builds on.
 *
 * <p>A segment names the codec that wrote it, and Lucene reads it with the codec that has this name
 * then, made without arguments. So what an application's codec does must be known from the segment:
 *
 * <ul>
 *   <li>{@link #OffloadCodec()} and {@link #OffloadCodec(Codec)} write the name {@value #NAME}, and
 *       what they write is read with {@link Lucene104Codec}. They build on that codec and its
 *       subclasses: formats of doc values, vectors and postings chosen by field and the mode of
 *       stored fields are noted in the segment.
 *   <li>A codec of another name reads what it writes by itself. For it, write a subclass that calls
 *       {@link #OffloadCodec(String, Codec, Predicate)} with a name of its own, has a public
 *       constructor without arguments, and is named in {@code
 *       META-INF/services/org.apache.lucene.codecs.Codec}.
 * </ul>
 *
 * <p>A field for which the codec below chooses another postings format than stock Lucene's keeps
 * that one, and has no device lists.
 */
public class OffloadCodec extends FilterCodec {
  /** SPI name. */
  public static final String NAME = "Offload104";

  /** Stock Lucene's, in a class of its own: a Lucene that lacks them can still load this one. */
  private static final class Stock {
    static final String POSTINGS = new Lucene104PostingsFormat().getName();

    private Stock() {}

    static Codec codec() {
      return new Lucene104Codec();
    }
  }

  private final PostingsFormat format = new Offload104PostingsFormat();
  private final PostingsFormat perField;
  private final DocValuesFormat docValues;
  private final CompoundFormat compound;
  private final SegmentInfoFormat segmentInfos;

  /** Makes the codec over stock Lucene's; the service loader makes it, too. */
  public OffloadCodec() {
    this(stock());
  }

  /**
   * Makes the codec over an application's, for all fields.
   *
   * @param delegate a {@link Lucene104Codec}, or a subclass that keeps its name
   * @throws IllegalArgumentException if {@code delegate} has another name
   */
  public OffloadCodec(Codec delegate) {
    this(delegate, field -> true);
  }

  /**
   * Makes the codec over an application's, for some fields.
   *
   * @param delegate a {@link Lucene104Codec}, or a subclass that keeps its name
   * @param offloaded whether a field, by its name, is to have device lists, and may have a column
   * @throws IllegalArgumentException if {@code delegate} has another name
   */
  public OffloadCodec(Codec delegate, Predicate<String> offloaded) {
    this(NAME, checkName(delegate), offloaded);
  }

  /**
   * Makes a codec with a name of its own, for a subclass that the service loader can make.
   *
   * @param name SPI name of the subclass
   * @param delegate what the segments are read with as well as written; not the default codec, nor
   *     one found by its name
   * @param offloaded whether a field, by its name, is to have device lists, and may have a column
   */
  protected OffloadCodec(String name, Codec delegate, Predicate<String> offloaded) {
    super(name, delegate);
    this.perField = new ByField(delegate.postingsFormat(), offloaded);
    this.docValues = new OffloadDocValuesFormat(delegate.docValuesFormat(), offloaded);
    this.compound = new OffloadCompoundFormat(delegate.compoundFormat());
    this.segmentInfos = new OffloadSegmentInfoFormat(delegate.segmentInfoFormat());
  }

  /** {@return the codec that this one builds on} */
  public Codec delegate() {
    return delegate;
  }

  private static Codec stock() {
    try {
      return Stock.codec();
    } catch (LinkageError e) {
      String unfit = LuceneVersion.unfit();
      if (unfit == null) {
        throw e;
      }
      throw new IllegalStateException(unfit, e);
    }
  }

  private static Codec checkName(Codec delegate) {
    String stock = stock().getName();
    if (!delegate.getName().equals(stock)) {
      throw new IllegalArgumentException(
          "segments of codec "
              + delegate.getName()
              + " would be read with "
              + stock
              + ": extend OffloadCodec with a name of its own, and name the subclass in"
              + " META-INF/services/org.apache.lucene.codecs.Codec");
    }
    return delegate;
  }

  /** Ours for the fields that are offloaded and would have the stock format. */
  private final class ByField extends PerFieldPostingsFormat {
    private final PostingsFormat below;
    private final Predicate<String> offloaded;

    ByField(PostingsFormat below, Predicate<String> offloaded) {
      this.below = below;
      this.offloaded = offloaded;
    }

    @Override
    public PostingsFormat getPostingsFormatForField(String field) {
      PostingsFormat chosen =
          below instanceof PerFieldPostingsFormat byField
              ? byField.getPostingsFormatForField(field)
              : below;
      return chosen.getName().equals(Stock.POSTINGS) && offloaded.test(field) ? format : chosen;
    }
  }

  @Override
  public PostingsFormat postingsFormat() {
    return perField;
  }

  @Override
  public DocValuesFormat docValuesFormat() {
    return docValues;
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
