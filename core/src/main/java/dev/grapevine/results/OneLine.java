package dev.grapevine.results;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.logging.Formatter;
import java.util.logging.Level;
import java.util.logging.LogRecord;

/**
 * One line of a log a message: {@code 2026-01-31T12:00:00.000Z WARNING runtime: node 3 is late}.
 * Further lines of a message, such as a stack trace, begin with a tab.
 */
public final class OneLine extends Formatter {

  private static final String COMMON = "dev.grapevine.";

  /** Formats a line at once: where there is trouble, what it takes may not be loaded any more. */
  public OneLine() {
    format(new LogRecord(Level.WARNING, ""));
  }

  @Override
  public String format(LogRecord record) {
    String text = formatMessage(record);
    Throwable thrown = record.getThrown();
    if (thrown != null) {
      StringWriter trace = new StringWriter();
      thrown.printStackTrace(new PrintWriter(trace, true));
      text += "\n" + trace.toString().replace("\t", "").strip();
    }
    String name = String.valueOf(record.getLoggerName());
    return "%s %-7s %s: %s\n"
        .formatted(
            record.getInstant().truncatedTo(ChronoUnit.MILLIS),
            level(record.getLevel()),
            name.startsWith(COMMON) ? name.substring(COMMON.length()) : name,
            text.strip().replace("\r", "").replace("\n", "\n\t"));
  }

  /** The names of the platform's {@link System.Logger}, by which the option goes as well. */
  private static String level(Level level) {
    return (level.intValue() >= Level.SEVERE.intValue()
            ? "error"
            : level.intValue() >= Level.WARNING.intValue()
                ? "warning"
                : level.intValue() >= Level.INFO.intValue() ? "info" : "debug")
        .toUpperCase(Locale.ROOT);
  }
}
