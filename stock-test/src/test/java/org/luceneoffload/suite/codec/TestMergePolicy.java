/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.suite.codec;

import java.util.HashSet;
import java.util.Set;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.index.LogDocMergePolicy;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.tests.index.BaseMergePolicyTestCase;
import org.luceneoffload.OffloadCodec;

/** Lucene's suite for merge policies: the merges that a stock one asks for, done by our codec. */
public class TestMergePolicy extends BaseMergePolicyTestCase {
  private Codec savedCodec;

  @Override
  public void setUp() throws Exception {
    super.setUp();
    savedCodec = Codec.getDefault();
    Codec.setDefault(new OffloadCodec());
  }

  @Override
  public void tearDown() throws Exception {
    Codec.setDefault(savedCodec);
    super.tearDown();
  }

  @Override
  protected MergePolicy mergePolicy() {
    LogDocMergePolicy policy = new LogDocMergePolicy();
    policy.setMergeFactor(2 + random().nextInt(20));
    return policy;
  }

  @Override
  protected void assertSegmentInfos(MergePolicy policy, SegmentInfos infos) {
    for (SegmentCommitInfo info : infos) {
      assertTrue(info + " is empty", info.info.maxDoc() > 0);
    }
  }

  @Override
  protected void assertMerge(MergePolicy policy, MergePolicy.MergeSpecification merge) {
    Set<SegmentCommitInfo> merging = new HashSet<>();
    for (MergePolicy.OneMerge one : merge.merges) {
      assertFalse("a merge of nothing", one.segments.isEmpty());
      for (SegmentCommitInfo segment : one.segments) {
        assertTrue(segment + " is merged twice", merging.add(segment));
      }
    }
  }
}
