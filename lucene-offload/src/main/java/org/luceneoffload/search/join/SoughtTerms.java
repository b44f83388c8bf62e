/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.join;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.ParallelLeafReader;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;

/**
 * Terms of no index, which show what a query that hides its terms looks for: it finds each one, the
 * first in doc 0 alone, the next one in doc 1. For one thread.
 */
final class SoughtTerms extends Terms {
  private final int docs;
  private final List<BytesRef> sought = new ArrayList<>();
  private String field; // that was asked for; null: none yet

  /**
   * Makes terms.
   *
   * @param docs how many docs there are; later terms are in none, and the first ones not noted
   */
  SoughtTerms(int docs) {
    this.docs = docs;
  }

  /** Returns the field whose terms a query took these for. */
  String field() {
    return field;
  }

  /** Returns the terms that were looked for, in their order, but for those that are in a doc. */
  List<BytesRef> sought() {
    return sought;
  }

  @Override
  public long size() {
    return docs;
  }

  @Override
  public long getSumTotalTermFreq() {
    return docs;
  }

  @Override
  public long getSumDocFreq() {
    return docs;
  }

  @Override
  public int getDocCount() {
    return docs;
  }

  @Override
  public boolean hasFreqs() {
    return false;
  }

  @Override
  public boolean hasOffsets() {
    return false;
  }

  @Override
  public boolean hasPositions() {
    return false;
  }

  @Override
  public boolean hasPayloads() {
    return false;
  }

  @Override
  public TermsEnum iterator() {
    return new Found();
  }

  /** A segment all of whose fields have such terms. */
  static final class Reader extends ParallelLeafReader {
    private final SoughtTerms terms;

    Reader(SoughtTerms terms) throws IOException {
      this.terms = terms;
    }

    @Override
    public int maxDoc() {
      return terms.docs;
    }

    @Override
    public Terms terms(String field) {
      terms.field = field;
      return terms;
    }
  }

  private final class Found extends FilterLeafReader.FilterTermsEnum {
    private int count;
    private BytesRef term;

    Found() {
      super(TermsEnum.EMPTY);
    }

    @Override
    public SeekStatus seekCeil(BytesRef text) {
      seekExact(text);
      return SeekStatus.FOUND;
    }

    @Override
    public boolean seekExact(BytesRef text) {
      if (count++ >= docs) {
        term = BytesRef.deepCopyOf(text);
        sought.add(term);
      }
      return true;
    }

    @Override
    public BytesRef term() {
      return term;
    }

    @Override
    public BytesRef next() {
      return null;
    }

    @Override
    public PostingsEnum postings(PostingsEnum reuse, int flags) {
      return new OneDoc(count <= docs ? count - 1 : PostingsEnum.NO_MORE_DOCS);
    }
  }

  private static final class OneDoc extends PostingsEnum {
    private final int only;
    private int doc = -1;

    OneDoc(int only) {
      this.only = only;
    }

    @Override
    public int docID() {
      return doc;
    }

    @Override
    public int nextDoc() {
      doc = doc < 0 ? only : NO_MORE_DOCS;
      return doc;
    }

    @Override
    public int advance(int target) throws IOException {
      return slowAdvance(target);
    }

    @Override
    public long cost() {
      return 1;
    }

    @Override
    public int freq() {
      return 1;
    }

    @Override
    public int nextPosition() {
      return -1;
    }

    @Override
    public int startOffset() {
      return -1;
    }

    @Override
    public int endOffset() {
      return -1;
    }

    @Override
    public BytesRef getPayload() {
      return null;
    }
  }
}
