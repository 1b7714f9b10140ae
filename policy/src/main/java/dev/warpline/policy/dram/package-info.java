/** Choices of a DRAM channel: when rows are closed, and who goes first. */
package dev.warpline.policy.dram;
