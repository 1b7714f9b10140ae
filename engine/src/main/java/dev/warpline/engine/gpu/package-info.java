/**
 * GPU descriptions: a tree of records, one per piece of hardware, read from YAML.
 *
 * <p>To add a number to the machine: add a component to the record of its piece, describe it with
 * {@link dev.warpline.engine.gpu.Field}, and set it in the presets. Everything else (reading,
 * checking, {@code --set}, {@code gpus show}) follows from the record.
 */
package dev.warpline.engine.gpu;
