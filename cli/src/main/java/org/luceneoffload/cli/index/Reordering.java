/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.index;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.FilterMergePolicy;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.misc.index.BPIndexReorderer;
import org.apache.lucene.misc.index.BPReorderingMergePolicy;

/**
 * Gives documents that share words near doc IDs, by Lucene's recursive graph bisection (Dhulipala
 * et al., KDD 2016). It is done once, when all documents are there; other merges keep the order
 * that they find.
 */
final class Reordering {
  /** Documents of a segment for each that a word must be in to count. */
  private static final int DOCS_TO_FREQ = 100;

  private final BPIndexReorderer reorderer = new BPIndexReorderer();

  /** Has a writer that is opened with a configuration reorder what is merged by force. */
  void addTo(IndexWriterConfig config) {
    BPReorderingMergePolicy policy =
        new BPReorderingMergePolicy(new EachSegment(config.getMergePolicy()), reorderer);
    policy.setMinNaturalMergeNumDocs(Integer.MAX_VALUE);
    config.setMergePolicy(policy);
  }

  /**
   * Reorders all segments.
   *
   * @param segments that there are at most afterwards; 0: as many as there are
   */
  void run(IndexWriter writer, int segments) throws IOException {
    int freq = writer.getDocStats().maxDoc / DOCS_TO_FREQ;
    reorderer.setMinDocFreq(Math.clamp(freq, 2, BPIndexReorderer.DEFAULT_MIN_DOC_FREQ));
    writer.forceMerge(segments == 0 ? Integer.MAX_VALUE : segments);
  }

  /** Merges each segment by force, if need be with no other. */
  private static final class EachSegment extends FilterMergePolicy {
    EachSegment(MergePolicy in) {
      super(in);
    }

    @Override
    public MergeSpecification findForcedMerges(
        SegmentInfos infos,
        int segments,
        Map<SegmentCommitInfo, Boolean> wanted,
        MergeContext context)
        throws IOException {
      MergeSpecification found = in.findForcedMerges(infos, segments, wanted, context);
      MergeSpecification all = found == null ? new MergeSpecification() : found;
      for (SegmentCommitInfo info : infos) {
        boolean taken =
            context.getMergingSegments().contains(info)
                || all.merges.stream().anyMatch(merge -> merge.segments.contains(info));
        // What a merge has made is not merged once more: its value is false.
        if (!taken && Boolean.TRUE.equals(wanted.get(info))) {
          all.add(new OneMerge(List.of(info)));
        }
      }
      return all.merges.isEmpty() ? null : all;
    }
  }
}
