package dev.grapevine.settings;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a record of settings that several kinds have in common. Its keys stand in the same table as
 * those of the {@code Settings} record that has it as a component, whatever that component is
 * called. A kind that has no other settings takes it in place of {@code Settings}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface SharedSettings {}
