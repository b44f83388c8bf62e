/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.explore;

import java.nio.file.Path;
import java.util.List;
import org.luceneoffload.cli.model.ModelledCost;
import org.luceneoffload.cli.model.TimeLine;
import org.luceneoffload.cli.search.AggregateAnswer;
import org.luceneoffload.cli.search.Answer;
import org.luceneoffload.report.PlanExplanation;

/** The answers that a browser gets, as JSON. */
final class ExploreReport {
  private ExploreReport() {}

  /**
   * The index.
   *
   * @param version of the tool
   * @param index its directory
   * @param device name of the device
   * @param documents live ones
   * @param segments how many there are
   * @param defaultField of words without one
   * @param fields all that queries can ask about
   * @param profiles devices that can be modelled
   */
  record Overview(
      String version,
      Path index,
      String device,
      int documents,
      int segments,
      String defaultField,
      List<Field> fields,
      List<String> profiles) {}

  /**
   * A field.
   *
   * @param name its name
   * @param type {@code text}, or the type of its values
   * @param sortable whether hits can be sorted by it
   */
  record Field(String name, String type, boolean sortable) {}

  /**
   * The best hits on both sides: work is counted, and times are measured, of this one run.
   *
   * @param query that was asked, filters included, as Lucene prints it
   * @param from hits before the first one shown
   * @param hits how many there are to page through
   * @param place who answered, in words
   * @param identity what was compared
   * @param device the device's answer
   * @param host that of stock Lucene
   * @param notes what is odd about the query
   * @param plan where each segment runs, and how
   */
  record Hits(
      String query,
      int from,
      int hits,
      String place,
      Identity identity,
      Answer device,
      Answer host,
      List<String> notes,
      PlanExplanation plan) {}

  /**
   * Numbers about all matches.
   *
   * @param identical whether device and stock Lucene found the same
   * @param difference the first difference in words; null: there is none
   * @param facets by field
   */
  record Facets(boolean identical, String difference, List<Facet> facets) {}

  /**
   * The matches by the values of a field.
   *
   * @param field its name
   * @param type of its values
   * @param answer numbers, or buckets
   * @param filters by bucket, the query that only its matches pass; null: there are no buckets
   */
  record Facet(String field, String type, AggregateAnswer answer, List<String> filters) {}

  /**
   * The query on a modelled device: simulated, not measured.
   *
   * @param unavailable why nothing was modelled; null if it was
   * @param cost time, energy and work on either side
   * @param device when parts of the device were in use
   * @param host when parts of the host were, which does the same work
   * @param lost trace records that found no room, so that time lines are not complete
   * @param strips which pages were read
   */
  record Modelled(
      String unavailable,
      ModelledCost cost,
      TimeLine device,
      TimeLine host,
      long lost,
      List<PageStrip> strips) {
    /** Returns the answer where nothing can be modelled. */
    static Modelled none(String why) {
      return new Modelled(why, null, null, null, 0, List.of());
    }
  }

  /**
   * An answer that there is none.
   *
   * @param error why, in a sentence
   */
  record Problem(String error) {}
}
