package dev.grapevine.app.watch;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.grapevine.FileProblem;
import dev.grapevine.UserException;
import dev.grapevine.app.report.PageData;
import dev.grapevine.app.report.PageFile;
import dev.grapevine.launch.RunProgress;
import dev.grapevine.results.SavedRun;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Shows one run to browsers on this machine. Listens on the loopback address only and answers only
 * those who ask for it by that name, so that no page of the web can read along.
 */
public final class WatchServer implements AutoCloseable {

  private static final Duration BETWEEN_EVENTS = Duration.ofMillis(500);
  private static final Duration LAST_LOOK = Duration.ofSeconds(3);

  private final Path directory;
  private final HttpServer server;
  // Not virtual threads: a live run's nodes keep all carriers of those busy for seconds on end.
  private final ExecutorService threads =
      Executors.newCachedThreadPool(Thread.ofPlatform().daemon().name("watch-", 0).factory());
  private final CountDownLatch closed = new CountDownLatch(1);
  private final AtomicReference<@Nullable RunProgress> progress = new AtomicReference<>();
  private final AtomicInteger viewers = new AtomicInteger();
  private final Object graphLock = new Object();
  private @Nullable String page;
  private @Nullable String graph;

  private WatchServer(Path directory, HttpServer server) {
    this.directory = directory;
    this.server = server;
  }

  /**
   * Starts to serve.
   *
   * @param port 0 for any that is free
   */
  public static WatchServer start(Path directory, int port) {
    try {
      InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
      WatchServer watch = new WatchServer(directory, HttpServer.create(address, 0));
      watch.server.setExecutor(watch.threads);
      watch.server.createContext("/", watch::answer);
      watch.server.start();
      return watch;
    } catch (IOException e) {
      throw new UserException(
          "cannot show the page: %s; try another --port".formatted(FileProblem.reason(e)), e);
    }
  }

  /** What to type into a browser. */
  public String address() {
    return "http://localhost:" + server.getAddress().getPort() + "/";
  }

  /** How far the run has got, where the run goes in this process. */
  public void progress(RunProgress now) {
    progress.set(now);
  }

  /** Gives browsers that look on a moment to hear the last event. */
  public void awaitViewers() {
    long end = System.nanoTime() + LAST_LOOK.toNanos();
    try {
      while (viewers.get() > 0 && System.nanoTime() - end < 0) {
        TimeUnit.MILLISECONDS.sleep(50);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns when the thread is interrupted or the server closed. */
  public void awaitInterrupt() {
    try {
      closed.await();
    } catch (InterruptedException asked) {
      // That is what was waited for.
    }
  }

  @Override
  public void close() {
    closed.countDown();
    server.stop(0);
    threads.shutdownNow();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      if (!isLocal(exchange)) {
        send(exchange, 403, "text/plain", "ask for localhost\n");
        return;
      }
      switch (exchange.getRequestURI().getPath()) {
        case "/" -> send(exchange, 200, "text/html", page());
        case "/graph" -> send(exchange, 200, "application/json", graph());
        case "/events" -> sendEvents(exchange);
        default -> send(exchange, 404, "text/plain", "there is only / here\n");
      }
    }
  }

  private static boolean isLocal(HttpExchange exchange) {
    String host = exchange.getRequestHeaders().getFirst("Host");
    return host != null && host.matches("(localhost|127\\.0\\.0\\.1|\\[::1])(:\\d+)?");
  }

  private static void send(HttpExchange exchange, int status, String type, String text)
      throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", type + "; charset=utf-8");
    exchange.getResponseHeaders().set("Cache-Control", "no-store");
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  /** Without curves, which come as events, it is the same for everybody. */
  private synchronized String page() {
    if (page == null) {
      page = PageFile.html(PageData.live(SavedRun.readWithoutMetrics(directory)));
    }
    return page;
  }

  /** Apart from the page, which need not wait for it. */
  private String graph() {
    synchronized (graphLock) {
      if (graph == null) {
        graph =
            PageData.graph(SavedRun.readWithoutMetrics(directory))
                .map(PageFile.JSON::writeValueAsString)
                .orElse("null");
      }
      return graph;
    }
  }

  private void sendEvents(HttpExchange exchange) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
    exchange.getResponseHeaders().set("Cache-Control", "no-store");
    exchange.sendResponseHeaders(200, 0);
    viewers.incrementAndGet();
    try {
      OutputStream out = exchange.getResponseBody();
      Updates updates = new Updates(directory, rounds());
      while (!updates.isOver()) {
        Optional<Map<String, @Nullable Object>> update = updates.next(progress.get());
        // A comment now and then finds out whether anybody still listens.
        String text =
            update.map(event -> "data: " + PageFile.JSON.writeValueAsString(event)).orElse(":");
        out.write((text + "\n\n").getBytes(StandardCharsets.UTF_8));
        out.flush();
        if (!updates.isOver() && closed.await(BETWEEN_EVENTS.toMillis(), TimeUnit.MILLISECONDS)) {
          return;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      viewers.decrementAndGet();
    }
  }

  private int rounds() {
    try {
      return Integer.parseInt(SavedRun.settingsOf(directory).getOrDefault("rounds", "0"));
    } catch (NumberFormatException e) {
      return 0;
    }
  }
}
