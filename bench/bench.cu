// The bench: ours, the peers and a copy in turn; prints a table and writes a CSV. bench --help says
// how.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <getopt.h>
#include <regex.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "bench/bench.h"

typedef enum { bench_set_quick, bench_set_usual, bench_set_full } bench_set;

typedef struct {
  bench_set set;
  int list;
  int warm;
  const char *filter;
  const char *csv;
  const char *commit;
} bench_arguments;

typedef struct {
  bench_row *rows;
  size_t count;
  size_t capacity;
} bench_table;

enum { bench_usage_error = 2 };

// No row asks for more than this of the device's memory: both arrays, and a little besides.
#define BENCH_ARRAYS_MOST ((size_t)18 << 30)

static const bench_work bench_works[] = {
    {"inclusive_add", "add", 0, 0, 0, 0, 0, 0, 0, bench_not_segmented},
    {"inclusive_max", "max", 0, 0, 0, 0, 0, 0, 0, bench_not_segmented},
    {"inclusive_affine", "affine", 0, 0, 0, 0, 0, 0, 0, bench_not_segmented},
    {"inclusive_pair", "pair", 0, 0, 0, 0, 0, 0, 0, bench_not_segmented},
    {"exclusive_add", "add", 1, 0, 0, 0, 0, 0, 0, bench_not_segmented},
    {"seeded_add", "add", 0, 0, 1, 0, 0, 0, 0, bench_not_segmented},
    {"reverse_add", "add", 0, 1, 0, 0, 0, 0, 0, bench_not_segmented},
    {"total_add", "add", 0, 0, 0, 1, 0, 0, 0, bench_not_segmented},
    {"in_place_add", "add", 0, 0, 0, 0, 1, 0, 0, bench_not_segmented},
    {"unaligned_add", "add", 0, 0, 0, 0, 0, 1, 0, bench_not_segmented},
    {"reduce_add", "add", 0, 0, 0, 0, 0, 0, 1, bench_not_segmented},
    {"segmented_flags32", "segmented", 0, 0, 0, 0, 0, 0, 0, bench_flags32},
    {"segmented_flags8", "segmented", 0, 0, 0, 0, 0, 0, 0, bench_flags8},
    {"segmented_bits", "segmented", 0, 0, 0, 0, 0, 0, 0, bench_bits},
    {"segmented_offsets", "segmented", 0, 0, 0, 0, 0, 0, 0, bench_offsets},
    {"segmented_regular", "segmented", 0, 0, 0, 0, 0, 0, 0, bench_regular},
    {"segmented_lifted", "lifted", 0, 0, 0, 0, 0, 0, 0, bench_lifted},
};
enum { bench_work_count = sizeof bench_works / sizeof bench_works[0] };

static const bench_family *const bench_families[] = {
    bench_families_integer, bench_families_float,    bench_families_maximum,
    bench_families_struct,  bench_families_operator, bench_families_segmented};
enum { bench_family_tables = sizeof bench_families / sizeof bench_families[0] };

// In the order of the CSV's types.
static const char *const bench_types[] = {"i8", "i16", "f16", "i32", "f32", "i64", "f64",
                                          "b3", "b8",  "b12", "b16", "b32", "b64"};
enum { bench_type_count = sizeof bench_types / sizeof bench_types[0] };

static const char *const bench_help =
    "usage: bench [option]...\n"
    "Times the library's scans, CUB's where it is built in, and a copy of the same bytes.\n"
    "Built for the CPU, as without nvcc, it has fewer and smaller rows.\n"
    "\n"
    "  --quick          the goals' sizes alone, in less than a minute\n"
    "  --full           every size: powers of two, each +-1, and 3 times them; of segments all\n"
    "                   lengths, at every second power; many minutes\n"
    "  --filter REGEX   rows whose line in --list matches, without regard to case\n"
    "  --list           says which rows these are, and measures nothing\n"
    "  --csv FILE       writes the rows to FILE, too\n"
    "  --commit HASH    what the CSV says in its column `commit`\n"
    "  --warm           every call takes the same arrays; else calls take in turn pairs of arrays\n"
    "                   that fill twice the GPU's last cache, as far as 100 pairs do\n"
    "  --help\n"
    "\n"
    "Exit code: 0; 1 if a result is wrong or a call fails; 2 if an option is wrong.\n";

