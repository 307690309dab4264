package dev.grapevine.app.identity;

import dev.grapevine.security.Authority;
import dev.grapevine.security.CertifiedParty;
import dev.grapevine.security.WorkerIdentity;
import java.io.PrintWriter;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What is alike in issuing any identity. */
final class Issuing {

  @Option(
      names = "--authority",
      paramLabel = "DIR",
      defaultValue = "authority",
      description = "The authority that vouches for it (default: authority).")
  private Path authority;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "The PKCS#12 file to write (default: NAME.p12 here).")
  private @Nullable Path out;

  @Mixin private Validity validity = new Validity();

  int issue(CertifiedParty party, String name, PrintWriter print) {
    Path file = out == null ? Path.of(name + ".p12") : out;
    WorkerIdentity identity = Authority.load(authority).issue(party, validity.duration());
    identity.write(file);
    print.println("%-14s%s (%s; its owner alone can read it)".formatted("identity", file, party));
    print.println(
        "%-14s%s".formatted("fingerprint", WorkerIdentity.fingerprint(identity.certificate())));
    print.flush();
    return 0;
  }
}
