package dev.grapevine.app;

import dev.grapevine.engine.Model;
import dev.grapevine.engine.Models;
import dev.grapevine.settings.KindDescription;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The models with what they take and how large they are, as far as the data does not decide. */
final class ModelTable {

  private ModelTable() {}

  static void print(List<? extends KindDescription<?, ?>> kinds, PrintWriter out) {
    out.println(
        String.format(Locale.ROOT, "  %-22s%-14s%14s  %s", "name", "input", "parameters", ""));
    for (KindDescription<?, ?> kind : kinds) {
      String input = "any";
      String parameters = "by data";
      for (Models.Entry entry : Models.all()) {
        if (entry.name().equals(kind.name())) {
          Model model = entry.model();
          input =
              Arrays.stream(model.inputShape())
                  .mapToObj(Integer::toString)
                  .collect(Collectors.joining("×"));
          parameters = String.format(Locale.ROOT, "%,d", model.parameterCount());
        }
      }
      out.println(
          String.format(
              Locale.ROOT, "  %-22s%-14s%14s  %s", kind.name(), input, parameters, kind.summary()));
    }
    out.println();
    out.println("Sizes are for each model's usual data; input and classes follow the data set.");
  }
}
