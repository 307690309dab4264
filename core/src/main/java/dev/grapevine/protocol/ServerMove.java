package dev.grapevine.protocol;

import dev.grapevine.state.State;

/** What a server makes of the mean of its clients' models. */
interface ServerMove {

  /** Takes the mean as it is: FedAvg. */
  ServerMove NONE =
      new ServerMove() {
        @Override
        public boolean isNone() {
          return true;
        }

        @Override
        public void apply(float[] before, float[] global) {}
      };

  /** Builds a server's move; what it remembers is declared in {@code state}. */
  @FunctionalInterface
  interface Factory {
    ServerMove create(int size, State state);
  }

  /** Whether it changes nothing. */
  default boolean isNone() {
    return false;
  }

  /**
   * Moves the server's model.
   *
   * @param before the model that the clients were sent
   * @param global the clients' mean; the new model afterwards
   */
  void apply(float[] before, float[] global);
}
