/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.bench;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Comparator;
import java.util.List;
import org.luceneoffload.workload.BenchClass;
import org.luceneoffload.workload.BenchEntry;
import org.luceneoffload.workload.BenchKind;

/**
 * The measurements of {@code bench}.
 *
 * @param setting what was measured, and where
 * @param queries queries run
 * @param rounds measured rounds
 * @param executions measured runs of each kind on each side
 * @param warmupRounds rounds before them, of the kind with the fewest
 * @param warmupExecutions runs before them on each side, of the kind with the fewest
 * @param warmup how each kind was warmed up
 * @param jitMs milliseconds that the JVM's compilers worked during measured rounds: little if all
 *     was warm
 * @param threads threads of the throughput; 1 if it was not measured
 * @param processors processors that the JVM sees
 * @param clock what kind of number the times are
 * @param method how they were measured, in a sentence
 * @param entry how our side was asked
 * @param differences queries whose answers differ, over all rows
 * @param rows one for each kind and shape
 * @param classes one for each kind, shape and class of queries
 * @param slowestClass the class with the least geometric mean of ratios
 * @param throughput one for each kind and shape; null unless there is more than one thread
 * @param directories one for each of Lucene's directories and shape; null unless queries are cold
 * @param drive one for each shape: what the drive takes for the same pages; null unless queries are
 *     cold
 */
