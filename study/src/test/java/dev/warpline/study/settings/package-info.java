/** Settings drawn at random: every one runs or is refused. */
package dev.warpline.study.settings;
