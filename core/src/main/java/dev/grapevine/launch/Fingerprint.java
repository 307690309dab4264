package dev.grapevine.launch;

import dev.grapevine.experiment.Experiment;
import dev.grapevine.results.Sha256;

/** By what the processes of a run know that they have the same experiment and the same data. */
final class Fingerprint {

  private Fingerprint() {}

  /** Of the experiment as it was resolved, and of the files that it names. */
  static String of(Experiment experiment) {
    return Sha256.of(experiment.toToml() + experiment.files().fingerprint());
  }

  /** Of the data as the nodes see them. */
  static String of(Assembly assembly) {
    StringBuilder text = new StringBuilder();
    DataFingerprint.glance(assembly.data())
        .forEach((name, hash) -> text.append(name).append(' ').append(hash).append('\n'));
    return Sha256.of(text.toString());
  }
}
