package dev.grapevine.app.reproduce;

import java.util.Locale;

/** How much of a published experiment is run. */
enum Scale {
  /** A reduction that two cores finish in minutes to an hour. */
  LAPTOP,
  /** As published, as far as the document says. */
  PAPER;

  /** The file's name without its ending. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
