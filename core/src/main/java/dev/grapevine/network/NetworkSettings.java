package dev.grapevine.network;

import dev.grapevine.settings.Choice;
import dev.grapevine.settings.DataSize;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.SettingException;

/**
 * The table {@code [network]}.
 *
 * @param transport how messages travel in a live run
 * @param link how long they take in a simulated one
 * @param shaped whether they take as long in a live one
 * @param payloadLimit the largest payload that a TCP link accepts
 * @param openLinks how many TCP connections are kept open
 */
public record NetworkSettings(
    @Doc("how messages travel in a live run: memory or tcp") @Default("memory")
        TransportKind transport,
    @Doc("how long messages take in a simulated run, and in a live one that is shaped")
        @Default("latency")
        Choice<LinkContext, LinkModel> link,
    @Doc("whether delay and upload of link hold messages back in a live run too") @Default("false")
        boolean shaped,
    @Doc("the largest payload accepted, at most 2047 MiB") @Default("256 MiB")
        DataSize payloadLimit,
    @Doc("TCP connections kept open; beyond that, unused ones are closed") @Default("4000")
        int openLinks) {

  /** How messages travel in a live run. */
  public enum TransportKind {
    MEMORY,
    TCP
  }

  public NetworkSettings {
    SettingException.require(
        payloadLimit.bytes() >= 1 && payloadLimit.bytes() <= 2047L << 20,
        "payload-limit",
        "payload-limit must be from 1 B to 2047 MiB: payload-limit=" + payloadLimit);
    SettingException.require(
        openLinks >= 1, "open-links", "open-links must be positive: open-links=" + openLinks);
  }
}
