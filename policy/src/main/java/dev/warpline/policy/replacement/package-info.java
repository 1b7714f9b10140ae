/** Which line makes room, a class each. */
package dev.warpline.policy.replacement;
