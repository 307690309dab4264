package dev.grapevine.app.sweep;

import dev.grapevine.app.CommandRun;
import dev.grapevine.app.deploy.ClusterEngine;
import java.util.List;
import java.util.OptionalInt;

/** An engine that runs commands in this process, one after the other. */
public final class PretendEngine implements ClusterEngine {

  @Override
  public String name() {
    return "pretend";
  }

  @Override
  public Started start(Order order) {
    return new Started() {
      @Override
      public void await() {
        for (Task task : order.tasks()) {
          List<String> arguments = task.command().subList(1, task.command().size());
          CommandRun run = CommandRun.of(arguments.toArray());
          order
              .ends()
              .ended(task.number(), "here", OptionalInt.of(run.exitCode()), run.err().strip());
        }
      }

      @Override
      public void close() {
        // Nothing outlives await.
      }
    };
  }
}
