/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz.generate;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.SortedDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.util.BytesRef;
import org.luceneoffload.fuzz.base.Seeds;

/** Documents of a schema, each from a seed. */
public final class DocumentGenerator {
  private final Schema schema;

  public DocumentGenerator(Schema schema) {
    this.schema = schema;
  }

  /**
   * A document.
   *
   * @param id its {@link Schema#ID}
   * @param block its {@link Schema#BLOCK}
   * @param kind its {@link Schema#KIND}
   */
  public Document document(long seed, String id, String block, String kind) {
    Random random = new Random(seed);
    Document document = new Document();
    document.add(new StringField(Schema.ID, id, Field.Store.YES));
    document.add(new StringField(Schema.BLOCK, block, Field.Store.NO));
    document.add(new StringField(Schema.KIND, kind, Field.Store.NO));
    for (FieldPlan text : schema.texts()) {
      if (random.nextInt(100) >= text.absentPercent()) {
        document.add(new Field(text.name(), text.text(random), text.type()));
        if (Seeds.oneIn(random, 10)) {
          document.add(new Field(text.name(), text.text(random), text.type()));
        }
      }
    }
    document.add(new NumericDocValuesField(Schema.NUMBER, random.nextInt(Schema.MAX_VALUE)));
    document.add(
        NumericDocValuesField.indexedField(Schema.SKIPPED, random.nextInt(Schema.MAX_VALUE)));
    document.add(new NumericDocValuesField(Schema.WIDE, random.nextLong()));
    document.add(new NumericDocValuesField(Schema.UPDATED, random.nextInt(Schema.MAX_VALUE)));
    if (!Seeds.oneIn(random, 5)) {
      long value = random.nextInt(Schema.MAX_VALUE);
      document.add(new NumericDocValuesField(Schema.POINT, value));
      document.add(new LongPoint(Schema.POINT, value));
    }
    if (!Seeds.oneIn(random, 5)) {
      String value = "s" + random.nextInt(12);
      document.add(new SortedDocValuesField(Schema.STRING, new BytesRef(value)));
    }
    new ColumnFields(random).addTo(document);
    new FeatureFields(random).addTo(document);
    return document;
  }

  /** A document with nothing but its ID and text: quick to index. */
  public Document shortDocument(long seed, String id) {
    Random random = new Random(seed);
    Document document = new Document();
    document.add(new StringField(Schema.ID, id, Field.Store.YES));
    for (FieldPlan text : schema.texts()) {
      if (random.nextInt(100) >= text.absentPercent()) {
        document.add(new Field(text.name(), text.text(random), text.type()));
      }
    }
    if (!Seeds.oneIn(random, 5)) {
      document.add(new NumericDocValuesField(Schema.NUMBER, random.nextInt(Schema.MAX_VALUE)));
    }
    return document;
  }

  /** A block: children, then their parent. */
  public List<Document> block(long seed, long firstId, String block) {
    Random random = new Random(seed);
    int children = random.nextInt(5);
    List<Document> documents = new ArrayList<>();
    for (int i = 0; i <= children; i++) {
      documents.add(
          document(
              random.nextLong(),
              Long.toString(firstId + i),
              block,
              i == children ? Schema.PARENT : Schema.CHILD));
    }
    return documents;
  }
}
