/**
 * Why a kernel takes its time: the reasons why warps do not issue, kept per static instruction, per
 * SM and over time. Cores write to recorders (plain additions into primitive arrays; a null
 * recorder costs nothing); {@link dev.warpline.engine.profile.KernelProfile} is what remains when
 * the kernel ends.
 */
package dev.warpline.engine.profile;
