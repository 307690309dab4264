package dev.grapevine.app.reproduce;

import dev.grapevine.UserException;
import dev.grapevine.app.console.Texts;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;

/**
 * The list of presets, with what each would take here and what is done of it.
 *
 * @param runs the folder of their results
 * @param data where data sets are
 * @param withoutEstimate whether nothing is to be measured
 */
record PresetList(Path runs, Path data, boolean withoutEstimate) {

  void print(List<Preset> presets, PrintWriter out) {
    Cost cost = new Cost();
    String document = "";
    for (Preset preset : presets) {
      if (!preset.about().document().equals(document)) {
        document = preset.about().document();
        out.println(document);
        out.println();
      }
      out.println("%-10s%s".formatted(preset.id(), preset.about().title()));
      out.println("%-10sset-up   %s".formatted("", preset.about().setup()));
      out.println("%-10sclaim    %s".formatted("", preset.about().claim()));
      for (Scale scale : Scale.values()) {
        out.println("%-10s%-9s%s".formatted("", scale.word(), state(preset, scale, cost)));
      }
      if (!preset.about().standIn().isEmpty()) {
        out.println(
            "%-10s%-9sat laptop scale: %s".formatted("", "STAND-IN", preset.about().standIn()));
      }
      out.println();
      out.flush();
    }
    out.println(
        "Figures 1 and 2 of the paper, Figure 1 and Table 1 of the thesis show no results; the other"
            + " figures of the thesis are drawn with the tables.");
    out.flush();
  }

  private String state(Preset preset, Scale scale, Cost cost) {
    Reproduction reproduction;
    try {
      reproduction = Reproduction.of(preset, scale, runs, 0, List.of());
    } catch (UserException lacking) {
      return "cannot run in this version: "
          + (preset.about().needs().isEmpty()
              ? String.valueOf(lacking.getMessage()).lines().findFirst().orElse("")
              : "needs " + preset.about().needs());
    }
    int all = reproduction.points().size();
    int done = reproduction.done();
    String state =
        done == all
            ? "done"
            : done > 0
                ? "%d of %d runs done".formatted(done, all)
                : reproduction
                    .missingData(data)
                    .map(set -> "data missing: " + set)
                    .orElse("never run");
    String data = reproduction.experiments().getFirst().data().name();
    String time =
        withoutEstimate
            ? ""
            : "; about "
                + Texts.duration(cost.of(reproduction.experiments(), preset.samples(scale)));
    return "%s; %d runs on %s%s".formatted(state, all, data, time);
  }
}
