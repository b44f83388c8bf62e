/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.luceneoffload.cli.command.Failure;
import org.luceneoffload.cli.options.ProfileChanges;
import org.luceneoffload.cli.output.Progress;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.papers.study.Figure;
import org.luceneoffload.papers.study.PaperReport;
import org.luceneoffload.papers.study.Plot;
import org.luceneoffload.papers.study.Plot.Axis;
import org.luceneoffload.papers.study.Plot.Mark;
import org.luceneoffload.papers.study.Plot.Series;
import org.luceneoffload.papers.study.Published;
import org.luceneoffload.papers.study.Study;
import org.luceneoffload.papers.study.Table;

/**
 * Every figure of a paper over values of one number of the profile.
 *
 * @param path of the number
 * @param values of it, two at least
 */
record ParameterSweep(String path, List<Long> values) {
  /** From this ratio of greatest to least value on, the axis is logarithmic. */
  private static final long LOG_FROM = 8;

  /**
   * Parses {@code PATH=A,B,C}.
   *
   * @throws Failure of usage if it is malformed
   */
  static ParameterSweep parse(String text) throws Failure {
    int equal = text.indexOf('=');
    List<Long> values =
        equal <= 0
            ? List.of()
            : Stream.of(text.substring(equal + 1).split(","))
                .map(value -> ProfileChanges.value("--sweep", value))
                .sorted()
                .distinct()
                .toList();
    if (values.size() < 2) {
      throw Failure.usage("--sweep " + text + ": expected PATH=A,B,... with two values at least");
    }
    return new ParameterSweep(text.substring(0, equal), values);
  }

  /**
   * Runs a paper once for each value.
   *
   * @throws Failure of usage if the profile may not have such values
   */
  PaperReport run(Study study, DeviceProfile profile, Progress progress) throws IOException {
    List<DeviceProfile> profiles =
        values.stream()
            .map(value -> ProfileChanges.change("--sweep", profile, Map.of(path, value)))
            .toList();
    List<PaperReport> reports = new ArrayList<>();
    for (int i = 0; i < profiles.size(); i++) {
      progress.tell(path + " = " + values.get(i), i, profiles.size());
      reports.add(study.run(profiles.get(i), Progress.NONE));
    }
    String unit = profile.values().get(path).unit();
    PaperReport first = reports.get(0);
    Table table =
        Table.of("Figures over " + path, "Modelled, for each value of the number in " + unit + ".")
            .text("figure")
            .text("unit")
            .number("published", "");
    values.forEach(value -> table.number("" + value, ""));
    List<Plot> plots = new ArrayList<>();
    for (Figure figure : first.figures()) {
      Published published = figure.published();
      List<Double> modelled = reports.stream().map(r -> r.modelled(published.id())).toList();
      List<Object> row = new ArrayList<>();
      Collections.addAll(row, published.id(), published.unit(), published.value());
      row.addAll(modelled);
      table.row(row.toArray());
      plots.add(plot(published, unit, modelled));
    }
    return new PaperReport(
        first.paper(),
        first.title() + ", over " + path,
        profile.name(),
        profile.title(),
        first.ofItsDevice(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(table),
        plots);
  }

  private Plot plot(Published published, String unit, List<Double> modelled) {
    List<Double> x = values.stream().map(Long::doubleValue).toList();
    boolean log = values.get(0) > 0 && values.get(values.size() - 1) / values.get(0) >= LOG_FROM;
    return Plot.of(
            published.id(),
            published.text(),
            new Axis(path, unit, log),
            new Axis("", published.unit(), false))
        .add(new Series("modelled", Mark.LINE, false, x, modelled))
        .add(
            new Series(
                "the paper",
                Mark.POINTS,
                true,
                x,
                Collections.nCopies(x.size(), published.value())));
  }
}
