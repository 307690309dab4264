package dev.grapevine.runtime.churn;

import dev.grapevine.FileProblem;
import dev.grapevine.random.RandomStreams;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * When the phones of FedScale's availability trace ({@code client_behave_trace}) were there. The
 * trace is a pickled Python dictionary; read here is the same as JSON, an object of clients
 *
 * <pre>  {"1": {"active": [0, 700], "inactive": [300, 900], "finish_time": 1000}, …}</pre>
 *
 * in seconds: client 1 is there from {@code active[i]} to {@code inactive[i]}, and everything
 * repeats after {@code finish_time}, as in FedScale. Other keys ({@code duration}, {@code model})
 * are not looked at. {@code docs/failures.md} has the line of Python that writes it.
 */
@Kind(
    name = "fedscale",
    summary = "when phones were there, by FedScale's availability trace, as JSON",
    paper =
        "Lai et al.: FedScale: Benchmarking Model and System Performance of Federated Learning at"
            + " Scale, ICML 2022")
public final class FedScaleChurn implements Churn {

  /** The settings of {@link FedScaleChurn}. */
  public record Settings(
      @Doc(
              "JSON file: for each client the lists active and inactive and the number finish_time (s)")
          Path file,
      @Doc("draw which client a node is by the seed; otherwise node i is the i-th of the file")
          @Default("true")
          boolean shuffle,
      @Doc("how much faster time runs than in the trace: 60 makes a minute of an hour")
          @Default("1")
          double speedup,
      @Doc("what nodes come back with: memory, checkpoint, fresh or neighbour") @Default("memory")
          ComesBackWith with) {

    public Settings {
      SettingException.require(
          speedup > 0 && speedup <= 1e9, "speedup", "speedup must be positive: speedup=" + speedup);
    }
  }

  /** The shortest time after which all repeats, in ns. */
  private static final long SHORTEST = 1_000_000;

  private final Settings settings;
  private final List<Client> clients;

  /**
   * A client: there from {@code active[i]} to {@code inactive[i]}, in ns.
   *
   * @param period after which all repeats
   */
  private record Client(long[] active, long[] inactive, long period) {}

  public FedScaleChurn(Settings settings, ChurnContext context) {
    this.settings = settings;
    List<Client> all = read(settings);
    SettingException.require(
        !all.isEmpty(), "file", "%s has no clients".formatted(settings.file()));
    if (settings.shuffle()) {
      Collections.shuffle(all, RandomStreams.of(context.seed(), -1, "fedscale clients"));
    }
    clients = new ArrayList<>(context.nodes());
    for (int node = 0; node < context.nodes(); node++) {
      clients.add(all.get(node % all.size()));
    }
  }

  private static List<Client> read(Settings settings) {
    Path file = settings.file();
    List<Client> clients = new ArrayList<>();
    try (InputStream in = Files.newInputStream(file)) {
      JsonNode root = JsonMapper.shared().readTree(in);
      SettingException.require(
          root.isObject(),
          "file",
          "%s must hold an object of clients, as docs/failures.md says".formatted(file));
      root.properties()
          .forEach(each ->
              clients.add(client(each.getKey(), each.getValue(), settings.speedup(), file)));
    } catch (IOException e) {
      throw new SettingException(
          "file", "cannot read %s: %s".formatted(file, FileProblem.reason(e)));
    } catch (JacksonException e) {
      throw new SettingException(
          "file", "%s is not JSON: %s".formatted(file, e.getOriginalMessage()));
    }
    return clients;
  }

  private static Client client(String name, JsonNode json, double speedup, Path file) {
    long[] active = times(json.get("active"), speedup);
    long[] inactive = times(json.get("inactive"), speedup);
    JsonNode finish = json.get("finish_time");
    long period = finish == null ? 0 : nanos(finish.asDouble(0), speedup);
    boolean isRight = active.length == inactive.length && active.length > 0 && period > 0;
    for (int i = 0; i < active.length && isRight; i++) {
      long before = i == 0 ? 0 : inactive[i - 1];
      isRight = active[i] >= before && inactive[i] >= active[i] && inactive[i] <= period;
    }
    SettingException.require(
        isRight,
        "file",
        "client %s of %s must have as many rising times active as inactive, none of them after"
                .formatted(name, file)
            + " finish_time");
    SettingException.require(
        period >= SHORTEST,
        "file",
        ("client %s of %s comes and goes too fast: with speedup = %s, finish_time is %s s and must be"
                + " at least 0.001 s")
            .formatted(name, file, speedup, period / 1e9));
    Client client = joined(active, inactive, period);
    SettingException.require(
        client.active.length > 0,
        "file",
        "client %s of %s is never there: leave it out".formatted(name, file));
    return client;
  }

  /** Presences that touch are one, and those that last no time are none. */
  private static Client joined(long[] active, long[] inactive, long period) {
    int count = 0;
    for (int i = 0; i < active.length; i++) {
      if (active[i] == inactive[i]) {
        continue;
      }
      if (count > 0 && active[i] == inactive[count - 1]) {
        inactive[count - 1] = inactive[i];
      } else {
        active[count] = active[i];
        inactive[count] = inactive[i];
        count++;
      }
    }
    return new Client(Arrays.copyOf(active, count), Arrays.copyOf(inactive, count), period);
  }

  private static long[] times(@Nullable JsonNode list, double speedup) {
    long[] times = new long[list == null || !list.isArray() ? 0 : list.size()];
    for (int i = 0; i < times.length; i++) {
      times[i] = nanos(list == null ? -1 : list.get(i).asDouble(-1), speedup);
    }
    return times;
  }

  private static long nanos(double seconds, double speedup) {
    return Math.round(seconds * 1e9 / speedup);
  }

  @Override
  public Iterator<Absence> absences(int node) {
    return node < clients.size() ? new Gaps(clients.get(node)) : Churn.never();
  }

  @Override
  public Set<ComesBackWith> ways() {
    return Set.of(settings.with());
  }

  /** The time between two presences, over and over. */
  private final class Gaps implements Iterator<Absence> {

    private final Client client;
    private long presence;

    /** Of the absence that comes next; the first one may begin with the run. */
    private long from;

    Gaps(Client client) {
      this.client = client;
      if (start(0) == 0) {
        from = end(0);
        presence = 1;
      }
    }

    private long start(long at) {
      int count = client.active.length;
      return client.period * (at / count) + client.active[(int) (at % count)];
    }

    private long end(long at) {
      int count = client.active.length;
      return client.period * (at / count) + client.inactive[(int) (at % count)];
    }

    /** Whether the client is ever away. */
    @Override
    public boolean hasNext() {
      int count = client.active.length;
      return !(count == 1 && client.active[0] == 0 && client.inactive[0] == client.period);
    }

    @Override
    public Absence next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      // The last presence of a period and the first of the next may touch.
      while (start(presence) <= from) {
        from = Math.max(from, end(presence));
        presence++;
      }
      Absence absence =
          new Absence(new Moment(false, from), new Moment(false, start(presence)), settings.with());
      from = end(presence);
      presence++;
      return absence;
    }
  }
}
