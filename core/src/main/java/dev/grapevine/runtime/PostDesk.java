package dev.grapevine.runtime;

import dev.grapevine.exchange.Desk;
import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.Message;
import dev.grapevine.message.Payload;
import dev.grapevine.runtime.fault.FaultPolicy;
import dev.grapevine.scratch.Scratch;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** What a node's secret sums stand on: its post, for messages that no protocol sees. */
final class PostDesk implements Desk {

  private final Plan plan;
  private final Host host;
  private final Account account;
  private final Post post;

  PostDesk(Plan plan, Host host, Account account, Post post) {
    this.plan = plan;
    this.host = host;
    this.account = account;
    this.post = post;
  }

  @Override
  public int node() {
    return host.id();
  }

  @Override
  public void send(int peer, int tag, int round, Payload payload) throws InterruptedException {
    post.send(peer, new Message(host.id(), tag, round, payload));
  }

  @Override
  public void onMessage(int tag, Handler handler) {
    host.onMessage(tag, message -> post.handle(message, handler::handle));
  }

  @Override
  public boolean await(BooleanSupplier condition, int patience) throws InterruptedException {
    FaultPolicy policy = plan.policy();
    long begin = host.now();
    long deadline =
        policy.missing() == FaultPolicy.Missing.WAIT
            ? Host.NEVER
            : Host.saturatedAdd(begin, policy.deadline().multipliedBy(patience).toNanos());
    boolean holds = host.await(condition, deadline);
    account.waitedSince(begin);
    return holds;
  }

  @Override
  public boolean isGone(int peer) {
    return host.isGone(peer, account.round());
  }

  @Override
  public void share(Consumer<Scratch> work) throws InterruptedException {
    post.share(work);
  }

  @Override
  public void reject(int sender, MalformedPayloadException complaint) {
    post.reject(sender, complaint);
  }

  @Override
  public long nanos() {
    return System.nanoTime();
  }

  @Override
  public void spend(long nanos) throws InterruptedException {
    host.spend(nanos);
  }
}
