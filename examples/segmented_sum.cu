// A sparse matrix times a vector: a product for every entry, and a segmented sum over the rows.
//
// After Blelloch, Heroux and Zagha 1993. Where rows differ in length, a thread a row leaves most
// threads waiting for the longest; a segmented scan divides the entries, not the rows.
#include "examples/matrix_market.h"

#include <float.h>

#include "scan/scan.h"

SCAN_OPERATOR_ADD(double, add)
SCAN_DEFINE_SEGMENTED(double, add, 0.0)

typedef struct {
  const double *values, *vector;
  const uint32_t *columns;
  double *products;
  uint32_t count;
} terms;

SCAN_KERNEL(make_products, terms, t) {
  const size_t index = EXAMPLE_INDEX;
  if (index < t.count) t.products[index] = t.values[index] * t.vector[t.columns[index]];
}

// The matrix times a vector with an element a column: an element a row, to be freed.
static double *multiply(matrix m, const double *vector) {
  const matrix_rows sorted = matrix_by_rows(m);
  const uint32_t *offsets =
      (uint32_t *)example_to_device(sorted.offsets, ((size_t)m.rows + 1) * sizeof(uint32_t));
  double *sums = (double *)example_device_memory(m.rows * sizeof(double)), *result;
  scan_workspace *workspace;
  terms t;
  t.values = (double *)example_to_device(sorted.values, m.count * sizeof(double));
  t.vector = (double *)example_to_device(vector, m.columns * sizeof(double));
  t.columns = (uint32_t *)example_to_device(sorted.columns, m.count * sizeof(uint32_t));
  t.products = (double *)example_device_memory(m.count * sizeof(double));
  t.count = m.count;
  EXAMPLE_CHECK(
      scan_workspace_create(&workspace, scan_double_add_segmented_workspace_bytes(m.count), 0));

  EXAMPLE_LAUNCH_EACH(make_products, m.count, t);
  EXAMPLE_CHECK(scan_double_add_segmented_reduce(
      workspace, t.products, scan_segments_from_offsets(offsets, m.rows), sums, m.count, 0));

  result = (double *)example_to_host(sums, m.rows * sizeof(double));
  EXAMPLE_CHECK(scan_workspace_destroy(workspace));
  EXAMPLE_CHECK(cudaFree((void *)offsets));
  EXAMPLE_CHECK(cudaFree(sums));
  EXAMPLE_CHECK(cudaFree((void *)t.values));
  EXAMPLE_CHECK(cudaFree((void *)t.vector));
  EXAMPLE_CHECK(cudaFree((void *)t.columns));
  EXAMPLE_CHECK(cudaFree(t.products));
  free(sorted.offsets);
  free(sorted.columns);
  free(sorted.values);
  return result;
}

// What one loop over the entries, as they come, finds of a row.
typedef struct {
  double sum, magnitude;  // of the products, and of their absolute values
  uint32_t count;
  bool integer;  // all values are
} row_sum;

// Compares with one loop over the entries, and prints what was compared in a line on `report`.
//
// The vector is of whole numbers. Where the values of a row are so too and the products' magnitude
// is below 2^53, every order of additions gives the one exact sum. Else k products that are rounded
// and added in any order miss their sum by at most k u / (1 - k u) of the magnitude, with u half of
// DBL_EPSILON (Higham 2002, section 3.1): two such sums differ by k DBL_EPSILON of it and a little,
// for which the bound here is doubled. No product is inexact for being below the normal numbers,
// since a multiple of what is below them is exact.
static void check(matrix m, const double *vector, const double *computed, const char *source,
                  FILE *report) {
  row_sum *rows = (row_sum *)example_allocate(m.rows * sizeof(row_sum));
  uint32_t empty = 0, longest = 0, exact = 0;
  for (size_t row = 0; row < m.rows; row++) {
    rows[row].sum = rows[row].magnitude = 0.0;
    rows[row].count = 0;
    rows[row].integer = true;
  }
  for (uint32_t i = 0; i < m.count; i++) {
    const matrix_entry entry = m.entries[i];
    const double product = entry.value * vector[entry.column];
    rows[entry.row].sum += product;
    rows[entry.row].magnitude += fabs(product);
    rows[entry.row].count++;
    if (entry.value != floor(entry.value)) rows[entry.row].integer = false;
  }
  for (size_t row = 0; row < m.rows; row++) {
    const row_sum r = rows[row];
    const bool same = r.integer && r.magnitude < 0x1p53;
    const double bound = same ? 0.0 : 2.0 * r.count * DBL_EPSILON * r.magnitude;
    if (r.magnitude > DBL_MAX / 2) {
      fprintf(stderr, "segmented_sum: %s: row %zu: the products are too large to add up\n", source,
              row + 1);
      exit(EXIT_FAILURE);
    }
    if (!(fabs(computed[row] - r.sum) <= bound)) {
      fprintf(stderr, "segmented_sum: %s: row %zu of %lu: %.17g, expected %.17g within %g\n",
              source, row + 1, (unsigned long)m.rows, computed[row], r.sum, bound);
      exit(EXIT_FAILURE);
    }
    empty += r.count == 0;
    exact += same;
    if (r.count > longest) longest = r.count;
  }
  fprintf(report,
          "segmented_sum: %s: %lu rows (%lu empty), %lu columns, %lu entries (%lu in the longest "
          "row): %lu rows exactly as by one loop, %lu within rounding (%s)\n",
          source, (unsigned long)m.rows, (unsigned long)empty, (unsigned long)m.columns,
          (unsigned long)m.count, (unsigned long)longest, (unsigned long)exact,
          (unsigned long)(m.rows - exact), example_device());
  free(rows);
}

