// Reads a sparse matrix in Matrix Market form, and orders its entries by row. Include it first.
//
// The form is that of https://math.nist.gov/MatrixMarket/formats.html: a header, comments, a line
// of sizes, then an entry a line. What is read are coordinates that are real, integer or pattern
// (every value is 1), and general, symmetric or skew-symmetric. Anything else ends the program with
// FILE:LINE and what is wrong there: exit status 1.
#ifndef EXAMPLES_MATRIX_MARKET_H_
#define EXAMPLES_MATRIX_MARKET_H_

#include "examples/numbers.h"

#include <math.h>
#include <strings.h>

typedef struct {
  uint32_t row, column;  // from 0 on
  double value;
} matrix_entry;

// A sparse matrix by its entries, in any order; of several in one place the values add up.
typedef struct {
  uint32_t rows, columns, count;
  matrix_entry *entries;  // to be freed
} matrix;

// The same by rows: row r holds the entries from offsets[r] to offsets[r + 1] - 1.
typedef struct {
  uint32_t *offsets, *columns;  // to be freed, all three
  double *values;
} matrix_rows;

// A stable counting sort.
static inline matrix_rows matrix_by_rows(matrix m) {
  matrix_rows sorted;
  uint32_t before = 0;
  sorted.offsets = (uint32_t *)example_allocate(((size_t)m.rows + 1) * sizeof(uint32_t));
  sorted.columns = (uint32_t *)example_allocate(m.count * sizeof(uint32_t));
  sorted.values = (double *)example_allocate(m.count * sizeof(double));
  memset(sorted.offsets, 0, ((size_t)m.rows + 1) * sizeof(uint32_t));
  for (uint32_t i = 0; i < m.count; i++) sorted.offsets[m.entries[i].row]++;
  // At first each offset is the end of its row; an entry that is placed, the last of them first,
  // moves it back by one, in the end to the row's start.
  for (size_t row = 0; row <= m.rows; row++) before = sorted.offsets[row] += before;
  for (uint32_t i = m.count; i-- > 0;) {
    const uint32_t place = --sorted.offsets[m.entries[i].row];
    sorted.columns[place] = m.entries[i].column;
    sorted.values[place] = m.entries[i].value;
  }
  return sorted;
}

// Where the reader is: in a line, or behind the last one with line == NULL.
typedef struct {
  const char *file;
  const char *line, *at, *stop;  // the line, what of it is still to be read, and its end
  const char *next, *end;        // the lines behind it; a byte 0 ends them
  size_t number;                 // of the line, from 1 on
} market_reader;

static inline void market_refuse(const market_reader *r, const char *wrong) {
  fprintf(stderr, "%s:%zu: %s", r->file, r->number, wrong);
  if (r->line != NULL) {
    fputs(": '", stderr);
    numbers_show_text(r->line, (size_t)(r->stop - r->line));
    fputc('\'', stderr);
  }
  fputc('\n', stderr);
  exit(EXIT_FAILURE);
}

static inline bool market_next_line(market_reader *r) {
  const char *newline = (const char *)memchr(r->next, '\n', (size_t)(r->end - r->next));
  r->number++;
  r->line = r->at = r->next < r->end ? r->next : NULL;
  r->stop = newline != NULL ? newline : r->end;
  r->next = newline != NULL ? newline + 1 : r->end;
  return r->line != NULL;
}

static inline bool market_is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// The next word of the line; its length is 0 where there is none.
static inline const char *market_word(market_reader *r, size_t *length) {
  const char *word;
  while (r->at < r->stop && market_is_blank(*r->at)) r->at++;
  word = r->at;
  while (r->at < r->stop && !market_is_blank(*r->at)) r->at++;
  *length = (size_t)(r->at - word);
  return word;
}

static inline void market_end_line(market_reader *r) {
  size_t length;
  market_word(r, &length);
  if (length > 0) market_refuse(r, "there is more than belongs on this line");
}

// The next line with a word on it.
static inline bool market_next_words(market_reader *r) {
  while (market_next_line(r)) {
    size_t length;
    market_word(r, &length);
    r->at = r->line;
    if (length > 0) return true;
  }
  return false;
}

// Which of the choices, of which NULL is the last, the next word is; upper and lower case are one.
static inline int market_choice(market_reader *r, const char *const *choices, const char *wrong) {
  size_t length;
  const char *word = market_word(r, &length);
  for (int i = 0; choices[i] != NULL; i++)
    if (strlen(choices[i]) == length && strncasecmp(choices[i], word, length) == 0) return i;
  market_refuse(r, wrong);
  return 0;
}

