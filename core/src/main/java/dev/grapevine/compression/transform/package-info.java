/**
 * Changes of basis: discrete wavelet transforms that agree with PyWavelets, and the real Fourier
 * transform.
 */
@NullMarked
package dev.grapevine.compression.transform;

import org.jspecify.annotations.NullMarked;
