/**
 * The modern SM, put together from its stages, and the machine of many of them. {@link
 * dev.warpline.nvidia.modern.Sm} connects the parts and runs them from event to event; {@link
 * dev.warpline.nvidia.modern.SubCore} issues. The stages are packages: {@code launch} brings
 * blocks, {@code fetch} instructions, {@code warp} knows what each warp waits for, {@code operand}
 * reads and writes registers, {@code constant}, {@code memory} and {@code async} do what their
 * names say, {@code block} holds blocks and their barriers, {@code code} the decoded instructions.
 * A stage knows those below it, never the SM. An SM with nothing to do is not called.
 */
package dev.warpline.nvidia.modern;
