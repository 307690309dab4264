package dev.grapevine.app.identity;

import dev.grapevine.security.CertifiedParty;
import dev.grapevine.security.WorkerIdentity;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows what an identity says, never its key. */
@Command(
    name = "show",
    description = "Show whom an identity names, who vouches for it and how long.",
    mixinStandardHelpOptions = true)
final class ShowCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "FILE", description = "A PKCS#12 file.")
  private Path file;

  @Override
  public Integer call() {
    WorkerIdentity identity = WorkerIdentity.load(file);
    X509Certificate certificate = identity.certificate();
    PrintWriter print = spec.commandLine().getOut();
    line(
        print,
        "of",
        identity.party().map(CertifiedParty::toString).orElseGet(() -> subject(certificate)));
    line(print, "vouched by", identity.authority().map(ShowCommand::subject).orElse("itself"));
    line(print, "valid from", certificate.getNotBefore().toInstant().toString());
    line(print, "until", certificate.getNotAfter().toInstant().toString());
    line(print, "fingerprint", WorkerIdentity.fingerprint(certificate));
    print.flush();
    return 0;
  }

  private static String subject(X509Certificate certificate) {
    return certificate.getSubjectX500Principal().getName();
  }

  private static void line(PrintWriter print, String name, String value) {
    print.println("%-14s%s".formatted(name, value));
  }
}
