/**
 * How training samples are dealt to nodes. Unless a scheme says otherwise it deals every sample to
 * exactly one node, leaves no node empty, and gives the same deal for the same seed.
 */
@NullMarked
package dev.grapevine.data.partition;

import org.jspecify.annotations.NullMarked;
