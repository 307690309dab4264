package dev.grapevine.sharing;

import dev.grapevine.settings.Catalogue;
import dev.grapevine.settings.Family;
import java.util.List;

/** The budget schedules that come with Grapevine. */
public final class Budgets implements Catalogue {

  @Override
  public Family<?, ?> family() {
    return Budget.FAMILY;
  }

  @Override
  public List<Class<?>> kinds() {
    return List.of(FixedBudget.class, RandomBudget.class, GrowingBudget.class);
  }
}
