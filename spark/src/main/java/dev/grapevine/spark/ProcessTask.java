package dev.grapevine.spark;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.FlatMapFunction;

/**
 * What an executor does: starts a process, waits for its end, and ends it when Spark wants the task
 * to end. Should the executor itself be killed, the end of its standard input ends the process.
 */
final class ProcessTask implements FlatMapFunction<Iterator<TaskStart>, TaskEnd>, Serializable {

  private static final long serialVersionUID = 1;

  /** How often a task looks whether Spark wants it to end, in ms. */
  private static final long GLANCE = 200;

  /** How long a worker may take to end by itself when its input has ended, in s. */
  private static final long NOTICE = 2;

  /** How long a process may take to end on request, in s. */
  private static final long GRACE = 10;

  @Override
  public Iterator<TaskEnd> call(Iterator<TaskStart> starts) throws Exception {
    List<TaskEnd> ends = new ArrayList<>();
    while (starts.hasNext()) {
      ends.add(run(starts.next()));
    }
    return ends.iterator();
  }

  private static TaskEnd run(TaskStart start) throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(start.command())
            .directory(new File(start.directory()))
            .redirectErrorStream(true);
    builder.environment().putAll(start.environment());
    // The executor's own settings are none of the process's business.
    builder.environment().remove("SPARK_HOME");
    builder.environment().remove("JAVA_OPTS");
    Process process = builder.start();
    StringBuffer lastWords = new StringBuffer();
    Thread reader =
        Thread.ofVirtual().name("task-" + start.task()).start(() -> relay(process, lastWords));
    OutputStream input = process.getOutputStream();
    try {
      tell(input, start.input());
      while (!process.waitFor(GLANCE, TimeUnit.MILLISECONDS)) {
        TaskContext context = TaskContext.get();
        if (context != null && context.isInterrupted()) {
          throw new InterruptedException("Spark has ended the task");
        }
      }
    } finally {
      close(input);
      end(process);
    }
    reader.join();
    return new TaskEnd(
        start.task(),
        InetAddress.getLocalHost().getHostName(),
        process.exitValue(),
        lastWords.toString());
  }

  /** A process that has ended need not have read its input; its exit code says what it was. */
  private static void tell(OutputStream input, byte[] bytes) {
    try {
      input.write(bytes);
      input.flush();
    } catch (IOException ended) {
      return;
    }
  }

  private static void close(OutputStream input) {
    try {
      input.close();
    } catch (IOException ended) {
      return;
    }
  }

  private static void end(Process process) {
    if (process.isAlive()) {
      try {
        // A worker whose input ends is lost; one who is asked to end would end the run for all.
        if (process.waitFor(NOTICE, TimeUnit.SECONDS)) {
          return;
        }
        process.destroy();
        if (!process.waitFor(GRACE, TimeUnit.SECONDS)) {
          process.destroyForcibly();
        }
      } catch (InterruptedException e) {
        process.destroyForcibly();
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Into the executor's log; the last line is told to the driver too. */
  private static void relay(Process process, StringBuffer lastWords) {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        System.out.println(line);
        if (!line.isBlank()) {
          lastWords.setLength(0);
          lastWords.append(line);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
