package dev.grapevine.learning;

/**
 * The door to a node's training samples for schemes that send samples instead of parameters. A
 * learner whose data can grow offers one.
 */
public interface SampleExchange {

  /** How many samples the node trains on now, those received included. */
  int samples();

  /** Values in one sample's input. */
  int inputSize();

  /** Values in one sample's target. */
  int targetSize();

  /** Copies one sample to the given places. */
  void read(int sample, float[] inputs, int inputOffset, float[] targets, int targetOffset);

  /** Appends one sample, taken from the given places, to the node's training data. */
  void add(float[] inputs, int inputOffset, float[] targets, int targetOffset);
}
