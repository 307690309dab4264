package dev.grapevine.results;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What this machine is called. */
public final class HostName {

  private HostName() {}

  /** The name; asks no name server, which may take long. */
  public static String here() {
    try {
      String name = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
      if (!name.isEmpty()) {
        return name;
      }
    } catch (IOException notLinux) {
      // Other systems tell it otherwise.
    }
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException nameless) {
      return "localhost";
    }
  }
}
