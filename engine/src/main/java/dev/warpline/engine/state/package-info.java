/**
 * State of a simulation as bytes, for checkpoints. The state of a unit is what its private fields
 * hold, so units do not list it: {@code StateWriter} follows every reference from a root, {@code
 * StateReader} puts the same values into a machine that was built anew in the same way. Nothing can
 * be forgotten; what cannot be written is refused by name.
 */
package dev.warpline.engine.state;
