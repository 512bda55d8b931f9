package dev.rocport.core.result;

/**
 * One file and its remaining work.
 *
 * @param result the result of the port
 * @param effort the remaining work
 */
public record FileReport(FileResult result, Effort effort) {}
