package dev.grapevine.runtime.fault;

/** What can go wrong with a node on purpose, to see how a protocol takes it. */
public enum Fault {
  /** Its training throws. */
  THROWS,
  /** It stops without a word. */
  STOPS_SILENTLY,
  /** Its payloads are random bytes. */
  SENDS_GARBAGE,
  /** All numbers in its payloads are none: a model that has diverged, or an attack. */
  SENDS_NAN,
  /** Its messages carry the number of another round. */
  SENDS_WRONG_ROUND,
  /** It sends every message twice. */
  SENDS_TWICE,
  /** It takes {@link InjectedFault#delay} longer to train. */
  IS_SLOW;

  /** Whether it shows before a round's training rather than in what is sent after it. */
  boolean beforeTraining() {
    return this == THROWS || this == STOPS_SILENTLY || this == IS_SLOW;
  }
}
