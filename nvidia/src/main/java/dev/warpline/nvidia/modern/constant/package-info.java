/**
 * Constants: the cache for operands in each sub-core, the unit for loads with its cache, and what
 * lies behind both.
 */
package dev.warpline.nvidia.modern.constant;
