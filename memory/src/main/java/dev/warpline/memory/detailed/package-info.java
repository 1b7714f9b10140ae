/**
 * The memory side, cycle by cycle, as Accel-Sim models it: two crossbars, L2 slices behind a fixed
 * delay, DRAM channels with banks, bank groups and first-ready scheduling.
 *
 * <p>It runs in windows of core cycles. Nothing that an SM sends can reach an L2 slice within the
 * window it was sent in, because the fixed delay in front of the L2 is longer, so a window goes:
 * channels (in parallel), reply crossbar, SMs (in parallel, elsewhere), request crossbar.
 */
package dev.warpline.memory.detailed;
