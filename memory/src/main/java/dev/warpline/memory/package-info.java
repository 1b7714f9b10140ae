/**
 * Everything between a core and its data. {@code cache}: tag arrays, miss tables, the sectored data
 * cache; {@code detailed}: the cycle-by-cycle memory side (crossbars, L2 slices, DRAM channels).
 */
package dev.warpline.memory;
