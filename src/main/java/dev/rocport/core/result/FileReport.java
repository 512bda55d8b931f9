package dev.rocport.core.result;

/**
 * One file and the work left in it.
 *
 * @param result what became of it
 * @param effort what is left
 */
public record FileReport(FileResult result, Effort effort) {}
