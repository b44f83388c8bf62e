/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec.column;

import java.io.IOException;
import java.util.function.Predicate;
import org.apache.lucene.codecs.DocValuesConsumer;
import org.apache.lucene.codecs.DocValuesFormat;
import org.apache.lucene.codecs.DocValuesProducer;
import org.apache.lucene.index.SegmentReadState;
import org.apache.lucene.index.SegmentWriteState;
import org.apache.lucene.util.IOUtils;
import org.luceneoffload.store.image.ImageDirectory;

/**
 * Doc values as another format writes them and, beside them, their columns for a device. It has no
 * name of its own: nothing but two more files tells that it wrote a segment, and a reader without
 * these files, or without this format, reads the same doc values.
 *
 * <p>NUMERIC, SORTED_NUMERIC, SORTED and SORTED_SET fields get columns, if the options and the
 * codec say so: not the field of soft deletes, nor one without a value, nor one that has a document
 * whose values do not fit into a page. The two files are written for a segment and, with the
 * generation in their names, for each update of a field's doc values; if there is nothing to say,
 * neither is.
 *
 * <h2>Column metadata</h2>
 *
 * <p>A file with extension {@code .odm} in the application's directory.
 *
 * <dl>
 *   <dd>Metadata --&gt; IndexHeader, Stamp, ColumnCount, Column<sup>ColumnCount</sup>, Footer
 *   <dd>Stamp --&gt; {@link org.apache.lucene.store.DataOutput#writeLong Int64}: stamp of the image
 *   <dd>ColumnCount --&gt; {@link org.apache.lucene.store.DataOutput#writeVInt VInt}
 *   <dd>Column --&gt; Field, Type, FirstPage, PageCount, DocCount, ValueCount, Min, Max,
 *       Bounds<sup>PageCount</sup>, Source
 *   <dd>Field, FirstPage, PageCount, DocCount --&gt; VInt: number of the field; place of the column
 *       in the image; docs with a value
 *   <dd>Type --&gt; {@link org.apache.lucene.store.DataOutput#writeByte byte}: 0 NUMERIC, 1
 *       SORTED_NUMERIC, 2 SORTED, 3 SORTED_SET
 *   <dd>ValueCount --&gt; {@link org.apache.lucene.store.DataOutput#writeVLong VLong}
 *   <dd>Min, Max --&gt; Int64
 *   <dd>Bounds --&gt; as {@link PageBounds} writes them
 *   <dd>Source --&gt; Int64: 0, but in a file beside a segment as {@link ColumnSource} says
 * </dl>
 *
 * <h2>Column image</h2>
 *
 * <p>A file with extension {@code .odv}, {@code _c_0} before it if the segment is in a compound
 * file, that lies on the device, with a stub in its place in the application's directory.
 *
 * <dl>
 *   <dd>Image --&gt; HeaderPage, ColumnPage<sup>n</sup>, Footer
 *   <dd>HeaderPage --&gt; as {@link org.luceneoffload.store.image.ImageHeader} says
 *   <dd>ColumnPage --&gt; 4096 bytes as the wire's section on column pages says; {@link
 *       org.luceneoffload.wire.page.ColumnPageEncoder} writes them. The first has file page number
 *       1. The pages of a column follow each other; pages that no column names belong to none.
 * </dl>
 *
 * <p>The values of NUMERIC and SORTED_NUMERIC columns are the numbers as Lucene has them; those of
 * the others are ordinals of the segment, or of the generation.
 */
public final class OffloadDocValuesFormat extends DocValuesFormat {
  private final DocValuesFormat delegate;
  private final Predicate<String> offloaded;

  /**
   * A format over another.
   *
   * @param offloaded whether a field, by its name, may have a column
   */
  public OffloadDocValuesFormat(DocValuesFormat delegate, Predicate<String> offloaded) {
    super(delegate.getName());
    this.delegate = delegate;
    this.offloaded = offloaded;
  }

  /** Returns whether a field may have a column, for all that the codec says. */
  boolean wants(String field) {
    return offloaded.test(field);
  }

  @Override
  public DocValuesConsumer fieldsConsumer(SegmentWriteState state) throws IOException {
    DocValuesConsumer stock = delegate.fieldsConsumer(state);
    ImageDirectory directory = ImageDirectory.find(state.directory);
    if (directory == null || directory.handle() == null) {
      return stock;
    }
    ColumnImageWriter columns =
        new ColumnImageWriter(state, directory.options().columns().and(offloaded));
    return columns.wantsAny() ? new ColumnsConsumer(stock, columns) : stock;
  }

  @Override
  public DocValuesProducer fieldsProducer(SegmentReadState state) throws IOException {
    DocValuesProducer stock = delegate.fieldsProducer(state);
    try {
      return ColumnsProducer.open(stock, state);
    } catch (Throwable t) {
      IOUtils.closeWhileSuppressingExceptions(t, stock);
      throw t;
    }
  }
}