// A hundred thousand entries and some more, integers from -1024 to 1023: every third row is empty,
// and one row has the entries of all these.
static matrix make_up(uint64_t state) {
  matrix m;
  uint32_t longest;
  m.rows = 5000 + example_random(&state) % 5000;
  m.columns = 5000 + example_random(&state) % 5000;
  m.count = 100000 + example_random(&state) % 10000;
  m.entries = (matrix_entry *)example_allocate(m.count * sizeof(matrix_entry));
  longest = example_random(&state) % m.rows;
  for (uint32_t i = 0; i < m.count; i++) {
    const uint32_t row = example_random(&state) % m.rows;
    m.entries[i].row = row % 3 == 0 ? longest : row;
    m.entries[i].column = example_random(&state) % m.columns;
    m.entries[i].value = (double)(example_random(&state) % 2048) - 1024.0;
  }
  return m;
}

// Writes the elements to standard output, one a line and so that they can be read back exactly.
static void write_elements(const double *elements, size_t count) {
  enum { LONGEST_LINE = 25 };  // -1.2345678901234567e+308 and the newline
  char *text = (char *)example_allocate(count * LONGEST_LINE + 1), *at = text;
  for (size_t i = 0; i < count; i++) at += sprintf(at, "%.17g\n", elements[i]);
  numbers_save(text, (size_t)(at - text), NULL);
  free(text);
}

static const char usage[] =
    "usage: %s [FILE]\n"
    "\n"
    "Multiplies the sparse matrix in FILE, or in standard input where FILE is -, by the\n"
    "vector 1, 2, 3, ..., compares the product with what one loop gives, and prints it,\n"
    "an element a line. FILE is in Matrix Market form: coordinates, real, integer or\n"
    "pattern, general, symmetric or skew-symmetric. Without FILE it takes a made-up\n"
    "matrix and prints only what was compared.\n"
    "\n"
    "  -h, --help  show this help\n";

int main(int argc, char **argv) {
  static const struct option options[] = {{"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};
  const char *file;
  char made_up[64];
  double *vector, *product;
  matrix m;
  numbers_hold_streams();
  (void)numbers_option(argc, argv, "h", options, usage);
  file = numbers_operand(argc, argv, NULL);
  if (file != NULL) {
    numbers_enter_callers_folder();
    m = market_read(file);
  } else {
    const uint64_t seed = example_seed();
    snprintf(made_up, sizeof made_up, "made up from seed %llu", (unsigned long long)seed);
    m = make_up(seed);
  }
  vector = (double *)example_allocate(m.columns * sizeof(double));
  for (uint32_t i = 0; i < m.columns; i++) vector[i] = (double)i + 1.0;
  product = multiply(m, vector);
  check(m, vector, product, file != NULL ? file : made_up, file != NULL ? stderr : stdout);
  if (file != NULL) write_elements(product, m.rows);
  numbers_finish();
  free(m.entries);
  free(vector);
  free(product);
  return EXIT_SUCCESS;
}
