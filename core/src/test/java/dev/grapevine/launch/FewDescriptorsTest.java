package dev.grapevine.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.grapevine.experiment.Experiment;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A run over TCP that may open few files, while strangers hold as many connections as they can. */
class FewDescriptorsTest {

  private static final int NODES = 12;
  private static final int STRANGERS = 300;

  /** The virtual machine needs some forty; 132 ends of links would need more than are left. */
  private static final int DESCRIPTORS = 84;

  @TempDir private Path folder;

  private static Experiment experiment(String transport) {
    return Experiment.parse(
            """
            name = "few"
            rounds = 30
            [nodes]
            count = %d
            [topology]
            kind = "fully-connected"
            [data]
            set = "blobs"
            [model]
            kind = "logistic"
            [evaluation]
            every = 5
            [checkpoint]
            every = 5
            [runtime]
            kind = "live"
            """
                .formatted(NODES))
        .with("network.transport", '"' + transport + '"');
  }

  /** The process: tells when it is in its first round, and goes on when it is told to. */
  public static void main(String[] arguments) {
    AtomicBoolean told = new AtomicBoolean();
    Run.of(experiment("tcp"))
        .into(Path.of(arguments[0]))
        .savesModels(true)
        .listener(progress -> {
          if (!told.getAndSet(true)) {
            System.out.println("round");
            try {
              System.in.read();
            } catch (IOException e) {
              throw new IllegalStateException(e);
            }
          }
        })
        .start();
  }

  @Test
  @Timeout(120)
  void endsAsIfNobodyWereThere() throws Exception {
    assumeTrue(Files.exists(Path.of("/proc/net/tcp")), "needs /proc");
    Path whole = folder.resolve("whole");
    Run.of(experiment("memory")).into(whole).savesModels(true).sharesProcess(true).start();
    Path run = folder.resolve("run");
    Process process = start(run);
    List<SocketChannel> strangers = new ArrayList<>();
    try (BufferedReader said = process.inputReader()) {
      assertThat(said.readLine()).isEqualTo("round");
      InetSocketAddress door =
          new InetSocketAddress(InetAddress.getLoopbackAddress(), portOf(process.pid()));
      for (int i = 0; i < STRANGERS; i++) {
        strangers.add(SocketChannel.open(door));
      }
      process.getOutputStream().write('\n');
      process.getOutputStream().flush();
      assertThat(process.waitFor()).isZero();
    } finally {
      process.destroyForcibly();
      for (SocketChannel stranger : strangers) {
        stranger.close();
      }
    }
    assertThat(Files.readString(run.resolve("summary.json"))).contains("\"done\"");
    assertThat(run.resolve("links.csv")).exists();
    for (int node = 0; node < NODES; node++) {
      Path model = Path.of("models/node-" + node + ".safetensors");
      assertThat(run.resolve(model)).hasSameBinaryContentAs(whole.resolve(model));
    }
  }

  private static Process start(Path directory) throws IOException {
    List<String> command = new ArrayList<>();
    command.addAll(List.of("sh", "-c", "ulimit -n %d; exec \"$@\"".formatted(DESCRIPTORS), "sh"));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // Kernels of another sort round in another way.
    if (ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent()) {
      command.addAll(List.of("--add-modules", "jdk.incubator.vector"));
    }
    command.addAll(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.addAll(List.of(FewDescriptorsTest.class.getName(), directory.toString()));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
  }

  /** Where a process listens. */
  private static int portOf(long pid) throws IOException {
    Set<String> sockets = new HashSet<>();
    try (Stream<Path> open = Files.list(Path.of("/proc/%d/fd".formatted(pid)))) {
      for (Path each : open.toList()) {
        try {
          sockets.add(Files.readSymbolicLink(each).toString());
        } catch (NoSuchFileException closed) {
          // Its process opens and closes files meanwhile; the one that is looked for stays.
          continue;
        }
      }
    }
    for (String table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
      for (String line : Files.readAllLines(Path.of(table))) {
        String[] columns = line.strip().split("\\s+");
        // Column 3 is the state, 0A for one that listens, and 9 the number of the socket.
        if (columns[3].equals("0A") && sockets.contains("socket:[" + columns[9] + "]")) {
          return Integer.parseInt(columns[1].substring(columns[1].indexOf(':') + 1), 16);
        }
      }
    }
    throw new IllegalStateException("it does not listen: pid=" + pid);
  }
}
