package dev.grapevine.app.log;

import dev.grapevine.FileProblem;
import dev.grapevine.UserException;
import dev.grapevine.results.OneLine;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.logging.StreamHandler;
import org.jspecify.annotations.Nullable;

/**
 * Writes what the framework logs to a file in the run's directory while the run goes. Warnings go
 * to the error stream as well, in the same form.
 */
public final class RunLog implements AutoCloseable {

  private static final Duration BETWEEN_PROGRESS = Duration.ofSeconds(10);

  // The logging system would forget a logger, and its level, that nobody holds.
  private final Logger logger = Logger.getLogger("dev.grapevine");
  private final Logger run = Logger.getLogger("dev.grapevine.run");
  private final LogLevel level;
  private final @Nullable Level before = logger.getLevel();
  private final boolean passedOn = logger.getUseParentHandlers();
  private final Handler console;
  private @Nullable Handler file;
  private final List<Handler> others = new ArrayList<>();
  private long nextProgress = System.nanoTime();

  /**
   * @param errors takes warnings; a progress line may have to make way for them
   */
  public RunLog(LogLevel level, OutputStream errors) {
    this.level = level;
    this.console = new Flushed(errors);
    console.setLevel(Level.WARNING);
    logger.setUseParentHandlers(false);
    logger.setLevel(Level.FINE);
    logger.addHandler(console);
  }

  /** Begins to write; what was logged before is not in the file. */
  public void into(Path path) {
    if (level == LogLevel.OFF) {
      return;
    }
    try {
      Handler opened =
          new Flushed(
              Files.newOutputStream(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND));
      opened.setLevel(level.level());
      logger.addHandler(opened);
      file = opened;
    } catch (IOException e) {
      throw new UserException(
          "cannot write the log %s: %s".formatted(path, FileProblem.reason(e)), e);
    }
  }

  /** Takes lines for the log of another process. */
  public interface Elsewhere {
    void line(boolean isWarning, String text);
  }

  /** Passes on what is logged from now on, to where all processes of a run have one log. */
  public void passOn(Elsewhere elsewhere) {
    Handler passing =
        new Handler() {
          @Override
          public void publish(LogRecord record) {
            if (isLoggable(record)) {
              elsewhere.line(
                  record.getLevel().intValue() >= Level.WARNING.intValue(),
                  new SimpleFormatter().formatMessage(record));
            }
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    passing.setLevel(Level.INFO);
    logger.addHandler(passing);
    others.add(passing);
  }

  /** Notes something about the run as a whole. */
  public void info(String text) {
    log(Level.INFO, text);
  }

  /** Notes how far the run has got, now and then. */
  public synchronized void progress(Supplier<String> text) {
    long now = System.nanoTime();
    if (now - nextProgress >= 0) {
      nextProgress = now + BETWEEN_PROGRESS.toNanos();
      log(Level.INFO, text.get());
    }
  }

  /** Notes why the run ended before its time. */
  public void failure(Throwable thrown) {
    LogRecord record = new LogRecord(Level.SEVERE, "the run failed");
    record.setThrown(thrown);
    record.setLoggerName(run.getName());
    Handler opened = file;
    // The one who catches it tells the user.
    if (opened != null) {
      opened.publish(record);
    }
  }

  private void log(Level at, String text) {
    LogRecord record = new LogRecord(at, text);
    record.setLoggerName(run.getName());
    run.log(record);
  }

  @Override
  public void close() {
    logger.removeHandler(console);
    others.forEach(logger::removeHandler);
    Handler opened = file;
    if (opened != null) {
      logger.removeHandler(opened);
      opened.close();
      file = null;
    }
    logger.setLevel(before);
    logger.setUseParentHandlers(passedOn);
  }

  /** A run may be killed at any time; what was logged until then must be there. */
  private static final class Flushed extends StreamHandler {

    Flushed(OutputStream out) {
      super(out, new OneLine());
      try {
        setEncoding(StandardCharsets.UTF_8.name());
      } catch (IOException impossible) {
        throw new IllegalStateException(impossible);
      }
    }

    @Override
    public synchronized void publish(LogRecord record) {
      super.publish(record);
      flush();
    }
  }
}
