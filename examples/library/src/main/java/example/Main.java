package example;

import dev.grapevine.experiment.Experiment;
import dev.grapevine.launch.Run;
import dev.grapevine.launch.RunResult;
import java.nio.file.Files;

/** Eight nodes on a ring learn to tell blobs apart; prints how well they do. */
public final class Main {

  private Main() {}

  public static void main(String[] arguments) throws Exception {
    Experiment experiment =
        Experiment.parse(
            """
            name = "library"
            rounds = 20
            [nodes]
            count = 8
            [topology]
            kind = "ring"
            [data]
            set = "blobs"
            [model]
            kind = "logistic"
            """);
    RunResult result =
        Run.of(experiment).into(Files.createTempDirectory("library").resolve("run")).start();
    System.out.printf("accuracy %.2f%n", result.summary().testAccuracy().mean());
  }
}
