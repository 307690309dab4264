package dev.grapevine.data.fetch;

import dev.grapevine.UserException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;

/**
 * One HTTP GET into a file, asking only for what the file lacks.
 *
 * @param address where from
 * @param file where to; what it holds already is kept when the server can go on from there
 * @param step what to call it in the progress
 */
record Download(String address, Path file, String step) {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  void run(Progress progress) throws IOException {
    Files.createDirectories(file.toAbsolutePath().getParent());
    long have = Files.exists(file) ? Files.size(file) : 0;
    HttpRequest.Builder request = request().timeout(PATIENCE).GET();
    if (have > 0) {
      request.header("Range", "bytes=" + have + "-");
    }
    HttpClient.Builder settings =
        HttpClient.newBuilder()
            .followRedirects(HttpClient.Redirect.NORMAL)
            .connectTimeout(PATIENCE);
    if (ProxySelector.getDefault() != null) {
      settings.proxy(ProxySelector.getDefault());
    }
    try (HttpClient client = settings.build()) {
      HttpResponse<InputStream> response =
          client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
      try (InputStream body = response.body()) {
        receive(response.statusCode(), length(response), body, have, progress);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new UserException(step + " was interrupted; start it again to go on", interrupted);
    } catch (IOException failure) {
      throw new UserException(
          "%s failed: address=%s (%s); start it again to go on from where it stopped"
              .formatted(step, address, failure),
          failure);
    }
  }

  private HttpRequest.Builder request() {
    try {
      return HttpRequest.newBuilder(URI.create(address));
    } catch (IllegalArgumentException nonsense) {
      throw new UserException(
          "%s failed: \"%s\" is no address to fetch from; check the registry setting"
              .formatted(step, address),
          nonsense);
    }
  }

  private void receive(int status, long length, InputStream body, long have, Progress progress)
      throws IOException {
    switch (status) {
      case 200 -> copy(body, 0, length, progress);
      case 206 -> copy(body, have, length < 0 ? -1 : have + length, progress);
      // Range not satisfiable: the file is complete (or wrong, which its checksum will say).
      case 416 -> progress.update(step, have, have);
      default ->
          throw new UserException(
              "%s failed: address=%s, status=%d; check the registry setting"
                  .formatted(step, address, status));
    }
  }

  private void copy(InputStream body, long from, long total, Progress progress) throws IOException {
    StandardOpenOption mode =
        from == 0 ? StandardOpenOption.TRUNCATE_EXISTING : StandardOpenOption.APPEND;
    try (OutputStream out = Files.newOutputStream(file, StandardOpenOption.CREATE, mode)) {
      byte[] buffer = new byte[1 << 16];
      long done = from;
      for (int count = body.read(buffer); count >= 0; count = body.read(buffer)) {
        out.write(buffer, 0, count);
        done += count;
        progress.update(step, done, total);
      }
      if (total >= 0 && done != total) {
        throw new IOException("the connection ended early: bytes=%d of %d".formatted(done, total));
      }
    }
  }

  private static long length(HttpResponse<?> response) {
    return response.headers().firstValueAsLong("Content-Length").orElse(-1);
  }
}
