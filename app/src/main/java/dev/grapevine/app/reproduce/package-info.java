/**
 * The command {@code grapevine reproduce}: the figures and tables of the DecentralizePy paper and
 * of the JWINS++ thesis, run again and held against what was published.
 *
 * <p>A preset is a folder of plain files, {@code examples/paper/fig3} for one: {@code paper.toml}
 * and {@code laptop.toml} are sweeps that any other command takes too, {@code claims.toml} says
 * what the document claims, which numbers it gives and how the figure is drawn. Nothing about a
 * single figure stands in the code.
 */
@NullMarked
package dev.grapevine.app.reproduce;

import org.jspecify.annotations.NullMarked;
