package dev.grapevine.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.grapevine.checkpoint.SavedCut;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.results.RunDirectory;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A disk that fills up while a run is saved. */
@Timeout(120)
final class FullDiskTest {

  private static final String FILE =
      """
      name = "full"
      rounds = 9
      [nodes]
      count = 4
      [topology]
      kind = "ring"
      [data]
      set = "blobs"
      [model]
      kind = "logistic"
      [checkpoint]
      every = 2
      """;

  @TempDir private Path folder;

  /** Where this process may have a small disk of its own. */
  private static final List<String> OWN_DISKS = List.of("unshare", "--map-root-user", "--mount");

  /** The process that has a small disk, and says what became of its run. */
  public static void main(String[] arguments) {
    Path directory = Path.of(arguments[0]);
    Run run =
        Run.of(Experiment.parse(FILE)).into(directory).savesModels(true).listener(new Filling());
    System.out.println("ending " + run.start().outcome().ending());
    System.out.println("saved " + SavedCut.available(directory.resolve("checkpoints")));
    try {
      Files.delete(directory.resolve("checkpoints/filler"));
      Files.move(directory.resolve("models"), directory.resolve("before"));
      Files.delete(directory.resolve("summary.json"));
      Run.resume(directory, List.of()).savesModels(true).start();
      System.out.println(
          "differs "
              + Files.mismatch(
                  directory.resolve("models/node-3.safetensors"),
                  directory.resolve("before/node-3.safetensors")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Gives the checkpoints a disk of their own, and fills it once the first is there. */
  private static final class Filling implements ProgressListener {

    private Path checkpoints = Path.of("");
    private final AtomicBoolean full = new AtomicBoolean();

    @Override
    public void begun(RunDirectory directory) {
      checkpoints = directory.checkpoints();
      try {
        if (Files.exists(checkpoints)) {
          return;
        }
        Files.createDirectory(checkpoints);
        int code =
            new ProcessBuilder("mount", "-t", "tmpfs", "-o", "size=256k", "disk", "" + checkpoints)
                .inheritIO()
                .start()
                .waitFor();
        if (code != 0) {
          throw new IllegalStateException("no disk of its own: " + code);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void progress(RunProgress progress) {
      // The first node here waits alone: others may have yet to save themselves.
      if (progress.round() < 3 || !full.compareAndSet(false, true)) {
        return;
      }
      while (SavedCut.available(checkpoints).isEmpty()) {
        LockSupport.parkNanos(1_000_000);
      }
      try (OutputStream out = Files.newOutputStream(checkpoints.resolve("filler"))) {
        while (true) {
          out.write(new byte[512]);
        }
      } catch (IOException noRoom) {
        System.out.println("full");
      }
    }

    @Override
    public void warning(String text) {
      System.out.println("warning " + text);
    }
  }

  private static Process start(List<String> command, Path out) throws IOException {
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(out.toFile())
        .start();
  }

  private boolean mayHaveDisks() throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(OWN_DISKS);
    command.addAll(List.of("mount", "-t", "tmpfs", "disk", folder.toString()));
    try {
      return start(command, folder.resolve("tried.txt")).waitFor() == 0;
    } catch (IOException noSuchCommand) {
      return false;
    }
  }

  @Test
  void theRunGoesOnAndTheCheckpointBeforeStays() throws Exception {
    assumeTrue(mayHaveDisks(), "a process may have no disk of its own here (unshare, mount)");
    List<String> command = new ArrayList<>(OWN_DISKS);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-Dgrapevine.kernels=scalar", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.add(FullDiskTest.class.getName());
    command.add(folder.resolve("run").toString());
    Path out = folder.resolve("out.txt");
    int code = start(command, out).waitFor();
    String said = Files.readString(out, StandardCharsets.UTF_8);
    assertThat(code).as(said).isZero();
    assertThat(said)
        .contains("full\n")
        .contains("warning the checkpoint after round 4 could not be written to ")
        .contains("No space left on device; the run goes on, and the checkpoint before is kept")
        .contains("ending DONE\n")
        .contains("saved [2]\n")
        .contains("differs -1\n");
  }
}
