/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.util.BytesRef;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.fuzz.base.Seeds;
import org.luceneoffload.fuzz.generate.Action;
import org.luceneoffload.fuzz.generate.DocumentGenerator;
import org.luceneoffload.fuzz.generate.QueryGenerator;
import org.luceneoffload.fuzz.generate.Schema;
import org.luceneoffload.fuzz.generate.WriterPlan;

/** Does to an index what actions say, but for searches. */
public final class ActionRunner {
  private final FuzzIndex index;
  private final Schema schema;
  private final DocumentGenerator documents;
  private final boolean offload;

  /**
   * @param offload whether this is the index under test, and not its twin
   */
  public ActionRunner(FuzzIndex index, boolean offload) {
    this.index = index;
    this.schema = index.recipe.schema();
    this.documents = new DocumentGenerator(schema);
    this.offload = offload;
  }

  public void run(Action action) throws IOException {
    Random random = new Random(action.seed());
    IndexWriter writer = index.writer();
    switch (action.kind()) {
      case ADD -> add(writer, action);
      case ADD_MANY -> addMany(writer, action);
      case ADD_BLOCKS -> addBlocks(writer, action);
      case UPDATE -> update(writer, action, random);
      case SOFT_UPDATE -> softUpdate(writer, action, random);
      case DELETE_BY_TERM -> {
        for (int i = 0; i < action.size(); i++) {
          writer.deleteDocuments(anyBlock(random));
        }
      }
      case DELETE_BY_QUERY -> deleteByQuery(writer, action, random);
      case UPDATE_DOC_VALUES -> {
        boolean known = writer.getFieldNames().contains(Schema.UPDATED);
        for (int i = 0; known && i < action.size(); i++) {
          writer.updateNumericDocValue(
              anyBlock(random), Schema.UPDATED, random.nextInt(Schema.MAX_VALUE));
        }
      }
      case FLUSH -> writer.flush();
      case COMMIT -> writer.commit();
      case REFRESH -> index.refresh();
      case FORCE_MERGE -> writer.forceMerge(action.size());
      case MAYBE_MERGE -> writer.maybeMerge();
      case MERGE_DELETES_AWAY -> writer.forceMergeDeletes();
      case MERGE_IN_BACKGROUND -> {
        if (index.recipe.twin()) {
          writer.forceMerge(action.size());
        } else {
          index.inBackground(() -> writer.forceMerge(action.size()));
        }
      }
      case ADD_IN_BACKGROUND -> {
        if (index.recipe.twin()) {
          add(writer, action);
        } else {
          long first = index.newIds(action.size());
          index.inBackground(() -> add(writer, action, first));
        }
      }
      case ADD_DIRECTORIES -> SourceIndexes.addDirectories(index, action, offload);
      case ADD_READERS -> SourceIndexes.addReaders(index, action, offload);
      case ROLLBACK -> index.rollback();
      case REOPEN -> {
        FuzzIndex.Opening opening = opening(random);
        boolean keepReader = Seeds.oneIn(random, 3);
        boolean stockCodec = Seeds.oneIn(random, 5);
        if (offload) {
          index.setCodec(stockCodec ? new Lucene104Codec() : new OffloadCodec());
        }
        index.reopen(offload ? opening : FuzzIndex.Opening.PLAIN, keepReader, null);
      }
      case IMPORT -> {
        writer.commit();
        Maintenance.IMPORT.run(index.directory());
      }
      case REPAIR -> maintain(Maintenance.REPAIR, random);
      case DETACH -> maintain(Maintenance.DETACH, random);
      case DELETE_ALL -> {
        if (Seeds.oneIn(random, 3)) {
          writer.deleteAll();
        }
      }
      case SEARCH -> throw new AssertionError(action);
    }
  }

  private void maintain(Maintenance maintenance, Random random) throws IOException {
    boolean keepReader = random.nextBoolean();
    index.reopen(
        offload ? FuzzIndex.Opening.DEVICE : FuzzIndex.Opening.PLAIN, keepReader, maintenance);
  }

  /** How to open the index; mostly with the device. */
  public static FuzzIndex.Opening opening(Random random) {
    FuzzIndex.Opening[] all = FuzzIndex.Opening.values();
    return random.nextBoolean() ? FuzzIndex.Opening.DEVICE : all[random.nextInt(all.length)];
  }

  private void add(IndexWriter writer, Action action) throws IOException {
    add(writer, action, index.newIds(action.size()));
  }

  private void add(IndexWriter writer, Action action, long firstId) throws IOException {
    for (int i = 0; i < action.size(); i++) {
      writer.addDocument(lone(Seeds.mix(action.seed(), i), firstId + i));
    }
  }

  private void addMany(IndexWriter writer, Action action) throws IOException {
    long firstId = index.newIds(action.size());
    for (int i = 0; i < action.size(); i++) {
      writer.addDocument(
          documents.shortDocument(Seeds.mix(action.seed(), i), Long.toString(firstId + i)));
    }
  }

  private Document lone(long seed, long id) {
    return documents.document(seed, Long.toString(id), "b" + id, Schema.PARENT);
  }

  private void addBlocks(IndexWriter writer, Action action) throws IOException {
    if (!schema.blocks()) {
      add(writer, action);
      return;
    }
    for (int i = 0; i < action.size(); i++) {
      long first = index.newIds(8);
      writer.addDocuments(documents.block(Seeds.mix(action.seed(), i), first, "b" + first));
    }
  }

  /** A document or block that there may be. */
  private Term anyBlock(Random random) {
    return new Term(Schema.BLOCK, "b" + random.nextLong(Math.max(1, index.ids())));
  }

  private void update(IndexWriter writer, Action action, Random random) throws IOException {
    for (int i = 0; i < action.size(); i++) {
      Term block = anyBlock(random);
      long seed = Seeds.mix(action.seed(), i);
      if (schema.blocks()) {
        writer.updateDocuments(block, documents.block(seed, index.newIds(8), block.text()));
      } else {
        writer.updateDocument(
            block,
            documents.document(seed, Long.toString(index.newIds(1)), block.text(), Schema.PARENT));
      }
    }
  }

  private void softUpdate(IndexWriter writer, Action action, Random random) throws IOException {
    if (!index.recipe.writer().softDeletes()) {
      update(writer, action, random);
      return;
    }
    NumericDocValuesField mark = new NumericDocValuesField(WriterPlan.SOFT_DELETES, 1);
    for (int i = 0; i < action.size(); i++) {
      Term block = anyBlock(random);
      long seed = Seeds.mix(action.seed(), i);
      long first = index.newIds(8);
      if (schema.blocks()) {
        writer.softUpdateDocuments(block, documents.block(seed, first, block.text()), mark);
      } else {
        writer.softUpdateDocument(
            block,
            documents.document(seed, Long.toString(first), block.text(), Schema.PARENT),
            mark);
      }
    }
  }

  private void deleteByQuery(IndexWriter writer, Action action, Random random) throws IOException {
    for (int i = 0; i < action.size(); i++) {
      if (schema.blocks()) {
        // Blocks go as a whole, or parents would get the wrong children.
        List<BytesRef> blocks = new ArrayList<>();
        for (int b = 0; b < 5; b++) {
          blocks.add(new BytesRef(anyBlock(random).text()));
        }
        writer.deleteDocuments(new TermInSetQuery(Schema.BLOCK, blocks));
      } else {
        Query query = new QueryGenerator(schema, random).deleting();
        writer.deleteDocuments(query);
      }
    }
  }
}
