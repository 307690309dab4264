package dev.grapevine.app.trial;

/**
 * What was found out about one promise.
 *
 * @param verdict whether it is kept
 * @param promise what every part of the kind promises
 * @param detail how it was broken, or a figure; may be empty
 */
record Finding(Verdict verdict, String promise, String detail) {

  /** Whether a promise is kept. */
  enum Verdict {
    KEPT,
    BROKEN,
    /** Worth knowing; good parts differ in it. */
    NOTE
  }

  static Finding kept(String promise, String detail) {
    return new Finding(Verdict.KEPT, promise, detail);
  }

  static Finding broken(String promise, String detail) {
    return new Finding(Verdict.BROKEN, promise, detail);
  }

  static Finding note(String promise, String detail) {
    return new Finding(Verdict.NOTE, promise, detail);
  }

  /** Kept if {@code complaint} is empty. */
  static Finding of(String promise, String complaint) {
    return complaint.isEmpty() ? kept(promise, "") : broken(promise, complaint);
  }
}