static bench_size bench_power(unsigned exponent) {
  const bench_size size = {1, exponent, 0};
  return size;
}

static size_t bench_count(bench_size size) {
  return ((size_t)size.factor << size.exponent) + (size_t)size.more;
}

// "2^10", "2^10+1", "3*2^10"
static const char *bench_size_text(bench_size size) {
  static char text[32];
  const int length =
      snprintf(text, sizeof text, size.factor == 1 ? "2^%u" : "3*2^%u", size.exponent);
  if (size.more != 0) snprintf(text + length, sizeof text - (size_t)length, "%+d", size.more);
  return text;
}

// How a row is named, in --list and to --filter.
static const char *bench_row_text(const bench_row *row) {
  static char text[128];
  snprintf(text, sizeof text, "%s %s%s%s %s %s", row->work->name,
           row->length != NULL ? row->length->name : "", row->length != NULL ? " " : "",
           row->family->type, bench_size_text(row->size), row->graph ? "graph" : "stream");
  return text;
}

static const bench_family *bench_find_family(const char *operation, const char *type) {
  for (unsigned table = 0; table < bench_family_tables; table++)
    for (const bench_family *family = bench_families[table]; family->type != NULL; family++)
      if (strcmp(family->operation, operation) == 0 && strcmp(family->type, type) == 0)
        return family;
  return NULL;
}

// Adds a row, unless it is there already or needs too much memory. what: its work, family and
// length, here and below.
static void bench_add(bench_table *table, const bench_row *what, bench_size size, int graph) {
  bench_row row = *what;
  row.size = size;
  row.n = bench_count(size);
  row.graph = graph;
  if (row.n == 0 || row.n > BENCH_ARRAYS_MOST / 2 / row.family->size) return;
  for (size_t i = 0; i < table->count; i++) {
    const bench_row *there = &table->rows[i];
    if (there->work == row.work && there->family == row.family && there->length == row.length &&
        there->n == row.n && there->graph == graph)
      return;
  }
  if (table->count == table->capacity) {
    table->capacity = table->capacity * 2 + 64;
    table->rows = (bench_row *)realloc(table->rows, table->capacity * sizeof *table->rows);
    if (table->rows == NULL) {
      fprintf(stderr, "bench: out of memory\n");
      exit(EXIT_FAILURE);
    }
  }
  table->rows[table->count++] = row;
}

#ifdef SCAN_TARGET_HOST

// The host target is for running kernels, not for running them fast: two sizes, and the one that
// has a goal.
static void bench_add_set(bench_table *table, const bench_row *what, bench_set set) {
  if (strcmp(what->work->name, "inclusive_add") == 0 && strcmp(what->family->type, "f32") == 0)
    bench_add(table, what, bench_power(22), 0);
  if (set != bench_set_quick) bench_add(table, what, bench_power(16), 0);
  if (set == bench_set_full)
    for (unsigned exponent = 0; exponent <= 20; exponent++)
      bench_add(table, what, bench_power(exponent), 1);
}

#else

static bench_size bench_large(const bench_family *family) {
  return bench_power(family->size >= 16 ? 26 : 28);
}

// All lengths at one size; one of them, or in full all, at every second power of two.
static void bench_add_segmented(bench_table *table, const bench_row *what, bench_set set) {
  const int usual =
      strcmp(what->length->name, "100") == 0 && strcmp(what->family->type, "f32") == 0;
  if (set == bench_set_quick && !usual) return;
  bench_add(table, what, bench_large(what->family), 1);
  if (set == bench_set_quick || (set == bench_set_usual && !usual)) return;
  for (unsigned exponent = 8; exponent <= 24; exponent += 2) {
    bench_add(table, what, bench_power(exponent), 1);
    if (exponent <= 16) bench_add(table, what, bench_power(exponent), 0);
  }
}

static int bench_is_inclusive(const bench_work *work) {
  return strncmp(work->name, "inclusive_", 10) == 0;
}

// All sizes of one work and type.
static void bench_add_sweep(bench_table *table, const bench_row *what, bench_set set) {
  for (unsigned exponent = 0; exponent <= 30; exponent++) {
    const bench_size power = bench_power(exponent);
    const bench_size sizes[] = {{1, exponent, -1}, {1, exponent, 1}, {3, exponent, 0}};
    bench_add(table, what, power, 1);
    if (set == bench_set_full || (exponent <= 16 && exponent % 2 == 0))
      bench_add(table, what, power, 0);
    if (set != bench_set_full) continue;
    for (unsigned i = 0; i < 3; i++)
      if (bench_count(sizes[i]) <= (size_t)1 << 30) bench_add(table, what, sizes[i], 1);
  }
}

