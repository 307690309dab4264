package dev.grapevine.learning;

import dev.grapevine.settings.Family;
import java.util.SequencedMap;

/**
 * A figure of a classifier besides its accuracy and loss, chosen by {@code metrics} in the table
 * {@code [evaluation]}. Called after every evaluation, by several threads at a time; it keeps no
 * state.
 */
public interface TestMetric {

  Family<Void, TestMetric> FAMILY =
      new Family<>(
          "metric",
          TestMetric.class,
          Void.class,
          "what else is measured of a classifier on the test samples");

  /**
   * Names and values to record; what means nothing, such as a class without samples, is left out.
   */
  SequencedMap<String, Double> of(Predictions predictions);
}
