package dev.grapevine.engine;

/** Models that read ids (characters, words, users and items), as decentralizepy defines them. */
final class IdModels {

  private IdModels() {}

  /** 80 characters to the next one (LEAF's Shakespeare), 2,683,708 parameters. */
  static Model shakespeareLstm() {
    return Model.flat("shakespeare-lstm", 80)
        .embedding(92, 8)
        .lstm(256, 2)
        .flatten()
        .relu()
        .linear(92)
        .crossEntropy();
  }

  /**
   * 10 words to the next one (LEAF's Reddit), 4,317,895 parameters for 9999 words. Word 0 is the
   * padding.
   */
  static Model redditLstm(int words) {
    return Model.flat("reddit-lstm", 10)
        .embedding(words, 200, 0)
        .lstmLastState(256, 2)
        .linear(128)
        .relu()
        .linear(words)
        .crossEntropy();
  }

  /** User and item to rating (MovieLens), 206,680 parameters for 610 × 9724 in 20 dimensions. */
  static Model matrixFactorization(int users, int items, int dimensions) {
    return Model.flat("matrix-factorization", 2)
        .dotProduct(users, items, dimensions)
        .meanSquaredError();
  }
}
