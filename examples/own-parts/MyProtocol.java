import dev.grapevine.node.Node;
import dev.grapevine.protocol.Protocol;
import dev.grapevine.protocol.ProtocolContext;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.SettingException;

/**
 * An own protocol in one file: like D-PSGD, but a node talks only every {@code quiet}-th round. The
 * code is straight-line and blocking; it runs on the wall clock and on the virtual one alike.
 */
public final class MyProtocol implements Protocol {

  /** The keys of the table [protocol] next to {@code kind}. */
  public record Settings(@Doc("talk every so many rounds, at least 1") @Default("2") int quiet) {
    public Settings {
      SettingException.require(quiet >= 1, "quiet", "quiet must be at least 1: quiet=" + quiet);
    }
  }

  private final int quiet;

  public MyProtocol(Settings settings, ProtocolContext context) {
    this.quiet = settings.quiet();
  }

  @Override
  public void run(Node self) throws InterruptedException {
    for (int round = self.firstRound(); round < self.rounds(); round++) {
      self.train();
      if (round % quiet == quiet - 1) {
        self.mix(round);
      }
      self.evaluate(round);
    }
  }
}