static void bench_add_set(bench_table *table, const bench_row *what, bench_set set) {
  static const unsigned steps[] = {8, 12, 16, 18, 20, 22, 24};
  const int sum = strcmp(what->work->name, "inclusive_add") == 0;
  if (what->length != NULL) {
    bench_add_segmented(table, what, set);
    return;
  }
  bench_add(table, what, bench_large(what->family), 1);
  if (sum || (bench_is_inclusive(what->work) && set != bench_set_quick))
    for (unsigned i = 0; i < sizeof steps / sizeof steps[0]; i++) {
      bench_add(table, what, bench_power(steps[i]), 1);
      if (steps[i] <= 16) bench_add(table, what, bench_power(steps[i]), 0);
    }
  if (set == bench_set_quick) return;
  if (sum || (bench_is_inclusive(what->work) && set == bench_set_full))
    bench_add_sweep(table, what, set);
  if (sum && what->family->size == 1) {
    bench_add(table, what, bench_power(32), 1);
    bench_add(table, what, bench_power(33), 1);
  }
}

#endif

static int bench_compare_rows(const void *a, const void *b) {
  const bench_row *x = (const bench_row *)a, *y = (const bench_row *)b;
  if (x->work != y->work) return x->work < y->work ? -1 : 1;
  if (x->family != y->family) {
    unsigned i = 0;
    while (strcmp(bench_types[i], x->family->type) != 0 &&
           strcmp(bench_types[i], y->family->type) != 0)
      i++;
    return strcmp(bench_types[i], x->family->type) == 0 ? -1 : 1;
  }
  if (x->length != y->length) return x->length < y->length ? -1 : 1;
  if (x->graph != y->graph) return x->graph ? -1 : 1;
  return x->n < y->n ? -1 : x->n > y->n;
}

// Whether segments of this length are measured: floats of every length, other types of one.
static int bench_has_length(const bench_row *what) {
  const bench_encoding encoding = what->work->encoding;
  if (strcmp(what->family->type, "f32") == 0)
    return encoding != bench_regular || what->length->fixed != 0;
  return strcmp(what->length->name, "100") == 0 &&
         (encoding == bench_flags8 || encoding == bench_bits || encoding == bench_offsets);
}

// The rows of a set that the filter lets through, in order.
static bench_table bench_choose(const bench_arguments *arguments) {
  bench_table table = {NULL, 0, 0};
  size_t kept = 0;
  regex_t filter;
  for (unsigned w = 0; w < bench_work_count; w++)
    for (unsigned t = 0; t < bench_type_count; t++) {
      bench_row what;
      memset(&what, 0, sizeof what);
      what.work = &bench_works[w];
      what.family = bench_find_family(what.work->operation, bench_types[t]);
      if (what.family == NULL) continue;
      if (what.work->encoding == bench_not_segmented) {
        bench_add_set(&table, &what, arguments->set);
        continue;
      }
      for (what.length = bench_lengths; what.length->name != NULL; what.length++)
        if (bench_has_length(&what)) bench_add_set(&table, &what, arguments->set);
    }
  if (table.count != 0) qsort(table.rows, table.count, sizeof *table.rows, bench_compare_rows);
  if (arguments->filter != NULL) {
    const int error = regcomp(&filter, arguments->filter, REG_EXTENDED | REG_ICASE | REG_NOSUB);
    if (error != 0) {
      char text[256];
      regerror(error, &filter, text, sizeof text);
      fprintf(stderr, "bench: --filter %s: %s\n", arguments->filter, text);
      exit(bench_usage_error);
    }
    for (size_t i = 0; i < table.count; i++)
      if (regexec(&filter, bench_row_text(&table.rows[i]), 0, NULL, 0) == 0)
        table.rows[kept++] = table.rows[i];
    table.count = kept;
    regfree(&filter);
  }
  if (table.count == 0) {
    fprintf(stderr, "bench: no row matches %s: see --list\n", arguments->filter);
    exit(bench_usage_error);
  }
  return table;
}

