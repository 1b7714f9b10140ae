/**
 * Choices that a machine makes, each an interface of one or two methods over primitives with small
 * implementations that a GPU description names. {@link dev.warpline.policy.Policies} finds them,
 * also in a user's jar. A new one is a class here or there, and its line in {@code
 * META-INF/services}.
 */
package dev.warpline.policy;
