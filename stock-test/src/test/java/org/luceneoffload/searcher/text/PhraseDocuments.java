/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher.text;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.OffsetAttribute;
import org.apache.lucene.analysis.tokenattributes.PayloadAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.util.BytesRef;

/** Documents in which positions matter. */
final class PhraseDocuments {
  static final int VOCABULARY = 12;
  private static final FieldType OFFSETS = new FieldType(TextField.TYPE_NOT_STORED);
  private static final FieldType NO_NORMS = new FieldType(TextField.TYPE_NOT_STORED);
  private static final FieldType FREQS = new FieldType(TextField.TYPE_NOT_STORED);

  static {
    OFFSETS.setIndexOptions(IndexOptions.DOCS_AND_FREQS_AND_POSITIONS_AND_OFFSETS);
    NO_NORMS.setOmitNorms(true);
    FREQS.setIndexOptions(IndexOptions.DOCS_AND_FREQS);
  }

  private PhraseDocuments() {}

  /** Few words, so that phrases are found; stacked ones, gaps and payloads. */
  private static final class Tokens extends TokenStream {
    private final CharTermAttribute term = addAttribute(CharTermAttribute.class);
    private final PositionIncrementAttribute gap = addAttribute(PositionIncrementAttribute.class);
    private final OffsetAttribute offset = addAttribute(OffsetAttribute.class);
    private final PayloadAttribute payload = addAttribute(PayloadAttribute.class);
    private final Random random;
    private final int count;
    private final int words;
    private final boolean equal; // whether a word may be stacked on itself
    private int next;
    private final Set<Integer> stack = new HashSet<>();

    Tokens(Random random, int count, int words, boolean equal) {
      this.equal = equal;
      this.random = random;
      this.count = count;
      this.words = words;
    }

    @Override
    public boolean incrementToken() {
      if (next == count) {
        return false;
      }
      clearAttributes();
      double u = random.nextDouble();
      int word = (int) (words * u * u);
      term.append("w" + word);
      int dice = random.nextInt(20);
      boolean stacked = next > 0 && dice < 2 && (equal || !stack.contains(word));
      if (!stacked) {
        stack.clear();
      }
      stack.add(word);
      gap.setPositionIncrement(stacked ? 0 : next > 0 && dice > 17 ? dice - 16 : 1);
      offset.setOffset(next * 3, next * 3 + 2);
      payload.setPayload(dice == 7 ? new BytesRef("p") : null);
      next++;
      return true;
    }
  }

  static Document one(Random random) {
    Document document = new Document();
    boolean giant = random.nextInt(400) == 0;
    int length = giant ? 1000 + random.nextInt(4000) : random.nextInt(25);
    int few = giant ? 2 : VOCABULARY;
    document.add(new TextField("body", new Tokens(random, length, few, false)));
    document.add(new Field("offsets", new Tokens(random, random.nextInt(12), 5, true), OFFSETS));
    document.add(new Field("plain", new Tokens(random, random.nextInt(9), 4, false), NO_NORMS));
    document.add(new Field("freqs", "w0 w1 w2", FREQS));
    document.add(new NumericDocValuesField("number", random.nextInt(50)));
    return document;
  }
}
