/**
 * Audits many repositories on Apache Spark: one task for each repository, a pool of processes that
 * audit, Parquet tables, and a report from the tables.
 */
@NullMarked
package dev.rocport.fleet;

import org.jspecify.annotations.NullMarked;
