package dev.grapevine.checkpoint;

import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.SettingException;
import java.util.List;

/**
 * The table {@code [checkpoint]}: when the state of all nodes is saved. In a simulated run, and
 * with protocols that are not in step, all nodes meet at the end of such a round, which takes time
 * on the run's clock: so it is part of the experiment.
 */
public record CheckpointSettings(
    @Doc("save all nodes after every so many rounds; 0 for never") @Default("0") int every,
    @Doc("how many of the newest checkpoints are kept, at least 1") @Default("2") int keep,
    @Doc("save also after these rounds; a simulated run that was stopped by a signal names it here")
        @Default("[]")
        List<Integer> also) {

  public CheckpointSettings {
    also = List.copyOf(also);
    SettingException.require(every >= 0, "every", "every must not be negative: every=" + every);
    SettingException.require(keep >= 1, "keep", "keep must be at least 1: keep=" + keep);
    SettingException.require(
        also.stream().allMatch(round -> round >= 1),
        "also",
        "also must be numbers of rounds from 1 up: also=" + also);
  }

  /** Whether anything is ever saved. */
  public boolean isOn() {
    return every > 0 || !also.isEmpty();
  }

  /** Whether all nodes are saved once so many rounds are over. */
  public boolean isDue(int rounds) {
    return (every > 0 && rounds % every == 0) || also.contains(rounds);
  }
}
