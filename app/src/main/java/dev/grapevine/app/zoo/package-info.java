/** All algorithms on one experiment, ranked: what a paper's comparison is made of. */
@NullMarked
package dev.grapevine.app.zoo;

import org.jspecify.annotations.NullMarked;
