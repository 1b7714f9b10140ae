/**
 * What people look at: the report of a run, its timeline for trace viewers, the plots of a study,
 * and the server with the same pages.
 */
package dev.warpline.web;
