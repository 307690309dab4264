/** What benchmarks run: GN-LeNet on pictures of CIFAR-10's shape, or nodes that only talk. */
@NullMarked
package dev.grapevine.benchmarks.workload;

import org.jspecify.annotations.NullMarked;
