package dev.grapevine.settings;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The value a setting takes when the experiment file is silent, written as the file would write it
 * without quotes ({@code 0.05}, {@code 20 ms}, {@code elias-gamma}, {@code [1, 2]}). A setting
 * without a default must be given, unless its type is an {@code Optional}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Default {
  String value();
}
