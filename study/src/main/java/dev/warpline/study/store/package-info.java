/**
 * The results of studies in one file, an SQLite database that survives a process killed at any
 * moment and that several processes may work on. {@link dev.warpline.study.store.ResultStore} is
 * all that others see of it; a {@link dev.warpline.study.store.Point} is addressed by what it rests
 * on.
 */
package dev.warpline.study.store;
