package dev.grapevine.settings;

/**
 * A family of interchangeable things, such as the topologies.
 *
 * @param name as users say it: {@code topology}
 * @param type what every kind of the family is
 * @param context what a kind is given to build itself, besides its settings
 * @param summary one sentence for {@code grapevine list}
 */
public record Family<C, T>(String name, Class<T> type, Class<C> context, String summary) {}
