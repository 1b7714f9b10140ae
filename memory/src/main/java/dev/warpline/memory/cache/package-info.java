/**
 * Caches. {@link dev.warpline.memory.cache.TagArray} knows which line is where and, with a
 * replacement policy, which makes room; what else is known of lines is kept beside it: sector
 * states in {@code SectorTags}, times in {@link dev.warpline.memory.cache.TimedTags}. {@link
 * dev.warpline.memory.cache.DataCache} is Accel-Sim's sectored data cache. {@link
 * dev.warpline.memory.cache.MissTable} holds the lines on their way into a cache, of every core,
 * and who waits for them.
 */
package dev.warpline.memory.cache;
