package dev.grapevine.data;

import static dev.grapevine.settings.SettingException.require;

import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;

/**
 * What the {@code [data]} table says besides the set and the partitioner.
 *
 * @param augment whether training images are shifted and mirrored at random
 * @param validation share of samples held out for validation
 * @param validationFrom which set they are taken from
 */
public record DataSettings(
    @Doc("random crop and mirror image of training images") @Default("false") boolean augment,
    @Doc("share of samples held out for validation, 0 to below 1") @Default("0") double validation,
    @Doc("the set that validation samples are taken from") @Default("train")
        ValidationFrom validationFrom) {

  /** Where validation samples come from. */
  public enum ValidationFrom {
    TRAIN,
    TEST
  }

  /** No augmentation, no validation. */
  public static final DataSettings NONE = new DataSettings(false, 0, ValidationFrom.TRAIN);

  public DataSettings {
    require(
        validation >= 0 && validation < 1,
        "validation",
        "validation must be at least 0 and below 1: validation=" + validation);
  }
}
