/**
 * Block schedulers. Two look for an SM from the one after the last on, which spreads blocks; one
 * fills an SM before the next; one goes by how long there has been room.
 */
package dev.warpline.policy.block;
