/**
 * What a node must remember from round to round, declared once by name where it is made. A
 * checkpoint is the sum of what was declared; nobody writes save and load code.
 */
@NullMarked
package dev.grapevine.state;

import org.jspecify.annotations.NullMarked;