static bench_arguments bench_parse(int count, char **values) {
  static const struct option options[] = {{"quick", no_argument, NULL, 'q'},
                                          {"full", no_argument, NULL, 'a'},
                                          {"filter", required_argument, NULL, 'f'},
                                          {"list", no_argument, NULL, 'l'},
                                          {"csv", required_argument, NULL, 'c'},
                                          {"commit", required_argument, NULL, 'h'},
                                          {"warm", no_argument, NULL, 'w'},
                                          {"help", no_argument, NULL, '?' + 256},
                                          {NULL, 0, NULL, 0}};
  bench_arguments arguments = {bench_set_usual, 0, 0, NULL, NULL, ""};
  int option;
  while ((option = getopt_long(count, values, "", options, NULL)) != -1) {
    switch (option) {
      case 'q':
        arguments.set = bench_set_quick;
        break;
      case 'a':
        arguments.set = bench_set_full;
        break;
      case 'f':
        arguments.filter = optarg;
        break;
      case 'l':
        arguments.list = 1;
        break;
      case 'c':
        arguments.csv = optarg;
        break;
      case 'h':
        arguments.commit = optarg;
        break;
      case 'w':
        arguments.warm = 1;
        break;
      case '?' + 256:
        fputs(bench_help, stdout);
        exit(EXIT_SUCCESS);
      default:  // getopt_long has said what is wrong
        fputs("bench: see --help\n", stderr);
        exit(bench_usage_error);
    }
  }
  if (optind < count) {
    fprintf(stderr, "bench: unexpected argument '%s': see --help\n", values[optind]);
    exit(bench_usage_error);
  }
  return arguments;
}

static double bench_seconds(void) {
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static FILE *bench_open_csv(const char *path) {
  FILE *csv = fopen(path, "w");
  if (csv == NULL) {
    perror(path);
    exit(EXIT_FAILURE);
  }
  fprintf(csv, "work,detail,type,n,mode,ours_us,cub_us,copy_us,gpu,commit\n");
  return csv;
}

// A time, or nothing where there is none.
static const char *bench_us_text(double us, char text[32]) {
  text[0] = '\0';
  if (us > 0.0) snprintf(text, 32, "%.3f", us);
  return text;
}

// What the CSV's column `detail` says.
static const char *bench_detail(const bench_row *row) {
  return row->length != NULL ? row->length->name : row->cache;
}

static void bench_write_csv(FILE *csv, const bench_row *row, const char *device,
                            const char *commit) {
  char ours[32], cub[32], copy[32];
  fprintf(csv, "%s,%s,%s,%zu,%s,%s,%s,%s,%s,%s\n", row->work->name, bench_detail(row),
          row->family->type, row->n, row->graph ? "graph" : "stream",
          bench_us_text(row->ours_us, ours), bench_us_text(row->cub_us, cub),
          bench_us_text(row->copy_us, copy), device, commit);
  fflush(csv);
}

// Useful bytes: read once, written once, where they are written; what tells of segments, read.
static double bench_gigabytes(const bench_row *row, double us) {
  const size_t elements = row->n * row->family->size * (row->work->reduction ? 1 : 2);
  return (double)(elements + row->encoding_bytes) / us * 1e-3;
}

// A number in six places, with the digits that fit.
static void bench_print_number(double number) {
  printf(" %6.*f", number < 10.0 ? 3 : number < 1000.0 ? 1 : 0, number);
}

static void bench_print_row(const bench_row *row) {
  printf("%-17s %-4s %8s %-6s %-9s %10.2f", row->work->name, row->family->type,
         bench_size_text(row->size), row->graph ? "graph" : "stream", bench_detail(row),
         row->ours_us);
  bench_print_number(bench_gigabytes(row, row->ours_us));
  if (row->copy_us > 0.0) {
    bench_print_number(bench_gigabytes(row, row->copy_us));
    bench_print_number(row->copy_us / row->ours_us);
  } else {
    printf(" %6s %6s", "-", "-");
  }
  if (row->cub_us > 0.0) {
    bench_print_number(bench_gigabytes(row, row->cub_us));
    bench_print_number(row->ours_us / row->cub_us);
  } else {
    printf(" %6s %6s", "-", "-");
  }
  printf("\n");
}

static void bench_print_head(const char *device, int warm) {
  printf("\n%s, scan %s", device, SCAN_VERSION_STRING);
  for (unsigned i = 0; bench_peer_files[i] != NULL; i++) {
    const bench_peer_file *file = bench_peer_files[i];
    if (i == 0 || strcmp(file->release, bench_peer_files[i - 1]->release) != 0)
      printf(", %s CUB %d.%d.%d", file->release, file->version / 100000, file->version / 100 % 1000,
             file->version % 100);
  }
  printf(
      "\nMedians of 7. GB/s of useful bytes. ratio: the copy's time to ours. to CUB: our time to "
      "CUB's.\n");
  if (warm)
    printf("Every call takes the same arrays.\n");
  else
    printf(
        "Calls take pairs of arrays in turn. cold: these fill twice the last cache; warm: they "
        "don't.\n");
  printf("Of segmented works: the length of segments. CUB sums by key there.\n");
  printf("\n%-17s %-4s %8s %-6s %-9s %10s %6s %6s %6s %6s %6s\n", "work", "type", "n", "mode", "",
         "us", "GB/s", "copy", "ratio", "CUB", "to CUB");
}

#ifdef SCAN_TARGET_HOST

// One worker, unless the environment chooses; says how many there are.
static unsigned bench_host_workers(void) {
  uint64_t seed;
  unsigned workers, multiprocessors;
  setenv("SCAN_HOST_WORKERS", "1", 0);
  scan_host_configuration_(&seed, &workers, &multiprocessors);
  return workers;
}

// What the host target is measured by.
static void bench_print_host(const bench_table *table, unsigned workers) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  for (size_t i = 0; i < table->count; i++) {
    const bench_row *row = &table->rows[i];
    if (row->n == (size_t)1 << 22)
      printf("\n%s: %.1f million elements a second a core (%u worker%s)", bench_row_text(row),
             (double)row->n / row->ours_us / workers, workers, workers == 1 ? "" : "s");
  }
  printf("\npeak memory: %.0f MB\n", (double)usage.ru_maxrss * 1024e-6);
}

