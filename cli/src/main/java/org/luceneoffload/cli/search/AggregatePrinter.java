/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.search;

import java.io.PrintWriter;
import java.util.Locale;
import org.luceneoffload.cli.output.Figures;
import org.luceneoffload.cli.output.Printable;
import org.luceneoffload.cli.output.TextTable;

/** Prints what aggregations found, for people. */
public final class AggregatePrinter {
  private static final int BAR_WIDTH = 40;
  private static final int NAME_WIDTH = 40;

  private AggregatePrinter() {}

  /** Prints one; buckets with a bar each. */
  public static void print(AggregateAnswer answer, String indent, PrintWriter out) {
    out.println(indent + Printable.text(answer.aggregate()) + ": " + summary(answer));
    if (answer.buckets() == null || answer.buckets().isEmpty()) {
      return;
    }
    long most = answer.buckets().stream().mapToLong(AggregateAnswer.Bucket::count).max().orElse(0);
    TextTable table =
        new TextTable(indent, AggregateOption.heading(answer.aggregate()), ">docs", "");
    for (AggregateAnswer.Bucket bucket : answer.buckets()) {
      table.add(
          Figures.cut(bucket.name(), NAME_WIDTH),
          Figures.count(bucket.count()),
          bar(bucket.count(), most));
    }
    table.print(out);
    for (AggregateAnswer.Bucket bucket : answer.buckets()) {
      if (bucket.inside() != null) {
        out.println(indent + "  " + Figures.cut(bucket.name(), NAME_WIDTH));
        print(bucket.inside(), indent + "    ", out);
      }
    }
  }

  /** Returns a bar in proportion; any count above 0 has a mark. Plain ASCII, for any terminal. */
  private static String bar(long count, long most) {
    long width = most == 0 ? 0 : Math.round((double) BAR_WIDTH * count / most);
    return "#".repeat((int) Math.max(count > 0 ? 1 : 0, width));
  }

  private static String summary(AggregateAnswer answer) {
    StringBuilder text = new StringBuilder(Figures.count(answer.docs(), "doc"));
    if (answer.missing() > 0) {
      text.append(" (").append(Figures.count(answer.missing())).append(" without a value)");
    }
    if (answer.values() != null && answer.values() != answer.docs()) {
      text.append(", ").append(Figures.count(answer.values(), "value"));
    }
    add(text, "sum", answer.sum());
    add(text, "mean", answer.mean());
    add(text, "min", answer.min());
    add(text, "max", answer.max());
    if (answer.distinct() != null) {
      text.append(", ").append(Figures.count(answer.distinct())).append(" different");
    }
    if (answer.inAny() != null) {
      text.append(", ").append(Figures.count(answer.inAny())).append(" in any");
    }
    return text.toString();
  }

  private static void add(StringBuilder text, String name, Object value) {
    if (value != null) {
      text.append(", ").append(name).append(' ');
      text.append(
          switch (value) {
            case Long number -> Figures.count(number);
            case Double number -> String.format(Locale.ROOT, "%,.4g", number);
            default -> value.toString();
          });
    }
  }
}
