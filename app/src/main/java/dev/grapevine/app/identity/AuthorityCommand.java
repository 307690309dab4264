package dev.grapevine.app.identity;

import dev.grapevine.security.Authority;
import dev.grapevine.security.WorkerIdentity;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Makes an authority. */
@Command(
    name = "authority",
    description = "Make an authority that vouches for workers.",
    mixinStandardHelpOptions = true)
final class AuthorityCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "authority",
      description = "Where its key and certificate go (default: authority).")
  private Path out;

  @Mixin private Validity validity = new Validity();

  @Override
  public Integer call() {
    Authority authority = Authority.create(validity.duration());
    authority.write(out);
    PrintWriter print = spec.commandLine().getOut();
    print.println(
        "%-14s%s (keep it, show it to nobody)".formatted("key", out.resolve(Authority.KEY_FILE)));
    print.println("%-14s%s".formatted("certificate", out.resolve(Authority.CERTIFICATE_FILE)));
    print.println(
        "%-14s%s".formatted("fingerprint", WorkerIdentity.fingerprint(authority.certificate())));
    print.println("Then, for each worker:  grapevine identity worker 0 --authority " + out);
    print.flush();
    return 0;
  }
}
