package dev.grapevine.cluster;

import dev.grapevine.runtime.Company;
import dev.grapevine.runtime.Outcome;
import dev.grapevine.security.LinkSecurity;
import java.net.InetAddress;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Looks after the workers of a run: lets them join, tells them to begin, notices who is lost and
 * when all are done, and gathers what they report. What it knows of the run is its {@link
 * Oversight}, which belongs to the thread that {@link #run runs} it; others only leave it notes.
 */
public final class Coordinator implements AutoCloseable {

  private static final long GLANCE = 50;

  /**
   * How the run ended.
   *
   * @param exitCode with what the launcher and all workers end
   * @param peakMemory the most memory that the workers held, together
   */
  public record Result(Company.Verdict verdict, int exitCode, Duration wallTime, long peakMemory) {}

  private final LinkedBlockingQueue<Consumer<Oversight>> notes = new LinkedBlockingQueue<>();
  private final Reception reception;
  private final boolean certified;
  private final String session = UUID.randomUUID().toString();
  private final long opened = System.nanoTime();

  /**
   * Begins to listen; who comes waits until the coordinator {@link #run runs}.
   *
   * @param address the interface to listen on
   * @param port 0 for a free one
   */
  public Coordinator(LinkSecurity security, InetAddress address, int port) {
    this.certified = security.isCertified();
    this.reception = new Reception(security, address, port, notes::add);
  }

  /** Where workers reach it. */
  public int port() {
    return reception.port();
  }

  /** Whether who joins is vouched for by an authority, and not by the run's secret alone. */
  public boolean isCertified() {
    return certified;
  }

  /** A name for this run of all workers, never used again. */
  public String session() {
    return session;
  }

  /** Looks after the run to its end; an interrupt stops it. */
  public Result run(Terms terms, Gathering gathering) {
    Oversight oversight = new Oversight(session, terms, gathering, opened, notes::add);
    while (!oversight.hasEnded()) {
      try {
        Consumer<Oversight> note = notes.poll(GLANCE, TimeUnit.MILLISECONDS);
        while (note != null) {
          note.accept(oversight);
          note = notes.poll();
        }
      } catch (InterruptedException e) {
        oversight.stopInterrupted();
      }
      oversight.look(System.nanoTime());
    }
    return oversight.result();
  }

  /** Ends the run for all; may be called by any thread. */
  public void end(Outcome.Ending how, String reason, int code) {
    notes.add(oversight -> oversight.stop(how, reason, code));
  }

  /** Has the run saved at the next end of a round, and ends it then; from any thread. */
  public void saveAndStop() {
    notes.add(Oversight::saveAndStop);
  }

  /** A cut is on disk, or has come to nothing; may be called by any thread. */
  public void saved(int rounds) {
    notes.add(oversight -> oversight.saved(rounds));
  }

  /**
   * The process of a worker has ended; may be called by any thread.
   *
   * @param words the last that it said, or empty
   */
  public void processEnded(int rank, String host, OptionalInt code, String words) {
    notes.add(oversight -> oversight.processEnded(rank, host, code, words));
  }

  /** Lets nobody in any more and leaves those who are still there. */
  @Override
  public void close() {
    reception.close();
  }
}
