/**
 * The command {@code results}, a class for each of its subcommands; which points and where to are
 * {@link dev.warpline.cli.results.RowChoice} and {@link dev.warpline.cli.results.RowOutput}.
 */
package dev.warpline.cli.results;
