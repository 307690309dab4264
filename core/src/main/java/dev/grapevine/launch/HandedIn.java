package dev.grapevine.launch;

import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.results.RunDirectory;
import dev.grapevine.results.WriteFailure;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Files that workers hand in piece by piece: the final models of their nodes, and nothing else. */
final class HandedIn implements AutoCloseable {

  private static final Pattern MODEL = Pattern.compile("models/node-(\\d{1,9})\\.safetensors");

  private final RunDirectory target;
  private final int[] workerOf;
  private final Map<Integer, OutputStream> open = new HashMap<>();

  HandedIn(RunDirectory target, int[] workerOf) {
    this.target = target;
    this.workerOf = workerOf;
  }

  /** What a node's model is called when it is handed in. */
  static String model(int node) {
    return "models/node-%d.safetensors".formatted(node);
  }

  void take(int worker, String name, boolean isLast, byte[] bytes) {
    Matcher match = MODEL.matcher(name);
    int node = match.matches() ? Integer.parseInt(match.group(1)) : -1;
    if (node < 0 || node >= workerOf.length || workerOf[node] != worker) {
      throw new MalformedPayloadException(
          "worker %d hands in what is not its own: %s".formatted(worker, name));
    }
    Path file = target.modelFile(node);
    Path partial = file.resolveSibling(file.getFileName() + ".partial");
    try {
      OutputStream out = open.get(node);
      if (out == null) {
        out = Files.newOutputStream(partial);
        open.put(node, out);
      }
      out.write(bytes);
      if (isLast) {
        out.close();
        open.remove(node);
        Files.move(partial, file, StandardCopyOption.REPLACE_EXISTING);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(
          "cannot write %s: %s".formatted(file, WriteFailure.text(e)), e);
    }
  }

  @Override
  public void close() {
    for (OutputStream out : open.values()) {
      try {
        out.close();
      } catch (IOException e) {
        // What is not whole keeps its name as a part.
        continue;
      }
    }
  }
}
