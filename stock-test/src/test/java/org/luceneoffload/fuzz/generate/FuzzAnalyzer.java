/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz.generate;

import java.io.IOException;
import java.util.Map;
import java.util.Random;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.DelegatingAnalyzerWrapper;
import org.apache.lucene.analysis.TokenFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.standard.StandardTokenizer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.PayloadAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;
import org.apache.lucene.analysis.tokenattributes.TermFrequencyAttribute;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.util.BytesRef;

/** Analyzers by field: words as they stand, with holes, with stacked words, with payloads. */
public final class FuzzAnalyzer extends DelegatingAnalyzerWrapper {
  /** The ways to treat the words. */
  public enum Kind {
    /** Every word a token. */
    PLAIN,
    /** Some words leave a hole. */
    HOLES,
    /** Some words stand where the word before them stands: the length does not count them. */
    STACKED,
    /** Some tokens have payloads. */
    PAYLOADS,
    /** Tokens say how often they count: frequencies of any size. */
    WEIGHTED;

    static Kind random(Random random, FieldType type) {
      boolean positions =
          type.indexOptions().compareTo(IndexOptions.DOCS_AND_FREQS_AND_POSITIONS) >= 0;
      Kind kind = values()[random.nextInt(values().length)];
      return switch (kind) {
        case PAYLOADS -> positions ? kind : PLAIN;
        case WEIGHTED -> type.indexOptions() == IndexOptions.DOCS_AND_FREQS ? kind : PLAIN;
        default -> kind;
      };
    }
  }

  private final Map<String, Kind> kinds;
  private final Map<Kind, Analyzer> analyzers;

  public FuzzAnalyzer(Map<String, Kind> kinds) {
    super(PER_FIELD_REUSE_STRATEGY);
    this.kinds = Map.copyOf(kinds);
    this.analyzers =
        Map.of(
            Kind.PLAIN, new One(Kind.PLAIN),
            Kind.HOLES, new One(Kind.HOLES),
            Kind.STACKED, new One(Kind.STACKED),
            Kind.PAYLOADS, new One(Kind.PAYLOADS),
            Kind.WEIGHTED, new One(Kind.WEIGHTED));
  }

  @Override
  protected Analyzer getWrappedAnalyzer(String field) {
    return analyzers.get(kinds.getOrDefault(field, Kind.PLAIN));
  }

  private static final class One extends Analyzer {
    private final Kind kind;

    One(Kind kind) {
      this.kind = kind;
    }

    @Override
    protected TokenStreamComponents createComponents(String field) {
      StandardTokenizer tokenizer = new StandardTokenizer();
      return new TokenStreamComponents(
          tokenizer, kind == Kind.PLAIN ? tokenizer : new Filter(tokenizer, kind));
    }
  }

  /** Changes a token in a way that depends on the token alone. */
  private static final class Filter extends TokenFilter {
    private static final int SOME = 7;

    private final Kind kind;
    private final CharTermAttribute term = addAttribute(CharTermAttribute.class);
    private final PositionIncrementAttribute increment =
        addAttribute(PositionIncrementAttribute.class);
    private final PayloadAttribute payload = addAttribute(PayloadAttribute.class);
    private final TermFrequencyAttribute frequency;
    private int tokens;
    private boolean first;

    Filter(TokenStream in, Kind kind) {
      super(in);
      this.kind = kind;
      this.frequency = kind == Kind.WEIGHTED ? addAttribute(TermFrequencyAttribute.class) : null;
    }

    @Override
    public void reset() throws IOException {
      super.reset();
      first = true;
      tokens = 0;
    }

    @Override
    public boolean incrementToken() throws IOException {
      if (!input.incrementToken()) {
        return false;
      }
      boolean chosen = term.toString().hashCode() % SOME == 3;
      switch (kind) {
        case HOLES -> increment.setPositionIncrement(chosen ? 3 : 1);
        case STACKED -> increment.setPositionIncrement(chosen && !first ? 0 : 1);
        // Mostly small, sometimes beyond what a byte or two hold; a text sums up to an int.
        case WEIGHTED ->
            frequency.setTermFrequency(1 + (chosen ? tokens * tokens * 37 : tokens % 3));
        case PAYLOADS -> payload.setPayload(chosen ? new BytesRef(term.toString()) : null);
        default -> {}
      }
      first = false;
      tokens++;
      return true;
    }
  }
}
