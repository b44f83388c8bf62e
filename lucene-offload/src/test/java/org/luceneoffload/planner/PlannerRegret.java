/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.planner;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.luceneoffload.report.PlanExplanation.LeafEstimate;

/**
 * The loss of a planner against one that knows the outcome: the time of the side that it chose,
 * divided by that of the better side, less 1. Times are modelled, never measured.
 */
public final class PlannerRegret {
  /**
   * One choice.
   *
   * @param label what it was about
   * @param estimate by which it was made
   * @param deviceNs what the device takes, in ns
   * @param hostNs what the host takes, in ns
   */
  public record Choice(String label, LeafEstimate estimate, double deviceNs, double hostNs) {
    /** Time of the side that was chosen. */
    public double chosenNs() {
      return estimate.prefersDevice() ? deviceNs : hostNs;
    }

    /** Time of the better side. */
    public double betterNs() {
      return Math.min(deviceNs, hostNs);
    }

    /** Share of time lost; 0 if the choice was right. */
    public double regret() {
      return chosenNs() / betterNs() - 1;
    }
  }

  private final List<Choice> choices = new ArrayList<>();

  /** Starts without any choice. */
  public PlannerRegret() {}

  /**
   * Adds a choice.
   *
   * @throws IllegalArgumentException if a time is not above zero
   */
  public void add(Choice choice) {
    if (!(choice.deviceNs() > 0) || !(choice.hostNs() > 0)) {
      throw new IllegalArgumentException("times are above zero: " + choice);
    }
    choices.add(choice);
  }

  /** The choices, in the order in which they were added. */
  public List<Choice> choices() {
    return List.copyOf(choices);
  }

  /** Mean of the choices' regrets; 0 if there are none. */
  public double mean() {
    return choices.stream().mapToDouble(Choice::regret).average().orElse(0);
  }

  /** The choice that lost most; null if there are none. */
  public Choice worst() {
    return choices.stream().max(Comparator.comparingDouble(Choice::regret)).orElse(null);
  }

  /** Choices that were not the best. */
  public long wrong() {
    return choices.stream().filter(choice -> choice.regret() > 0).count();
  }

  /** Time of all choices together, divided by that of the better sides, less 1; 0 if none. */
  public double total() {
    double chosen = choices.stream().mapToDouble(Choice::chosenNs).sum();
    double better = choices.stream().mapToDouble(Choice::betterNs).sum();
    return better > 0 ? chosen / better - 1 : 0;
  }
}
