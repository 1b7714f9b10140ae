/** How addresses are spread over places, a class each. */
package dev.warpline.policy.hash;