#endif

int main(int count, char **values) {
  const bench_arguments arguments = bench_parse(count, values);
  bench_table table = bench_choose(&arguments);
  const int terminal = isatty(STDERR_FILENO);
  FILE *csv = NULL;
  double started;
  cudaDeviceProp properties;
  int device;
  if (arguments.list) {
    for (size_t i = 0; i < table.count; i++) printf("%s\n", bench_row_text(&table.rows[i]));
    free(table.rows);
    return EXIT_SUCCESS;
  }
#ifdef SCAN_TARGET_HOST
  const unsigned workers = bench_host_workers();
#else
  size_t memory, memory_left;
#endif
  BENCH_CHECK(cudaGetDevice(&device));
  BENCH_CHECK(cudaGetDeviceProperties(&properties, device));
  if (arguments.csv != NULL) csv = bench_open_csv(arguments.csv);
  bench_measure_begin();
  started = bench_seconds();
  for (size_t i = 0; i < table.count; i++) {
    if (terminal) {
      const double each = i == 0 ? 0.0 : (bench_seconds() - started) / (double)i;
      fprintf(stderr, "\r\033[K[%zu/%zu] %s", i + 1, table.count, bench_row_text(&table.rows[i]));
      if (i != 0) fprintf(stderr, ", %.0f s left", each * (double)(table.count - i));
    }
    bench_measure(&table.rows[i], arguments.warm);
    if (csv != NULL) bench_write_csv(csv, &table.rows[i], properties.name, arguments.commit);
  }
  if (terminal) fprintf(stderr, "\r\033[K");
#ifndef SCAN_TARGET_HOST
  /* Arrays are made anew for what is larger, and kept. */
  BENCH_CHECK(cudaMemGetInfo(&memory_left, &memory));
#endif
  bench_measure_end();

  bench_print_head(properties.name, arguments.warm);
  for (size_t i = 0; i < table.count; i++) bench_print_row(&table.rows[i]);
  printf("\n%zu rows in %.0f s, every result as it should be\n", table.count,
         bench_seconds() - started);
#ifdef SCAN_TARGET_HOST
  bench_print_host(&table, workers);
#else
  printf("GPU memory in use, at most: %.1f GiB\n", (double)(memory - memory_left) / 0x1p30);
#endif
  free(table.rows);
  bench_close_csv(csv, arguments.csv);
  return EXIT_SUCCESS;
}
