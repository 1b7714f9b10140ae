package dev.warpline.engine.profile;

/**
 * What an SM has at the moment and has done since the kernel began; the difference of two says what
 * it does now.
 *
 * @param sm its number
 * @param blocks resident blocks
 * @param warps resident warps
 * @param reasons warp-cycles by reason's ordinal; issues are those of {@link StallReason#SELECTED}
 */
public record SmActivity(int sm, int blocks, long warps, long[] reasons) {}
