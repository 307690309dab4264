package dev.grapevine.cluster;

import dev.grapevine.FileProblem;
import dev.grapevine.UserException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where workers find the coordinator: a host and port, or a directory that all of them see. */
public sealed interface Rendezvous {

  /** Where the coordinator is, as far as can be told now. */
  Optional<InetSocketAddress> address();

  /** A host and port. */
  record At(String host, int port) implements Rendezvous {

    @Override
    public Optional<InetSocketAddress> address() {
      return Optional.of(new InetSocketAddress(host, port));
    }

    @Override
    public String toString() {
      return host + ":" + port;
    }
  }

  /** A directory, into which the coordinator writes where it is. */
  record In(Path directory) implements Rendezvous {

    private static final Pattern ADDRESS =
        Pattern.compile(
            "\\{\\s*\"host\"\\s*:\\s*\"([^\"]+)\"\\s*,\\s*\"port\"\\s*:\\s*(\\d{1,5})\\s*}\\s*");

    /** The file that says where the coordinator is. */
    public Path file() {
      return directory.resolve("rendezvous.json");
    }

    /** The file with the secret of the run, which its owner alone can read. */
    public Path secretFile() {
      return directory.resolve("secret");
    }

    @Override
    public Optional<InetSocketAddress> address() {
      try {
        Matcher match = ADDRESS.matcher(Files.readString(file()));
        return match.matches()
            ? Optional.of(new InetSocketAddress(match.group(1), Integer.parseInt(match.group(2))))
            : Optional.empty();
      } catch (IOException notYet) {
        return Optional.empty();
      }
    }

    /** Says where the coordinator is. */
    public void publish(String host, int port) {
      Path partial = directory.resolve("rendezvous.json.partial");
      try {
        Files.createDirectories(directory);
        Files.writeString(partial, "{\"host\": \"%s\", \"port\": %d}\n".formatted(host, port));
        Files.move(
            partial,
            file(),
            java.nio.file.StandardCopyOption.ATOMIC_MOVE,
            java.nio.file.StandardCopyOption.REPLACE_EXISTING);
      } catch (IOException e) {
        throw new UserException(
            "cannot write %s, where the workers are to meet: %s"
                .formatted(file(), FileProblem.reason(e)),
            e);
      }
    }

    /** Takes it back, so that nobody looks for a run that is over. */
    public void withdraw() {
      try {
        Files.deleteIfExists(file());
        Files.deleteIfExists(secretFile());
      } catch (IOException e) {
        // One who reads it finds nobody there, and waits.
        return;
      }
    }

    @Override
    public String toString() {
      return directory.toString();
    }
  }

  /** {@code HOST:PORT}, or else a directory. */
  static Rendezvous parse(String text) {
    Matcher match = Pattern.compile("\\[?([^\\[\\]/]+?)]?:(\\d+)").matcher(text);
    if (!match.matches()) {
      return new In(Path.of(text));
    }
    String port = match.group(2);
    if (port.length() > 5 || Integer.parseInt(port) < 1 || Integer.parseInt(port) > 65535) {
      throw new UserException(
          "workers meet at a port from 1 to 65535, or in a directory (./%s, if that is one): %s"
              .formatted(text, text));
    }
    return new At(match.group(1), Integer.parseInt(port));
  }
}
