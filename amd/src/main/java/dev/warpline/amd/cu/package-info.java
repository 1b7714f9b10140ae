/**
 * The timed compute unit. Each cycle its stages run back to front, so that an instruction moves one
 * stage per cycle: memory pipes, execute, schedule, scoreboard check, fetch. Waves that cannot move
 * leave the masks the stages look at and come back by an event, so a cycle costs what happens in
 * it; cycles in which nothing happens are skipped.
 */
package dev.warpline.amd.cu;
