package dev.warpline.engine.state;

/** Something outside of a state of which nothing can change, however deep: decoded code. */
public record Whole(Object root) {}
