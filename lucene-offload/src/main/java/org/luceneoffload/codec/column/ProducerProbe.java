/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec.column;

import java.io.IOException;
import java.util.Map;
import org.apache.lucene.codecs.DocValuesProducer;
import org.apache.lucene.index.DocValuesSkipIndexType;
import org.apache.lucene.index.DocValuesSkipper;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.SegmentReader;
import org.apache.lucene.index.VectorEncoding;
import org.apache.lucene.index.VectorSimilarityFunction;

/**
 * Finds the producer that a reader has for a field. A reader whose doc values were updated has one
 * for each generation, behind one of Lucene's that does not tell which; but it passes calls on, and
 * so one about a field that no other caller asks for leads to the right one, and brings it back.
 * The generation of the field is the reader's, whatever others of its segment have.
 */
final class ProducerProbe extends DocValuesSkipper {
  /** A generation that no field has. */
  private static final long GENERATION = Long.MIN_VALUE;

  private final ColumnsProducer found;

  ProducerProbe(ColumnsProducer found) {
    this.found = found;
  }

  /** Returns whether a field stands for the question who reads it. */
  static boolean isProbe(FieldInfo field) {
    return field.getDocValuesGen() == GENERATION;
  }

  /**
   * Finds the producer.
   *
   * @param field a field of {@code reader} with doc values
   * @return null if the segment is of another format
   */
  static ColumnsProducer find(SegmentReader reader, FieldInfo field) throws IOException {
    DocValuesProducer values = reader.getDocValuesReader();
    if (values instanceof ColumnsProducer ours) {
      return ours;
    }
    boolean isOurs =
        reader.getSegmentInfo().info.getCodec().docValuesFormat() instanceof OffloadDocValuesFormat;
    return isOurs
            && values != null
            && values.getSkipper(probe(field)) instanceof ProducerProbe probe
        ? probe.found
        : null;
  }

  private static FieldInfo probe(FieldInfo field) {
    return new FieldInfo(
        field.name,
        field.number,
        false,
        false,
        false,
        IndexOptions.NONE,
        field.getDocValuesType(),
        DocValuesSkipIndexType.NONE,
        GENERATION,
        Map.of(),
        0,
        0,
        0,
        0,
        VectorEncoding.FLOAT32,
        VectorSimilarityFunction.EUCLIDEAN,
        false,
        false);
  }

  @Override
  public void advance(int target) {
    throw noSkipper();
  }

  @Override
  public int numLevels() {
    throw noSkipper();
  }

  @Override
  public int minDocID(int level) {
    throw noSkipper();
  }

  @Override
  public int maxDocID(int level) {
    throw noSkipper();
  }

  @Override
  public long minValue(int level) {
    throw noSkipper();
  }

  @Override
  public long maxValue(int level) {
    throw noSkipper();
  }

  @Override
  public int docCount(int level) {
    throw noSkipper();
  }

  @Override
  public long minValue() {
    throw noSkipper();
  }

  @Override
  public long maxValue() {
    throw noSkipper();
  }

  @Override
  public int docCount() {
    throw noSkipper();
  }

  private static UnsupportedOperationException noSkipper() {
    return new UnsupportedOperationException("it only tells who reads a field");
  }
}
