package dev.grapevine.data.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.grapevine.UserException;
import dev.grapevine.data.format.Checksum;
import dev.grapevine.random.SplitMix;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NpmPackageTest {

  /** What the server does with a request. */
  private enum Behaviour {
    HONEST,
    WITHOUT_RANGES,
    CUTS_OFF,
    MISSING
  }

  @TempDir Path folder;

  private final List<String> requests = new ArrayList<>();
  private byte[] archive = new byte[0];
  private Behaviour behaviour = Behaviour.HONEST;
  private HttpServer server;
  private DataDirectory directory;

  @BeforeEach
  void start() throws IOException {
    archive = archive(Map.of("package/data/a.txt", "hello"));
    directory = new DataDirectory(folder);
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          String range = exchange.getRequestHeaders().getFirst("Range");
          requests.add(exchange.getRequestURI() + (range == null ? "" : " " + range));
          int from =
              range == null || behaviour == Behaviour.WITHOUT_RANGES
                  ? 0
                  : Integer.parseInt(range.replaceAll("\\D", ""));
          if (behaviour == Behaviour.MISSING) {
            exchange.sendResponseHeaders(404, -1);
          } else if (from >= archive.length) {
            exchange.sendResponseHeaders(416, -1);
          } else {
            exchange.sendResponseHeaders(from > 0 ? 206 : 200, archive.length - from);
            int length = archive.length - from;
            exchange
                .getResponseBody()
                .write(archive, from, behaviour == Behaviour.CUTS_OFF ? length / 2 : length);
          }
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void downloadsChecksAndUnpacks() throws IOException {
    List<Long> progress = new ArrayList<>();
    Path file =
        pack("@scope/name", archive)
            .download(registry(), directory, (step, done, total) -> progress.add(done));
    assertThat(requests).containsExactly("/@scope/name/-/name-1.0.tgz");
    assertThat(progress.getLast()).isEqualTo(archive.length);
    Map<String, String> files = new LinkedHashMap<>();
    NpmPackage.unpack(
        file,
        (path, content) ->
            files.put(path, new String(content.readAllBytes(), StandardCharsets.UTF_8)));
    assertThat(files).containsExactly(Map.entry("data/a.txt", "hello"));
  }

  @Test
  void goesOnWhereADownloadWasCutOff() throws IOException {
    behaviour = Behaviour.CUTS_OFF;
    NpmPackage pack = pack("name", archive);
    assertThatThrownBy(() -> pack.download(registry(), directory, Progress.SILENT))
        .isInstanceOf(UserException.class)
        .hasMessageContaining("start it again to go on");
    // How much of the answer arrived before it was cut off is up to chance; say it here.
    Path left = directory.unfinished("name-1.0.tgz");
    Files.write(left, Arrays.copyOf(archive, 20));
    behaviour = Behaviour.HONEST;
    Path file = pack.download(registry(), directory, Progress.SILENT);
    assertThat(requests.getLast()).endsWith("bytes=20-");
    assertThat(Files.readAllBytes(file)).isEqualTo(archive);
  }

  @Test
  void startsAfreshWhenTheServerCannotGoOnOrWhatIsThereIsWrong() throws IOException {
    NpmPackage pack = pack("name", archive);
    Path left = directory.unfinished("name-1.0.tgz");
    Files.createDirectories(left.getParent());
    Files.write(left, Arrays.copyOf(archive, 20));
    behaviour = Behaviour.WITHOUT_RANGES;
    assertThat(Files.readAllBytes(pack.download(registry(), directory, Progress.SILENT)))
        .isEqualTo(archive);
    behaviour = Behaviour.HONEST;
    Files.write(left, new byte[30]);
    assertThat(Files.readAllBytes(pack.download(registry(), directory, Progress.SILENT)))
        .isEqualTo(archive);
    Files.write(left, new byte[archive.length + 5]);
    assertThat(Files.readAllBytes(pack.download(registry(), directory, Progress.SILENT)))
        .isEqualTo(archive);
  }

  @Test
  void keepsNothingOfAPackageThatIsNotThePinnedOne() {
    NpmPackage other = pack("name", new byte[] {1});
    assertThatThrownBy(() -> other.download(registry(), directory, Progress.SILENT))
        .isInstanceOf(UserException.class)
        .hasMessageContaining("name@1.0: wrong checksum");
    assertThat(directory.unfinished("name-1.0.tgz")).doesNotExist();
  }

  @Test
  void saysWhatTheRegistryAnswered() {
    behaviour = Behaviour.MISSING;
    assertThatThrownBy(() -> pack("name", archive).download(registry(), directory, Progress.SILENT))
        .hasMessageContaining("status=404");
    server.stop(0);
    assertThatThrownBy(() -> pack("name", archive).download(registry(), directory, Progress.SILENT))
        .isInstanceOf(UserException.class)
        .hasMessageContaining("failed: address=");
  }

  @Test
  void mutatedArchivesAreReadOrRefused() throws IOException {
    byte[] tar = tar(Map.of("package/a", "x".repeat(700), "package/b", "y"));
    SplitMix random = new SplitMix(3);
    for (int trial = 0; trial < 3000; trial++) {
      byte[] mutated = dev.grapevine.data.format.Mutations.of(tar, random);
      try {
        TarReader.read(
            new ByteArrayInputStream(mutated),
            "f",
            (path, size, content) ->
                assertThat((long) content.readAllBytes().length).isLessThanOrEqualTo(size));
      } catch (UserException expected) {
        assertThat(expected).hasMessageStartingWith("f: damaged archive");
      } catch (IOException cutOff) {
        assertThat(cutOff).isInstanceOf(java.io.EOFException.class);
      }
    }
  }

  @Test
  void findsTheRegistryInTheEnvironmentThenInTheFiles() throws IOException {
    Files.writeString(folder.resolve(".npmrc"), "a=b\nregistry = http://in.file/npm/\n");
    List<Path> folders = List.of(folder.resolve("absent"), folder);
    assertThat(NpmRegistry.address(Map.of("npm_config_registry", "http://in.env/"), folders))
        .isEqualTo("http://in.env");
    assertThat(NpmRegistry.address(Map.of(), folders)).isEqualTo("http://in.file/npm");
  }

  private String registry() {
    return "http://%s:%d"
        .formatted(
            server.getAddress().getAddress().getHostAddress(), server.getAddress().getPort());
  }

  private static NpmPackage pack(String name, byte[] content) {
    byte[] digest = Checksum.digest("SHA-512").digest(content);
    return new NpmPackage(name, "1.0", Base64.getEncoder().encodeToString(digest));
  }

  private static byte[] archive(Map<String, String> files) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(tar(files));
    }
    return out.toByteArray();
  }

  private static byte[] tar(Map<String, String> files) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (var file : new java.util.TreeMap<>(files).entrySet()) {
      byte[] content = file.getValue().getBytes(StandardCharsets.UTF_8);
      byte[] header = new byte[512];
      byte[] name = file.getKey().getBytes(StandardCharsets.UTF_8);
      System.arraycopy(name, 0, header, 0, name.length);
      byte[] size = "%011o".formatted(content.length).getBytes(StandardCharsets.US_ASCII);
      System.arraycopy(size, 0, header, 124, size.length);
      header[156] = '0';
      out.write(header);
      out.write(Arrays.copyOf(content, Math.ceilDiv(content.length, 512) * 512));
    }
    out.write(new byte[1024]);
    return out.toByteArray();
  }
}
