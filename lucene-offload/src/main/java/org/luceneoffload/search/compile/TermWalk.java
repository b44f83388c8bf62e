/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile;

import java.io.Closeable;
import java.io.IOException;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.MultiTermQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.TermRangeQuery;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.StringHelper;
import org.luceneoffload.codec.ListPeek;
import org.luceneoffload.codec.OffloadTerms;
import org.luceneoffload.codec.term.OffloadTermState;

/**
 * The terms of a query in a segment, in their order. Those of prefixes and ranges are next to each
 * other, so that the dictionary's own enum finds them, which is quicker than the automaton that
 * stock makes of them. For one thread.
 */
abstract class TermWalk implements Closeable {
  private final TermsEnum at;
  private final ListPeek lists;

  private TermWalk(OffloadTerms terms, TermsEnum at) {
    this.at = at;
    this.lists = new ListPeek(terms);
  }

  /** Begins before the first term. Closed if nothing was thrown. */
  static TermWalk of(MultiTermQuery query, OffloadTerms terms) throws IOException {
    if (query.getClass() == PrefixQuery.class) {
      return new Prefix(terms, ((PrefixQuery) query).getPrefix().bytes());
    }
    if (query.getClass() == TermRangeQuery.class) {
      return new Range(terms, (TermRangeQuery) query);
    }
    return new Any(terms, query.getTermsEnum(terms));
  }

  /** Returns the next term; null behind the last one. It changes with the next call. */
  abstract BytesRef next() throws IOException;

  /**
   * Returns the state that says where the list of the latest term is, until the next call of {@link
   * #next}.
   */
  final OffloadTermState list(BytesRef term) throws IOException {
    return lists.of(at, term);
  }

  @Override
  public void close() {}

  private static final class Any extends TermWalk {
    private final TermsEnum at;

    Any(OffloadTerms terms, TermsEnum at) {
      super(terms, at);
      this.at = at;
    }

    @Override
    BytesRef next() throws IOException {
      return at.next();
    }
  }

  /** Terms that are next to each other. */
  private abstract static class Run extends TermWalk {
    private final OffloadTerms terms;
    private final TermsEnum at;
    private BytesRef from; // null: begun

    private Run(OffloadTerms terms, TermsEnum at, BytesRef from) {
      super(terms, at);
      this.terms = terms;
      this.at = at;
      this.from = from;
    }

    @Override
    BytesRef next() throws IOException {
      BytesRef term;
      if (from == null) {
        term = at.next();
      } else {
        term = at.seekCeil(from) == TermsEnum.SeekStatus.END ? null : at.term();
        from = null;
      }
      return term != null && isIn(term) ? term : null;
    }

    abstract boolean isIn(BytesRef term);

    @Override
    public void close() {
      terms.release(at);
    }
  }

  private static final class Prefix extends Run {
    private final BytesRef prefix;

    Prefix(OffloadTerms terms, BytesRef prefix) throws IOException {
      super(terms, terms.acquireEnum(), prefix);
      this.prefix = prefix;
    }

    @Override
    boolean isIn(BytesRef term) {
      return StringHelper.startsWith(term, prefix);
    }
  }

  private static final class Range extends Run {
    private static final BytesRef FIRST = new BytesRef();

    private final BytesRef upper; // null: open
    private final int most; // of a comparison with it
    private BytesRef without; // the lower end, as long as it may come

    Range(OffloadTerms terms, TermRangeQuery range) throws IOException {
      super(
          terms, terms.acquireEnum(), range.getLowerTerm() == null ? FIRST : range.getLowerTerm());
      this.upper = range.getUpperTerm();
      this.most = range.includesUpper() ? 0 : -1;
      this.without = range.includesLower() ? null : range.getLowerTerm();
    }

    @Override
    BytesRef next() throws IOException {
      BytesRef term = super.next();
      if (without != null) {
        boolean skip = without.equals(term);
        without = null;
        return skip ? super.next() : term;
      }
      return term;
    }

    @Override
    boolean isIn(BytesRef term) {
      return upper == null || term.compareTo(upper) <= most;
    }
  }
}
