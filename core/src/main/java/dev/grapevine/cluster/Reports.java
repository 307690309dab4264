package dev.grapevine.cluster;

import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.runtime.report.ModelSum;

/** What workers report of their nodes, checked, put in order and handed on. */
final class Reports {

  private final Placement placement;
  private final Gathering gathering;
  private final Timeline timeline = new Timeline();
  private long peakMemory;

  Reports(Placement placement, Gathering gathering) {
    this.placement = placement;
    this.gathering = gathering;
  }

  void take(Member member, Control.Events told) {
    told.events().forEach(event -> requireOwn(member, event));
    timeline.add(told.events());
    member.until(told.until());
  }

  private void requireOwn(Member member, Event event) {
    int node = event.node();
    int[] workerOf = placement.workerOf();
    if (node < 0 || node >= workerOf.length || workerOf[node] != member.rank()) {
      throw new MalformedPayloadException("node %d is not its own".formatted(node));
    }
  }

  void take(Member member, Control.Sum sum) {
    gathering.sum(
        member.rank(),
        new ModelSum(
            sum.round(), sum.count(), sum.finite(), sum.squares(), sum.total(), sum.statistics()),
        sum.now());
  }

  void take(Member member, Control.Line line) {
    gathering.line(
        "%d %s".formatted(member.rank(), member.join().host()), line.isWarning(), line.text());
  }

  void take(Member member, Control.File file) {
    gathering.file(member.rank(), file.name(), file.isLast(), file.bytes());
  }

  /** All is told. */
  void take(Member member, Control.Bye bye) {
    member.setSaidBye();
    member.until(Long.MAX_VALUE);
    peakMemory += bye.peakMemory();
  }

  /** Hands on what happened up to a time, in order. */
  void until(long time) {
    timeline.until(time).forEach(gathering::event);
  }

  /** The most memory that those held who have told all. */
  long peakMemory() {
    return peakMemory;
  }
}
