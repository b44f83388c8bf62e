/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.workload;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.dataformat.csv.CsvFactory;
import com.fasterxml.jackson.dataformat.csv.CsvParser;
import com.fasterxml.jackson.dataformat.csv.CsvSchema;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * The rows of a table as lines of JSON: values separated by commas, or by tabs. The first row names
 * the columns. Values between quotation marks may have line ends, of a file of commas; the lines
 * that such a row goes on in are blank here, so that all have the numbers that the file has.
 */
final class TableLines implements LineSource {
  private static final Pattern NUMBER =
      Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][-+]?[0-9]+)?");
  private static final CsvSchema HEADER = CsvSchema.emptySchema().withHeader();
  private static final byte[] BLANK = {};
  private static final CsvFactory TABLES =
      CsvFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder().maxStringLength(Integer.MAX_VALUE).build())
          .enable(CsvParser.Feature.SKIP_EMPTY_LINES)
          .enable(CsvParser.Feature.FAIL_ON_MISSING_COLUMNS)
          .build();
  private static final JsonFactory JSON = new JsonFactory();

  private final BufferedReader text;
  private final CsvParser rows;
  private final TypedFields fields;
  private long lineNumber;
  private byte[] row; // not returned yet: it begins after lines that are blank
  private long rowBegins;

  private TableLines(InputStream in, CsvSchema schema, TypedFields fields) throws IOException {
    this.fields = fields;
    text = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8.newDecoder()));
    rows = TABLES.createParser(text);
    rows.setSchema(schema);
  }

  /**
   * Reads a table whose values are separated by commas, and may stand between quotation marks.
   *
   * @param fields those whose values are numbers or texts; of other columns, what looks like a
   *     number is one
   */
  static LineSource ofCommas(InputStream in, TypedFields fields) throws IOException {
    return new TableLines(in, HEADER, fields);
  }

  /** Reads a table whose values are separated by tabs; else as {@link #ofCommas} does. */
  static LineSource ofTabs(InputStream in, TypedFields fields) throws IOException {
    return new TableLines(in, HEADER.withColumnSeparator('\t').withoutQuoteChar(), fields);
  }

  @Override
  public byte[] next() throws IOException {
    try {
      if (lineNumber == 0) {
        skipByteOrderMark();
      }
      if (row == null && rows.nextToken() == JsonToken.START_OBJECT) {
        rowBegins = rows.currentLocation().getLineNr();
        row = row();
      }
    } catch (CharacterCodingException e) {
      throw new IOException("not UTF-8", e);
    } catch (JsonProcessingException e) {
      throw new IOException(e.getOriginalMessage(), e);
    }
    if (row == null) {
      return null;
    }
    lineNumber++;
    if (lineNumber < rowBegins) {
      return BLANK;
    }
    byte[] next = row;
    row = null;
    return next;
  }

  private void skipByteOrderMark() throws IOException {
    text.mark(1);
    if (text.read() != '\ufeff') {
      text.reset();
    }
  }

  private byte[] row() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    try (JsonGenerator json = JSON.createGenerator(line)) {
      json.writeStartObject();
      for (String column; (column = rows.nextFieldName()) != null; ) {
        rows.nextToken();
        String value = rows.getText();
        if (!value.isEmpty() || CorpusLine.isOwnField(column)) {
          json.writeFieldName(column);
          if (isNumber(column, value)) {
            json.writeNumber(value);
          } else {
            json.writeString(value);
          }
        }
      }
      json.writeEndObject();
    }
    return line.toByteArray();
  }

  private boolean isNumber(String column, String value) {
    if (CorpusLine.isOwnField(column) || !NUMBER.matcher(value).matches()) {
      return false;
    }
    TypedField field = fields.get(column);
    return field == null
        || field.type() == TypedField.Type.LONG
        || field.type() == TypedField.Type.DOUBLE;
  }

  @Override
  public long lineNumber() {
    return lineNumber;
  }

  @Override
  public void close() throws IOException {
    rows.close();
  }
}
