/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz.generate;

import java.util.Random;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LogByteSizeMergePolicy;
import org.apache.lucene.index.LogDocMergePolicy;
import org.apache.lucene.index.LogMergePolicy;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.SoftDeletesRetentionMergePolicy;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.similarities.Similarity;
import org.luceneoffload.fuzz.base.Seeds;

/**
 * How a round's index is written.
 *
 * @param merges the merge policy
 * @param serial whether merges run on the thread that writes
 * @param compound whether segments are packed
 * @param bufferedDocs documents that make a segment; 0: by memory
 * @param sort the index sort; null: none
 * @param softDeletes whether there is a soft-deletes field
 * @param keepSoftDeleted whether merges keep what was deleted softly
 * @param pooling whether the writer keeps readers
 * @param mergeWaitMillis how long commits and reopenings wait for merges
 * @param mergeFactor segments of a merge
 */
public record WriterPlan(
    Merges merges,
    boolean serial,
    boolean compound,
    int bufferedDocs,
    Sort sort,
    boolean softDeletes,
    boolean keepSoftDeleted,
    boolean pooling,
    long mergeWaitMillis,
    int mergeFactor) {
  /** The soft-deletes field. */
  public static final String SOFT_DELETES = "softly";

  private static final String PARENT_FIELD = "parentOfBlock";
  private static final int LARGE_SEGMENT_DOCS = 100_000;
  private static final double SMALL_BUFFER_MEGABYTES = 0.3;

  /** Merge policies. */
  public enum Merges {
    NONE,
    BY_DOCS,
    BY_BYTES,
    TIERED
  }

  public static WriterPlan random(Random random) {
    boolean soft = Seeds.oneIn(random, 3);
    Merges merges = Merges.values()[random.nextInt(Merges.values().length)];
    // Hundreds of segments take long to search, and show no more than dozens do.
    int leastBuffered = merges == Merges.NONE ? 100 : Seeds.oneIn(random, 8) ? 4 : 25;
    return new WriterPlan(
        merges,
        random.nextBoolean(),
        random.nextBoolean(),
        Seeds.oneIn(random, 3)
            ? 0
            : leastBuffered + random.nextInt(random.nextBoolean() ? 60 : 2000),
        Seeds.oneIn(random, 3) ? indexSort(random) : null,
        soft,
        soft && Seeds.oneIn(random, 3),
        random.nextBoolean(),
        Seeds.oneIn(random, 4) ? 100 : 0,
        2 + random.nextInt(8));
  }

  /** Few segments, all of them large. */
  static WriterPlan ofLargeSegments(Random random) {
    boolean serial = Seeds.oneIn(random, 3);
    return new WriterPlan(
        serial ? Merges.NONE : Merges.TIERED,
        serial,
        random.nextBoolean(),
        LARGE_SEGMENT_DOCS,
        null,
        false,
        false,
        random.nextBoolean(),
        0,
        2 + random.nextInt(8));
  }

  private static Sort indexSort(Random random) {
    SortField number = new SortField(Schema.NUMBER, SortField.Type.LONG, random.nextBoolean());
    return switch (random.nextInt(3)) {
      case 0 -> new Sort(number);
      case 1 -> new Sort(new SortField(Schema.SKIPPED, SortField.Type.LONG));
      default -> new Sort(new SortField(Schema.STRING, SortField.Type.STRING), number);
    };
  }

  /** Returns whether another codec makes the same segments out of the same calls. */
  public boolean isRepeatable() {
    return serial && (merges == Merges.NONE || merges == Merges.BY_DOCS);
  }

  public IndexWriterConfig config(Schema schema, Similarity similarity, Codec codec) {
    IndexWriterConfig config = new IndexWriterConfig(schema.analyzer());
    config.setCodec(codec).setSimilarity(similarity).setUseCompoundFile(compound);
    config.setMergePolicy(mergePolicy());
    config.setMergeScheduler(serial ? new SerialMergeScheduler() : new ConcurrentMergeScheduler());
    if (bufferedDocs > 0) {
      config.setMaxBufferedDocs(bufferedDocs);
      config.setRAMBufferSizeMB(IndexWriterConfig.DISABLE_AUTO_FLUSH);
    } else {
      config.setRAMBufferSizeMB(SMALL_BUFFER_MEGABYTES);
    }
    if (sort != null) {
      config.setIndexSort(sort);
    }
    if (sort != null && schema.blocks()) {
      config.setParentField(PARENT_FIELD);
    }
    if (softDeletes) {
      config.setSoftDeletesField(SOFT_DELETES);
    }
    config.setReaderPooling(pooling);
    config.setMaxFullFlushMergeWaitMillis(mergeWaitMillis);
    return config;
  }

  private MergePolicy mergePolicy() {
    MergePolicy policy =
        switch (merges) {
          case NONE -> NoMergePolicy.INSTANCE;
          case BY_DOCS -> log(new LogDocMergePolicy());
          case BY_BYTES -> log(new LogByteSizeMergePolicy());
          case TIERED -> new TieredMergePolicy().setSegmentsPerTier(Math.max(2, mergeFactor));
        };
    if (policy != NoMergePolicy.INSTANCE) {
      policy.setNoCFSRatio(compound ? 1.0 : 0.0);
    }
    return keepSoftDeleted
        ? new SoftDeletesRetentionMergePolicy(
            SOFT_DELETES, () -> MatchAllDocsQuery.INSTANCE, policy)
        : policy;
  }

  private LogMergePolicy log(LogMergePolicy policy) {
    policy.setMergeFactor(mergeFactor);
    return policy;
  }
}
