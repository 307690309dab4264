package dev.grapevine.experiment;

import static dev.grapevine.settings.SettingException.require;

import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;

/** The keys at the top of the file, before any table. */
public record GeneralSettings(
    @Doc("what the experiment is called; names its results") String name,
    @Default("90") @Doc("where all randomness comes from") long seed,
    @Default("100") @Doc("how many rounds each node runs, at least 1") int rounds) {

  public GeneralSettings {
    require(!name.isBlank(), "name", "name must not be empty");
    require(
        name.chars().noneMatch(c -> c == '/' || c == '\\' || Character.isISOControl(c)),
        "name",
        "name must not hold slashes or control characters, it becomes a folder: name=" + name);
    require(rounds >= 1, "rounds", "rounds must be at least 1: rounds=" + rounds);
  }
}
