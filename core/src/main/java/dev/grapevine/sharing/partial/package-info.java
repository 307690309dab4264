/**
 * Schemes that send some coordinates of the model as they are; the receiver fills the gaps with its
 * own.
 *
 * <p>A scheme is put together from small pieces, and each named one is a preset of them:
 *
 * <ul>
 *   <li>a {@link dev.grapevine.sharing.partial.Domain} says what a coordinate is: a parameter, or a
 *       coefficient of a wavelet or Fourier transform;
 *   <li>a {@link dev.grapevine.sharing.partial.Gauge} says how much each coordinate wants to be
 *       sent: by its magnitude, its change, its change since it was sent last, each perhaps
 *       relative to its magnitude;
 *   <li>a {@link dev.grapevine.sharing.Budget} says how many may be sent;
 *   <li>a {@link dev.grapevine.sharing.partial.Picker} picks them, by score, by lot or in turn, and
 *       says how their positions travel;
 *   <li>an {@link dev.grapevine.aggregation.Averaging} says how what arrived is weighed.
 * </ul>
 *
 * {@link dev.grapevine.sharing.partial.PartialEncoding} holds them together, and a {@link
 * dev.grapevine.sharing.partial.Recipe} puts it together.
 */
@NullMarked
package dev.grapevine.sharing.partial;

import org.jspecify.annotations.NullMarked;
