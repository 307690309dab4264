package dev.grapevine.app.run;

import dev.grapevine.app.console.Interruption;
import dev.grapevine.app.watch.WatchServer;
import dev.grapevine.launch.Forecast;
import dev.grapevine.launch.ProgressListener;
import dev.grapevine.launch.RunProgress;
import dev.grapevine.results.RunDirectory;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;

/** The page of {@code run --watch}: there from the first round until its viewers have seen all. */
public final class LiveView {

  private final PrintWriter err;
  private volatile @Nullable WatchServer server;

  public LiveView(PrintWriter err) {
    this.err = err;
  }

  /** A listener that keeps the page up to date and passes on what it hears. */
  public ProgressListener and(ProgressListener other) {
    return new ProgressListener() {
      @Override
      public void begun(RunDirectory directory) {
        WatchServer started = WatchServer.start(directory.path(), 0);
        server = started;
        err.println("watch at " + started.address());
        err.flush();
        other.begun(directory);
      }

      @Override
      public void note(String text) {
        other.note(text);
      }

      @Override
      public void expected(Forecast forecast) {
        other.expected(forecast);
      }

      @Override
      public void joined(String worker, int missing) {
        other.joined(worker, missing);
      }

      @Override
      public void progress(RunProgress progress) {
        WatchServer started = server;
        if (started != null) {
          started.progress(progress);
        }
        other.progress(progress);
      }
    };
  }

  /** Ends the page; on a terminal, a run that was not interrupted first leaves it to be read. */
  public void end(boolean stays) {
    WatchServer started = server;
    if (started == null) {
      return;
    }
    if (stays && System.console() != null && System.console().isTerminal()) {
      err.println("the page stays at " + started.address() + " until Ctrl-C");
      err.flush();
      try (Interruption interruption = Interruption.ofThisThread()) {
        started.awaitInterrupt();
      }
    } else {
      started.awaitViewers();
    }
    started.close();
  }

  public void close() {
    WatchServer started = server;
    if (started != null) {
      started.close();
    }
  }
}
