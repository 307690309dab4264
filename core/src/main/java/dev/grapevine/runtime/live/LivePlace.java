package dev.grapevine.runtime.live;

import dev.grapevine.runtime.RunningNode;

/** A node of this process and what it stands on; every life has a thread of its own. */
final class LivePlace {

  private final LiveHost host;
  private final RunningNode node;
  private volatile Thread thread;

  LivePlace(LiveHost host, RunningNode node, Thread thread) {
    this.host = host;
    this.node = node;
    this.thread = thread;
  }

  LiveHost host() {
    return host;
  }

  RunningNode node() {
    return node;
  }

  /** That of its present life. */
  Thread thread() {
    return thread;
  }

  /** Begins another life. */
  void start(Thread life) {
    thread = life;
    life.start();
  }
}
