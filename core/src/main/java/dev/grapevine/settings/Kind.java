package dev.grapevine.settings;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a class that an experiment file can choose by name, as in {@code kind = "regular"}.
 *
 * <p>Such a class has at most one nested record called {@code Settings}, whose components are the
 * keys of the TOML table and whose compact constructor validates them, and either a public
 * constructor {@code (Settings, Context)} or a public static method {@code create(Settings,
 * Context)} that returns the family's type. {@code Context} is the context type of the class's
 * {@link Family}; either argument may be left out. Settings that several kinds have in common are a
 * record of their own, see {@link SharedSettings}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Kind {

  /** The name in the experiment file: lower case, words joined by hyphens. */
  String name();

  /** One sentence for {@code grapevine list}. */
  String summary();

  /** The paper that defines it, or empty. */
  String paper() default "";
}
