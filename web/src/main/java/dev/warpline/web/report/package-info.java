/**
 * One run as a page: findings in words, speed of light, warp states, listing, memory, balance,
 * timelines, configuration. {@link dev.warpline.web.report.StudyPage} is the same for a study: its
 * points as plots that filter each other.
 */
package dev.warpline.web.report;
