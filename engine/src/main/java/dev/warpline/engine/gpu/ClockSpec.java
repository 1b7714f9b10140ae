package dev.warpline.engine.gpu;

/** Clock domains. */
public record ClockSpec(
    @Field(value = "SMs or compute units", unit = "MHz", least = 1) double coreMHz,
    @Field(value = "network between SMs and L2", unit = "MHz", least = 1) double interconnectMHz,
    @Field(value = "L2 slices", unit = "MHz", least = 1) double l2MHz,
    @Field(value = "DRAM commands", unit = "MHz", least = 1) double dramMHz) {}
