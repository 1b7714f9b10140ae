/** Warp schedulers, a class each. */
package dev.warpline.policy.warp;
