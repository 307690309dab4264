/**
 * Who is at the other end of a connection, and that nobody else listens or speaks.
 *
 * <p>A run has a {@link dev.grapevine.security.RunSecret}; whoever knows it belongs to the run.
 * Every connection begins with a {@link dev.grapevine.security.Greeting}: the two ends name
 * themselves and prove that they know the secret, each over fresh random numbers of both, so that
 * nothing recorded can be played again. On one machine that is all. Between machines the same
 * greeting is said inside TLS 1.3, for which each worker has a {@link
 * dev.grapevine.security.WorkerIdentity}; the proofs cover both certificates, so that nobody can
 * stand between. Once all workers have joined, {@link dev.grapevine.security.Trust} is pinned to
 * their certificates. Parties that do not trust the one who launches have an {@link
 * dev.grapevine.security.Authority} in common instead.
 *
 * <p>{@link dev.grapevine.security.LinkSecurity} does all that for one connection; {@link
 * dev.grapevine.security.Doorkeeper} bounds how many strangers may stand at the door.
 */
@NullMarked
package dev.grapevine.security;

import org.jspecify.annotations.NullMarked;
