package dev.grapevine.runtime;

/** A named figure. */
public record Metric(String name, double value) {}
