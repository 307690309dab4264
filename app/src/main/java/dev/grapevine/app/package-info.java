/** The command line: what people touch. */
@NullMarked
package dev.grapevine.app;

import org.jspecify.annotations.NullMarked;