record BenchReport(
    @JsonUnwrapped BenchSetting setting,
    int queries,
    int rounds,
    long executions,
    int warmupRounds,
    long warmupExecutions,
    List<Warmup> warmup,
    long jitMs,
    int threads,
    int processors,
    String clock,
    String method,
    BenchEntry entry,
    int differences,
    List<Row> rows,
    List<ClassRow> classes,
    ClassRow slowestClass,
    List<ThreadsRow> throughput,
    List<DirectoryRow> directories,
    List<DriveRow> drive) {

  /** Returns a report of rows that were measured by {@code options}. */
  static BenchReport of(
      BenchSetting setting,
      BenchOptions options,
      int queries,
      List<Warmup> warmups,
      long jitMillis,
      String method,
      List<Row> rows,
      List<ClassRow> classes,
      List<ThreadsRow> throughput) {
    int differences = rows.stream().mapToInt(Row::differences).sum();
    if (throughput != null) {
      differences += throughput.stream().mapToInt(ThreadsRow::differences).sum();
    }
    return new BenchReport(
        setting,
        queries,
        options.rounds(),
        (long) options.rounds() * queries,
        warmups.stream().mapToInt(Warmup::rounds).min().orElse(0),
        warmups.stream().mapToLong(Warmup::executions).min().orElse(0),
        warmups,
        jitMillis,
        options.threads(),
        Runtime.getRuntime().availableProcessors(),
        BenchService.CLOCK,
        method,
        options.entry(),
        differences,
        rows,
        classes,
        classes.stream().min(Comparator.comparingDouble(ClassRow::ratioGeomean)).orElseThrow(),
        throughput,
        null,
        null);
  }

  /** Returns the same report with what each of Lucene's directories, and the drive alone, took. */
  BenchReport withCold(List<DirectoryRow> rowsOfDirectories, List<DriveRow> rowsOfDrive) {
    return new BenchReport(
        setting,
        queries,
        rounds,
        executions,
        warmupRounds,
        warmupExecutions,
        warmup,
        jitMs,
        threads,
        processors,
        clock,
        method,
        entry,
        differences,
        rows,
        classes,
        slowestClass,
        throughput,
        rowsOfDirectories,
        rowsOfDrive);
  }

  /**
   * How one kind of work, or shape of queries, was warmed up.
   *
   * @param kind the name of a {@link BenchKind}, or of a shape
   * @param rounds rounds over all queries
   * @param executions runs on each side
   * @param seconds how long it took
   * @param limited whether the time limit ended it
   */
  record Warmup(String kind, int rounds, long executions, double seconds, boolean limited) {}

  /**
   * One kind of work over the queries of one shape.
   *
   * @param kind the name of a {@link BenchKind}
   * @param shape AND, OR, NOT or MIXED
   * @param queries queries of this shape
   * @param luceneUs geometric mean of stock Lucene's microseconds a query, each its best round
   * @param offloadUs geometric mean of the device's microseconds a query, each its best round
   * @param ratioGeomean geometric mean of Lucene's time over the device's; above 1 the device is
   *     faster
   * @param ratioTotal Lucene's total time over the device's
   * @param luceneMedianUs the median round's geometric mean of stock Lucene
   * @param offloadMedianUs the median round's geometric mean of the device
   * @param ratioMedian median over the rounds of Lucene's geometric mean over the device's
   * @param ratioQ1 lower quartile of the same
   * @param ratioQ3 upper quartile of the same
   * @param differences queries whose answers differ
   * @param leavesOffloaded segments that the device answered in one round
   * @param leavesOnHost segments that the host answered instead in one round
   */
  record Row(
      String kind,
      String shape,
      int queries,
      double luceneUs,
      double offloadUs,
      double ratioGeomean,
      double ratioTotal,
      double luceneMedianUs,
      double offloadMedianUs,
      double ratioMedian,
      double ratioQ1,
      double ratioQ3,
      int differences,
      long leavesOffloaded,
      long leavesOnHost) {}

  /**
   * One kind of work over the queries of one shape and class.
   *
   * @param kind the name of a {@link BenchKind}
   * @param shape AND, OR, NOT or MIXED
   * @param by {@code terms} or {@code frequency}
   * @param name number of terms, or a letter for each of two terms, see {@link BenchClass}
   * @param queries queries of this class
   * @param luceneUs geometric mean of stock Lucene's microseconds a query, each its best round
   * @param offloadUs geometric mean of the device's microseconds a query, each its best round
   * @param ratioGeomean geometric mean of Lucene's time over the device's
   * @param ratioTotal Lucene's total time over the device's
   * @param ratioMedian median over the rounds of Lucene's geometric mean over the device's
   */
  record ClassRow(
      String kind,
      String shape,
      String by,
      String name,
      int queries,
      double luceneUs,
      double offloadUs,
      double ratioGeomean,
      double ratioTotal,
      double ratioMedian) {}

  /**
   * Cold queries of one shape on stock Lucene over one of its directories.
   *
   * @param directory the name of Lucene's class
   * @param shape AND, OR, NOT or MIXED
   * @param queries queries of this shape
   * @param luceneUs geometric mean of stock Lucene's microseconds a query, each its best round
   * @param ratioGeomean geometric mean of Lucene's time over the device's
   * @param ratioTotal Lucene's total time over the device's
   */
  record DirectoryRow(
      String directory,
      String shape,
      int queries,
      double luceneUs,
      double ratioGeomean,
      double ratioTotal) {}

  /**
   * The drive's limit for cold queries of one shape: the pages that a query of ours brought into
   * the system's cache, read again, 32 at once.
   *
   * @param shape AND, OR, NOT or MIXED
   * @param queries queries of this shape
   * @param pages mean number of pages of 4 KiB
   * @param driveUs geometric mean of the microseconds to read them, each query's best round
   * @param oursOverDrive geometric mean of the device's time over the drive's
   */
  record DriveRow(String shape, int queries, double pages, double driveUs, double oursOverDrive) {}

  /**
   * Queries a second of one kind and shape. "One" is one thread, the others are all threads.
   *
   * @param kind the name of a {@link BenchKind}
   * @param shape AND, OR, NOT or MIXED
   * @param queries queries of this shape
   * @param luceneOneQps stock Lucene, one thread
   * @param offloadOneQps the device, one thread
   * @param luceneQps stock Lucene, all threads
   * @param offloadQps the device, all threads
   * @param ratioOne the device's over Lucene's with one thread; above 1 the device is faster
   * @param ratio the device's over Lucene's with all threads
   * @param luceneScaling stock Lucene's with all threads over one thread's
   * @param offloadScaling the device's with all threads over one thread's
   * @param ratioMedian median over the rounds of {@code ratio}
   * @param ratioQ1 lower quartile of the same
   * @param ratioQ3 upper quartile of the same
   * @param differences queries whose answers differed while all threads were at work
   */
  record ThreadsRow(
      String kind,
      String shape,
      int queries,
      double luceneOneQps,
      double offloadOneQps,
      double luceneQps,
      double offloadQps,
      double ratioOne,
      double ratio,
      double luceneScaling,
      double offloadScaling,
      double ratioMedian,
      double ratioQ1,
      double ratioQ3,
      int differences) {}
}
