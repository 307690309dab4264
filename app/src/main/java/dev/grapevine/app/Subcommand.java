package dev.grapevine.app;

/**
 * A picocli-annotated command that {@link Grapevine} offers by name. Found by {@link
 * java.util.ServiceLoader}, so that a module beside the app can add commands of its own.
 */
public interface Subcommand {}
