package dev.grapevine.experiment;

import dev.grapevine.settings.RawValue;
import dev.grapevine.settings.Section;
import dev.grapevine.settings.TomlWriter;

/** Writes an experiment with all its defaults. */
final class ExperimentText {

  private ExperimentText() {}

  static String of(Experiment experiment, GeneralSettings general) {
    StringBuilder out = new StringBuilder();
    TomlWriter.keys(general).forEach((key, value) -> line(out, key, value));
    for (Section section : Sections.all()) {
      out.append("\n[").append(section.name()).append("]\n");
      experiment.section(section.name()).toToml().forEach((key, value) -> line(out, key, value));
    }
    for (NodeOverride override : experiment.overrides()) {
      out.append("\n[[override]]\n");
      line(out, "nodes", TomlWriter.text(override.nodes().toString()));
      override
          .changes()
          .entries()
          .forEach((table, entry) ->
              ((RawValue.Table) entry.value())
                  .entries()
                  .forEach((key, value) ->
                      line(out, table + "." + TomlWriter.key(key), TomlWriter.raw(value.value()))));
    }
    experiment
        .document()
        .root()
        .get(Document.SWEEP)
        .ifPresent(sweep -> {
          out.append("\n[sweep]\n");
          ((RawValue.Table) sweep)
              .entries()
              .forEach(
                  (key, entry) -> line(out, TomlWriter.key(key), TomlWriter.raw(entry.value())));
        });
    return out.toString();
  }

  private static void line(StringBuilder out, String key, String value) {
    out.append(key).append(" = ").append(value).append('\n');
  }
}