static inline uint32_t market_number(market_reader *r) {
  size_t length;
  const char *word = market_word(r, &length), *wrong;
  uint32_t number = 0;
  for (; length > 1 && *word == '0'; length--) word++;
  wrong = number_parse(word, length, &number);
  if (wrong != NULL) market_refuse(r, wrong);
  return number;
}

// A row or a column, from 1 to size in the file.
static inline uint32_t market_index(market_reader *r, uint32_t size, const char *wrong) {
  const uint32_t index = market_number(r);
  if (index < 1 || index > size) market_refuse(r, wrong);
  return index - 1;
}

static inline double market_value(market_reader *r, bool integer) {
  size_t length;
  const char *word = market_word(r, &length);
  // What strtod takes besides, hexadecimal numbers and nan, has other letters.
  const size_t usual = strspn(word, integer ? "+-0123456789" : "+-0123456789.eE");
  char *stop;
  const double value = strtod(word, &stop);
  if (length == 0) market_refuse(r, "there is no value");
  if (usual < length || stop != word + length)
    market_refuse(r, integer ? "the value is not an integer" : "the value is not a number");
  if (!isfinite(value)) market_refuse(r, "the value is beyond what a double holds");
  return value;
}

// "-" is standard input.
static inline matrix market_read(const char *file) {
  static const char *const banners[] = {"%%MatrixMarket", NULL}, *const objects[] = {"matrix",
                                                                                     NULL};
  static const char *const formats[] = {"coordinate", NULL};
  static const char *const fields[] = {"real", "integer", "pattern", NULL};
  static const char *const symmetries[] = {"general", "symmetric", "skew-symmetric", NULL};
  enum { INTEGER = 1, PATTERN = 2, GENERAL = 0, SKEW = 2 };
  size_t length, possible;
  char *text = numbers_read_text(file, &length);
  market_reader r = {file, NULL, NULL, NULL, text, text + length, 0};
  matrix m = {0, 0, 0, NULL};
  uint32_t count;
  int field, symmetry;

  market_next_line(&r);
  if (r.line == NULL) market_refuse(&r, "the file is empty");
  market_choice(&r, banners, "a file begins with %%MatrixMarket");
  market_choice(&r, objects, "only a 'matrix' is read");
  market_choice(&r, formats, "only the format 'coordinate' is read");
  field = market_choice(&r, fields, "only 'real', 'integer' and 'pattern' are read");
  symmetry =
      market_choice(&r, symmetries, "only 'general', 'symmetric', 'skew-symmetric' are read");
  market_end_line(&r);
  if (field == PATTERN && symmetry == SKEW) market_refuse(&r, "no pattern is skew-symmetric");

  do {
    if (!market_next_words(&r)) market_refuse(&r, "there is no line of sizes");
  } while (*r.line == '%');
  m.rows = market_number(&r);
  m.columns = market_number(&r);
  count = market_number(&r);
  market_end_line(&r);
  if (symmetry != GENERAL && m.rows != m.columns) market_refuse(&r, "the matrix is not square");
  if (symmetry != GENERAL && count > UINT32_MAX / 2) market_refuse(&r, "too many entries");

  // The file may promise more than it holds: the shortest entry has four bytes, the last one three.
  possible = (size_t)(r.end - r.next) / 4 + 1;
  if (possible > count) possible = count;
  m.entries = (matrix_entry *)example_allocate((symmetry == GENERAL ? 1 : 2) * possible *
                                               sizeof(matrix_entry));
  for (uint32_t i = 0; i < count; i++) {
    matrix_entry entry;
    if (!market_next_words(&r)) market_refuse(&r, "there are fewer entries than promised");
    entry.row = market_index(&r, m.rows, "there is no such row");
    entry.column = market_index(&r, m.columns, "there is no such column");
    entry.value = field == PATTERN ? 1.0 : market_value(&r, field == INTEGER);
    market_end_line(&r);
    if (symmetry != GENERAL && entry.row < entry.column)
      market_refuse(&r, "only the lower triangle of a symmetric matrix is told");
    if (symmetry == SKEW && entry.row == entry.column)
      market_refuse(&r, "the diagonal of a skew-symmetric matrix is not told");
    m.entries[m.count++] = entry;
    if (symmetry != GENERAL && entry.row != entry.column) {
      matrix_entry mirrored;
      mirrored.row = entry.column;
      mirrored.column = entry.row;
      mirrored.value = symmetry == SKEW ? -entry.value : entry.value;
      m.entries[m.count++] = mirrored;
    }
  }
  if (market_next_words(&r)) market_refuse(&r, "there are more entries than promised");
  free(text);
  return m;
}

#endif  // EXAMPLES_MATRIX_MARKET_H_
