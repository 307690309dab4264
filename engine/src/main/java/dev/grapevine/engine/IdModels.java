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

  /**
   * 25 words to glad or sad, in the shape of LEAF's: two recurrent layers of 100 over vectors of
   * 300. LEAF takes its vectors from GloVe and keeps them; here they are learned.
   */
  static Model sent140Lstm(int words) {
    return Model.flat("sent140-lstm", 25)
        .embedding(words, 300)
        .lstmLastState(100, 2)
        .linear(2)
        .crossEntropy();
  }

  /** User and item to rating (MovieLens), 206,680 parameters for 610 × 9724 in 20 dimensions. */
  static Model matrixFactorization(int users, int items, int dimensions) {
    return Model.flat("matrix-factorization", 2)
        .dotProduct(users, items, dimensions)
        .meanSquaredError();
  }
}
