/**
 * One run as a page: findings in words, speed of light, warp states, listing, memory, balance,
 * timelines, configuration.
 */
package dev.warpline.web.report;
