/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.workload.request;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.CombinedFieldQuery;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.FuzzyQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.RegexpQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.WildcardQuery;
import org.luceneoffload.workload.Queries;
import org.luceneoffload.workload.QueryLine;
import org.luceneoffload.workload.TypedField;

/** Queries about words. */
final class TextQueries {
  private final RequestFields fields;

  TextQueries(RequestFields fields) {
    this.fields = fields;
  }

  Query match(String field, JsonNode body) {
    String text = JsonBody.text(body, "query", "query \"match\"");
    TypedField typed = fields.get(field);
    if (typed != null) {
      return typed.exactly(text);
    }
    if (JsonBody.parameter(body, "fuzziness").isValueNode()) {
      throw new UntranslatedException("\"fuzziness\" of query \"match\" is not translated");
    }
    return words(
        fields.terms(field, text).stream().<Query>map(TermQuery::new).toList(),
        JsonBody.parameter(body, "operator").asText("or"),
        JsonBody.parameter(body, "minimum_should_match").asText(""));
  }

  private static Query words(List<Query> words, String operator, String least) {
    if (words.size() < 2) {
      return words.isEmpty() ? MatchNoDocsQuery.INSTANCE : words.get(0);
    }
    boolean all = operator.equalsIgnoreCase("and");
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    words.forEach(word -> builder.add(word, all ? Occur.MUST : Occur.SHOULD));
    if (!all && !least.isEmpty()) {
      builder.setMinimumNumberShouldMatch(least(least, words.size()));
    }
    return builder.build();
  }

  /**
   * Parses how many of {@code n} clauses must match: a number or a share; if negative, how many
   * need not.
   */
  static int least(String text, int n) {
    try {
      boolean share = text.endsWith("%");
      int number = Integer.parseInt(share ? text.substring(0, text.length() - 1) : text);
      int clauses = share ? n * number / 100 : number;
      return Math.max(0, Math.min(n, clauses < 0 ? n + clauses : clauses));
    } catch (NumberFormatException e) {
      throw new UntranslatedException(
          "\"minimum_should_match\" is translated as a number or a share, not as " + text);
    }
  }

  Query phrase(String field, JsonNode body) {
    String text = JsonBody.text(body, "query", "query \"match_phrase\"");
    return phrase(field, text, JsonBody.parameter(body, "slop").asInt(0));
  }

  private Query phrase(String field, String text, int slop) {
    PhraseQuery.Builder builder = new PhraseQuery.Builder().setSlop(slop);
    List<Term> terms = fields.terms(field, text);
    terms.forEach(builder::add);
    return terms.isEmpty() ? MatchNoDocsQuery.INSTANCE : builder.build();
  }

  Query multiMatch(JsonNode body) {
    String text = JsonBody.needed(body, "query", "query \"multi_match\"");
    String type = body.path("type").asText("best_fields");
    List<Query> queries = new ArrayList<>();
    for (String field : JsonBody.each(body.get("fields"), JsonNode::asText)) {
      String[] nameAndBoost = field.split("\\^", 2);
      Query query =
          switch (type) {
            case "best_fields", "most_fields" ->
                words(
                    fields.terms(nameAndBoost[0], text).stream()
                        .<Query>map(TermQuery::new)
                        .toList(),
                    body.path("operator").asText("or"),
                    body.path("minimum_should_match").asText(""));
            case "phrase" -> phrase(nameAndBoost[0], text, body.path("slop").asInt(0));
            default ->
                throw new UntranslatedException(
                    "type \"" + type + "\" of query \"multi_match\" is not translated");
          };
      queries.add(
          nameAndBoost.length == 1
              ? query
              : new BoostQuery(query, Float.parseFloat(nameAndBoost[1])));
    }
    if (queries.isEmpty()) {
      throw JsonBody.wrong("query \"multi_match\" needs \"fields\"");
    }
    boolean most = type.equals("most_fields");
    float tie = (float) body.path("tie_breaker").asDouble(most ? 1 : 0);
    return queries.size() == 1 ? queries.get(0) : new DisjunctionMaxQuery(queries, tie);
  }

  Query combinedFields(JsonNode body) {
    String text = JsonBody.needed(body, "query", "query \"combined_fields\"");
    List<String> names = JsonBody.each(body.get("fields"), JsonNode::asText);
    if (names.isEmpty()) {
      throw JsonBody.wrong("query \"combined_fields\" needs \"fields\"");
    }
    List<Query> words = new ArrayList<>();
    for (Term term : fields.terms(names.get(0), text)) {
      CombinedFieldQuery.Builder builder = new CombinedFieldQuery.Builder(term.text());
      for (String name : names) {
        String[] nameAndBoost = name.split("\\^", 2);
        builder.addField(
            nameAndBoost[0], nameAndBoost.length == 1 ? 1f : Float.parseFloat(nameAndBoost[1]));
      }
      words.add(builder.build());
    }
    return words(
        words, body.path("operator").asText("or"), body.path("minimum_should_match").asText(""));
  }

  /** Parses a text in Lucene's classic syntax. */
  Query queryString(JsonNode body) {
    String text = JsonBody.needed(body, "query", "query \"query_string\"");
    String field = body.path("default_field").asText("");
    if (body.has("fields")) {
      throw new UntranslatedException("\"fields\" of query \"query_string\" is not translated");
    }
    Queries parser =
        field.isEmpty() ? new Queries(fields.typed()) : new Queries(fields.typed(), field);
    return parser.parse(new QueryLine(text, null));
  }

  Query prefix(String field, JsonNode body) {
    return new PrefixQuery(new Term(field, JsonBody.text(body, "value", "query \"prefix\"")));
  }

  Query wildcard(String field, JsonNode body) {
    String name = JsonBody.parameter(body, "wildcard").isMissingNode() ? "value" : "wildcard";
    return new WildcardQuery(new Term(field, JsonBody.text(body, name, "query \"wildcard\"")));
  }

  Query regexp(String field, JsonNode body) {
    return new RegexpQuery(new Term(field, JsonBody.text(body, "value", "query \"regexp\"")));
  }

  Query fuzzy(String field, JsonNode body) {
    Term term = new Term(field, JsonBody.text(body, "value", "query \"fuzzy\""));
    String edits = JsonBody.parameter(body, "fuzziness").asText("AUTO");
    int length = term.text().codePointCount(0, term.text().length());
    return new FuzzyQuery(
        term,
        edits.equalsIgnoreCase("AUTO")
            ? length < 3 ? 0 : length < 6 ? 1 : 2
            : Integer.parseInt(edits));
  }
}
