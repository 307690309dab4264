package dev.grapevine.app.deploy;

import dev.grapevine.UserException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.ServiceLoader;

/**
 * Somebody else's engine, which starts processes on machines of its own. Found by {@link
 * ServiceLoader}, so that a module beside the app can add one.
 */
public interface ClusterEngine {

  /** What users call it. */
  String name();

  /** Starts processes. */
  Started start(Order order);

  /**
   * A process to start.
   *
   * @param number from 0
   * @param command what starts it, in {@link Order#directory}
   * @param environment variables to set
   */
  record Task(int number, List<String> command, Map<String, String> environment) {}

  /**
   * What to start.
   *
   * @param name what to call it
   * @param master the engine's own word for where it is
   * @param directory where the processes run, which all machines see
   * @param input what each process gets on its standard input, which then stays open as long as the
   *     engine lives
   * @param together whether all must run at the same time
   */
  record Order(
      String name,
      String master,
      Path directory,
      List<Task> tasks,
      byte[] input,
      boolean together,
      Ends ends) {}

  /** Hears of processes that have ended, from any thread. */
  @FunctionalInterface
  interface Ends {

    /**
     * A process has ended.
     *
     * @param exitCode empty if the engine lost it
     * @param lastWords the last line that it printed, or what the engine says
     */
    void ended(int task, String host, OptionalInt exitCode, String lastWords);
  }

  /** What was started. */
  interface Started extends AutoCloseable {

    /** Waits until all processes have ended and {@link Ends} has heard of each. */
    void await() throws InterruptedException;

    /** Ends those that have not. */
    @Override
    void close();
  }

  /** The engine with a name. */
  static ClusterEngine named(String name) {
    for (ClusterEngine engine : ServiceLoader.load(ClusterEngine.class)) {
      if (engine.name().equals(name)) {
        return engine;
      }
    }
    throw new UserException(
        "this Grapevine has no engine \"%s\": it is a module of its own, which the launcher of a"
                .formatted(name)
            + " clone adds: ./grapevine ... --on "
            + name);
  }
}
