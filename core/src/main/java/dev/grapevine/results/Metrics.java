package dev.grapevine.results;

/**
 * The names of the figures that every run records; protocols add their own. Bytes and seconds are
 * sums since the beginning of the run.
 */
public final class Metrics {

  public static final String TRAIN_LOSS = "train_loss";
  public static final String TRAINING_SET_LOSS = "training_set_loss";
  public static final String TRAINING_SET_ACCURACY = "training_set_accuracy";
  public static final String TRAINING_SET_R2 = "training_set_r2";
  public static final String TEST_ACCURACY = "test_accuracy";
  public static final String TEST_LOSS = "test_loss";
  public static final String TEST_R2 = "test_r2";
  public static final String VALIDATION_R2 = "validation_r2";
  public static final String AVERAGE_R2 = "average_r2";
  public static final String VALIDATION_ACCURACY = "validation_accuracy";
  public static final String VALIDATION_LOSS = "validation_loss";
  public static final String BYTES_SENT = "bytes_sent";
  public static final String BYTES_RECEIVED = "bytes_received";
  public static final String BYTES_METADATA = "bytes_metadata";
  public static final String SECONDS_TRAIN = "seconds_train";
  public static final String SECONDS_SHARE = "seconds_share";
  public static final String SECONDS_WAIT = "seconds_wait";
  public static final String SECONDS_EVALUATE = "seconds_evaluate";
  public static final String SECONDS_PROCESSOR = "seconds_processor";
  public static final String CONSENSUS_DISTANCE = "consensus_distance";
  public static final String AVERAGE_ACCURACY = "average_accuracy";
  public static final String AVERAGE_LOSS = "average_loss";

  /** How long a node waited so as not to run ahead, in seconds; random walks record it. */
  public static final String PACE_WAIT = "pace_wait";

  public static final String NODES_ALIVE = "nodes_alive";
  public static final String RESTARTS = "restarts";
  public static final String ROUNDS_LOST = "rounds_lost";
  public static final String MESSAGES_LOST = "messages_lost";

  /** Stands in the place of a node for figures of the whole run. */
  public static final int WHOLE_RUN = -1;

  /** Stands in the place of a round for figures taken before the first one. */
  public static final int BEFORE_TRAINING = -1;

  private Metrics() {}
}
