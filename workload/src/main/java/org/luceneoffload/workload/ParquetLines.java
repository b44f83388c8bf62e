/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.workload;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.hardwood.InputFile;
import dev.hardwood.metadata.CompressionCodec;
import dev.hardwood.metadata.LogicalType;
import dev.hardwood.reader.ParquetFileReader;
import dev.hardwood.reader.RowReader;
import dev.hardwood.row.PqList;
import dev.hardwood.row.PqStruct;
import dev.hardwood.schema.ColumnProjection;
import dev.hardwood.schema.SchemaNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.Temporal;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The rows of a Parquet file as lines of JSON: lists are arrays, and structs objects. Times without
 * a zone are UTC's; null and what is no finite number are no values.
 */
final class ParquetLines implements LineSource {
  private static final Set<CompressionCodec> CODECS =
      EnumSet.of(
          CompressionCodec.UNCOMPRESSED,
          CompressionCodec.SNAPPY,
          CompressionCodec.GZIP,
          CompressionCodec.ZSTD);
  private static final JsonFactory JSON = new JsonFactory();

  private final ParquetFileReader reader;
  private final RowReader rows;
  private final List<SchemaNode> columns;
  private final AtomicLong consumed;
  private final long bytes;
  private final long rowCount;
  private long lineNumber;

  private ParquetLines(Path file, ParquetFileReader reader, AtomicLong consumed, TypedFields fields)
      throws IOException {
    this.reader = reader;
    this.consumed = consumed;
    bytes = Files.size(file);
    rowCount = reader.getFileMetaData().numRows();
    columns =
        reader.getFileSchema().getRootNode().children().stream()
            .filter(column -> isRead(column.name(), fields))
            .toList();
    String[] names = columns.stream().map(SchemaNode::name).toArray(String[]::new);
    // A name with a dot is taken for a part of a column.
    boolean isDotted = Arrays.stream(names).anyMatch(name -> name.contains("."));
    reader.getFileMetaData().rowGroups().stream()
        .flatMap(group -> group.columns().stream())
        .map(chunk -> chunk.metaData().codec())
        .filter(codec -> !CODECS.contains(codec))
        .findAny()
        .ifPresent(
            codec -> {
              throw new InputException(
                  file + ": compressed with " + codec + "; these are read: " + CODECS);
            });
    rows =
        reader
            .buildRowReader()
            .projection(isDotted ? ColumnProjection.all() : ColumnProjection.columns(names))
            .build();
  }

  /**
   * Opens a file.
   *
   * @param consumed counts its bytes, by the share of the rows that have been read
   * @param fields beside a document's own fields, the columns to read; none: all
   */
  static LineSource open(Path file, AtomicLong consumed, TypedFields fields) {
    ParquetFileReader reader = null;
    LineSource lines = null;
    try {
      reader = ParquetFileReader.open(InputFile.of(file));
      lines = new ParquetLines(file, reader, consumed, fields);
      return lines;
    } catch (InputException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      throw new InputException(file + ": not Parquet, or damaged: " + why(e), e);
    } finally {
      if (lines == null && reader != null) {
        close(reader);
      }
    }
  }

  private static boolean isRead(String column, TypedFields fields) {
    return fields.isEmpty() || CorpusLine.isOwnField(column) || fields.get(column) != null;
  }

  @Override
  public byte[] next() throws IOException {
    try {
      if (!rows.hasNext()) {
        return null;
      }
      rows.next();
      byte[] line = row();
      // Of the bytes, as many as of the rows.
      consumed.addAndGet(share(lineNumber + 1) - share(lineNumber));
      lineNumber++;
      return line;
    } catch (RuntimeException e) {
      throw new IOException("damaged: " + why(e), e); // the reader throws any
    }
  }

  private long share(long row) {
    return (long) ((double) bytes * row / rowCount);
  }

  private byte[] row() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    try (JsonGenerator json = JSON.createGenerator(line)) {
      json.writeStartObject();
      for (SchemaNode column : columns) {
        json.writeFieldName(column.name());
        write(json, column.name(), column, rows.getValue(column.name()));
      }
      json.writeEndObject();
    }
    return line.toByteArray();
  }

  /** Writes a value of a column, or of a part of its values. */
  private static void write(JsonGenerator json, String column, SchemaNode node, Object value)
      throws IOException {
    switch (value) {
      case null -> json.writeNull();
      case PqList list -> {
        json.writeStartArray();
        for (Object each : list.values()) {
          write(json, column, ((SchemaNode.GroupNode) node).getListElement(), each);
        }
        json.writeEndArray();
      }
      case PqStruct struct -> {
        json.writeStartObject();
        for (SchemaNode child : ((SchemaNode.GroupNode) node).children()) {
          json.writeFieldName(child.name());
          write(json, column, child, struct.getValue(child.name()));
        }
        json.writeEndObject();
      }
      case Boolean truth -> json.writeBoolean(truth);
      case BigDecimal number -> json.writeNumber(number);
      case Number number -> {
        if (Double.isFinite(number.doubleValue())) {
          json.writeNumber(isUnsigned(node) ? unsigned(number) : "" + number);
        } else {
          json.writeNull();
        }
      }
      case LocalDateTime time -> json.writeString(time.toInstant(ZoneOffset.UTC).toString());
      case String text -> json.writeString(text);
      case Temporal time -> json.writeString(time.toString());
      case UUID id -> json.writeString(id.toString());
      default ->
          throw new IOException(
              "column \"" + column + "\" has values that JSON has not: " + kind(node));
    }
  }

  private static String kind(SchemaNode node) {
    return node instanceof SchemaNode.PrimitiveNode leaf
        ? leaf.type().toString()
        : ((SchemaNode.GroupNode) node).isMap() ? "maps" : "variants";
  }

  private static boolean isUnsigned(SchemaNode node) {
    return node instanceof SchemaNode.PrimitiveNode leaf
        && leaf.logicalType() instanceof LogicalType.IntType type
        && !type.isSigned();
  }

  private static String unsigned(Number value) {
    return value instanceof Long
        ? Long.toUnsignedString(value.longValue())
        : Integer.toUnsignedString(value.intValue());
  }

  /** Returns what the reader says, without the name of the file in brackets. */
  private static String why(Exception e) {
    return String.valueOf(e.getMessage()).replaceFirst("^\\[[^\\]]*\\] ", "");
  }

  @Override
  public long lineNumber() {
    return lineNumber;
  }

  @Override
  public void close() {
    rows.close();
    close(reader);
  }

  private static void close(ParquetFileReader reader) {
    try {
      reader.close();
    } catch (IOException e) {
      // It was only read.
    }
  }
}
