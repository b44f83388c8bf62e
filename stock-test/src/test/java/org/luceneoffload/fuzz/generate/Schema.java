/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz.generate;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.index.Term;
import org.luceneoffload.fuzz.base.Seeds;

/**
 * The fields of a round's documents. Beside the text fields every document has {@link #ID}, {@link
 * #BLOCK}, {@link #KIND} and some of the numeric ones.
 *
 * @param texts text fields
 * @param blocks whether there are blocks of children and a parent
 * @param dense whether queries are to have thousands of matches
 */
public record Schema(List<FieldPlan> texts, boolean blocks, boolean dense) {
  /** A number of its own for each document, as a term. */
  public static final String ID = "id";

  /** The same term in all documents of a block. */
  public static final String BLOCK = "block";

  /** {@link #PARENT} or {@link #CHILD}. */
  public static final String KIND = "kind";

  public static final String PARENT = "parent";
  public static final String CHILD = "child";

  /** A long doc value that is never updated. */
  public static final String NUMBER = "number";

  /** A long doc value with the same points; not in all documents. */
  public static final String POINT = "point";

  /** A long doc value with a skip index. */
  public static final String SKIPPED = "skipped";

  /** A long doc value that is updated in place. */
  public static final String UPDATED = "updated";

  /** A long doc value, each of them another one: a page of its column holds few documents. */
  public static final String WIDE = "wide";

  /** A sorted doc value of few values. */
  public static final String STRING = "string";

  /** Long doc values with the same points: any number of them, extremes and equal ones too. */
  public static final String NUMBERS = "numbers";

  /**
   * Double doc values with the same points: any number of them, NaN and zeros of either sign too.
   */
  public static final String DOUBLES = "doubles";

  /** Keywords: any number of them, few documents with most. */
  public static final String KEYWORDS = "keywords";

  /** Labels of facets as Lucene's facet fields have them, dimension and label: any number. */
  public static final String FACETS = "facets";

  /** Values of numbers are below this. */
  public static final int MAX_VALUE = 100;

  /** Points on the globe, up to two a document, as both points and doc values. */
  public static final String PLACES = "places";

  public static Schema random(Random random) {
    List<FieldPlan> texts = new ArrayList<>();
    int count = 1 + random.nextInt(4);
    for (int i = 0; i < count; i++) {
      texts.add(FieldPlan.random("text" + i, random));
    }
    return new Schema(List.copyOf(texts), Seeds.oneIn(random, 4), false);
  }

  /** Two fields of few words, so that their posting lists are long. */
  static Schema ofLongLists(Random random) {
    return new Schema(
        List.of(FieldPlan.ofLongLists("text0", random), FieldPlan.ofLongLists("text1", random)),
        false,
        false);
  }

  /** Two fields of few words in many places. */
  static Schema ofDenseMatches(Random random) {
    return new Schema(
        List.of(
            FieldPlan.ofDenseMatches("text0", random), FieldPlan.ofDenseMatches("text1", random)),
        false,
        true);
  }

  public Analyzer analyzer() {
    Map<String, FuzzAnalyzer.Kind> kinds = new HashMap<>();
    texts.forEach(text -> kinds.put(text.name(), text.analysis()));
    return new FuzzAnalyzer(kinds);
  }

  public FieldPlan text(Random random) {
    return texts.get(random.nextInt(texts.size()));
  }

  /** A term of a text field, or rarely of a field that does not exist. */
  public Term term(Random random) {
    if (Seeds.oneIn(random, 80)) {
      return new Term("nofield", "w0");
    }
    if (Seeds.oneIn(random, 25)) {
      int id = random.nextInt(random.nextBoolean() ? 50 : 2000);
      return random.nextBoolean() ? new Term(ID, "" + id) : new Term(BLOCK, "b" + id);
    }
    if (Seeds.oneIn(random, 30)) {
      return new Term(KIND, random.nextBoolean() ? PARENT : CHILD);
    }
    FieldPlan text = text(random);
    return new Term(text.name(), text.word(random));
  }

  /** A term of a text field that, as a rule, few documents have. */
  public Term rareTerm(Random random) {
    FieldPlan text = text(random);
    return new Term(text.name(), text.rareWord(random));
  }
}
