// What the smaller programs of the bench share: their options, a CSV.
#ifndef BENCH_REPORT_H_
#define BENCH_REPORT_H_

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <getopt.h>
#include <string.h>

#include "bench/bench.h"

typedef struct {
  const char *csv;     // NULL: none
  const char *commit;  // what the CSV says in its column `commit`
  int quick;
  int list;
} bench_report;

// The options that a program has besides.
enum { BENCH_REPORT_QUICK = 1, BENCH_REPORT_QUICK_AND_LIST };

// Reads the command line; --help, and what is not understood, ends the program. more: 0, or one of
// the above.
static inline bench_report bench_report_options(const char *program, const char *help, int more,
                                                int count, char **values) {
  const struct option options[] = {
      {"csv", required_argument, NULL, 'c'},
      {"commit", required_argument, NULL, 'h'},
      {"help", no_argument, NULL, '?' + 256},
      {more >= BENCH_REPORT_QUICK ? "quick" : NULL, no_argument, NULL, 'q'},
      {more >= BENCH_REPORT_QUICK_AND_LIST ? "list" : NULL, no_argument, NULL, 'l'},
      {NULL, 0, NULL, 0}};
  const int usage_error = 2;
  bench_report report = {NULL, "", 0, 0};
  int option;
  while ((option = getopt_long(count, values, "", options, NULL)) != -1) {
    switch (option) {
      case 'c':
        report.csv = optarg;
        break;
      case 'h':
        report.commit = optarg;
        break;
      case 'q':
        report.quick = 1;
        break;
      case 'l':
        report.list = 1;
        break;
      case '?' + 256:
        fputs(help, stdout);
        exit(EXIT_SUCCESS);
      default:  // getopt_long has said what is wrong
        fprintf(stderr, "%s: see --help\n", program);
        exit(usage_error);
    }
  }
  if (optind < count) {
    fprintf(stderr, "%s: unexpected argument '%s': see --help\n", program, values[optind]);
    exit(usage_error);
  }
  return report;
}

// The CSV with its first line; NULL where none is wanted.
static inline FILE *bench_report_open(const bench_report *report, const char *head) {
  FILE *csv = NULL;
  if (report->csv == NULL) return NULL;
  csv = fopen(report->csv, "w");
  if (csv == NULL) {
    perror(report->csv);
    exit(EXIT_FAILURE);
  }
  fprintf(csv, "%s\n", head);
  return csv;
}

static inline cudaDeviceProp bench_report_device(void) {
  cudaDeviceProp properties;
  int device;
  BENCH_CHECK(cudaGetDevice(&device));
  BENCH_CHECK(cudaGetDeviceProperties(&properties, device));
  return properties;
}

// Host memory, or the end of the program.
static inline void *bench_report_allocate(size_t bytes) {
  void *memory = malloc(bytes);
  if (memory != NULL) return memory;
  fprintf(stderr, "bench: out of memory\n");
  exit(EXIT_FAILURE);
}

#endif  // BENCH_REPORT_H_
