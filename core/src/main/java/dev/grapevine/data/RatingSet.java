package dev.grapevine.data;

import dev.grapevine.engine.Batch;

/** Who rated what how highly: the input is (user, item), the target the number of stars. */
public final class RatingSet implements DataSet {

  private final String name;
  private final int items;
  private final Users users;
  private final int[] itemOf;
  private final byte[] halfStars;

  /**
   * @param items number of items; item ids lie below it
   * @param users who gave each rating
   * @param itemOf what each rating is about
   * @param halfStars each rating times two
   */
  public RatingSet(String name, int items, Users users, int[] itemOf, byte[] halfStars) {
    this.name = name;
    this.items = items;
    this.users = users;
    this.itemOf = itemOf;
    this.halfStars = halfStars;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public int size() {
    return halfStars.length;
  }

  @Override
  public int classes() {
    return 0;
  }

  @Override
  public int[] inputShape() {
    return new int[] {2};
  }

  @Override
  public int[] vocabulary() {
    return new int[] {users.count(), items};
  }

  @Override
  public int label(int sample) {
    return 0;
  }

  @Override
  public Users users() {
    return users;
  }

  @Override
  public void read(int sample, Batch batch, int slot) {
    batch.inputs()[2 * slot] = users.ofSample()[sample];
    batch.inputs()[2 * slot + 1] = itemOf[sample];
    batch.targets()[slot] = halfStars[sample] / 2f;
  }
}
