package dev.grapevine.runtime.report;

/** A named figure. */
public record Metric(String name, double value) {}
