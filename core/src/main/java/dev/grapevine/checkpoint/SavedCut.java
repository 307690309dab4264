package dev.grapevine.checkpoint;

import dev.grapevine.runtime.Cuts;
import dev.grapevine.runtime.Resumption.EndedNode;
import dev.grapevine.state.State;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** A complete cut on disk, to go on from. */
public final class SavedCut {

  private final Path folder;
  private final CutFile file;

  /** Whether all files have been read once: then their checksums say enough. */
  private boolean isChecked;

  private SavedCut(Path folder, CutFile file) {
    this.folder = folder;
    this.file = file;
  }

  /**
   * The newest cut that can be gone on from, and what is wrong with those that are newer.
   *
   * @param complaints a sentence for each cut that was passed over
   */
  public record Newest(Optional<SavedCut> cut, List<String> complaints) {}

  /** Looks for the newest cut of an experiment; reads every byte of it. */
  public static Newest newest(Path checkpoints, Identity identity) {
    List<String> complaints = new ArrayList<>();
    for (Map.Entry<Integer, Path> folder : CutFolders.all(checkpoints).entrySet()) {
      if (CutFolders.isComplete(folder.getValue())) {
        try {
          SavedCut cut = open(folder.getValue());
          cut.requireOf(identity);
          cut.check();
          return new Newest(Optional.of(cut), complaints);
        } catch (UnusableCut e) {
          complaints.add(
              "the checkpoint after round %d cannot be used: %s"
                  .formatted(folder.getKey(), e.reason()));
        }
      }
    }
    return new Newest(Optional.empty(), complaints);
  }

  /** After how many rounds there are complete cuts, rising. */
  public static List<Integer> available(Path checkpoints) {
    return CutFolders.all(checkpoints).entrySet().stream()
        .filter(folder -> CutFolders.isComplete(folder.getValue()))
        .map(Map.Entry::getKey)
        .sorted()
        .toList();
  }

  /** The cut after so many rounds. */
  public static SavedCut at(Path checkpoints, int rounds) throws UnusableCut {
    SavedCut cut = open(CutFolders.of(checkpoints, rounds));
    cut.check();
    return cut;
  }

  /**
   * The same, where somebody else has read all of it already: files are checked as they are read.
   */
  public static SavedCut knownGood(Path checkpoints, int rounds) throws UnusableCut {
    return open(CutFolders.of(checkpoints, rounds));
  }

  private static SavedCut open(Path folder) throws UnusableCut {
    return new SavedCut(folder, CutFile.read(folder));
  }

  /** Refuses a cut of another experiment. */
  public void requireOf(Identity identity) throws UnusableCut {
    if (!file.identity().experiment().equals(identity.experiment())) {
      throw new UnusableCut("it belongs to another experiment, or the experiment was changed");
    }
  }

  /** Reads all files, so that nothing is found wanting once the run has begun. */
  private void check() throws UnusableCut {
    List<Optional<UnusableCut>> findings =
        file.files().keySet().parallelStream().map(this::finding).toList();
    for (Optional<UnusableCut> finding : findings) {
      if (finding.isPresent()) {
        throw finding.get();
      }
    }
    isChecked = true;
  }

  private Optional<UnusableCut> finding(int node) {
    try {
      state(node);
      return Optional.empty();
    } catch (UnusableCut e) {
      return Optional.of(e);
    }
  }

  /** What a node remembered; nothing for one that had ended. */
  public Map<String, State.Saved> state(int node) throws UnusableCut {
    Written written = file.files().get(node);
    return written == null ? Map.of() : NodeFile.read(folder, node, written, !isChecked);
  }

  /** The numbers of all nodes that are saved. */
  public List<Integer> nodes() {
    return List.copyOf(file.files().keySet());
  }

  /** How many rounds were over. */
  public int rounds() {
    return file.rounds();
  }

  /** Whether the experiment asked for it, rather than a signal. */
  public boolean isPlanned() {
    return file.isPlanned();
  }

  public String version() {
    return file.identity().version();
  }

  public Cuts.Moment moment() {
    return file.moment();
  }

  public List<EndedNode> ended() {
    return file.ended();
  }

  /** Numbers of the whole run. */
  public Map<String, State.Saved> run() {
    return file.run().entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, each -> new State.Value(each.getValue())));
  }

  /** What all files take on disk, in bytes. */
  public long bytes() {
    return file.files().values().stream().mapToLong(Written::bytes).sum();
  }
}
