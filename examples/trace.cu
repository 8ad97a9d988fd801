// Shows a block strategy at work: the section after each step, as text and as the picture that the
// chapter draws. For the host target alone, as only there each state can be looked at.
#include "examples/numbers.h"
#include "examples/trace.h"

enum { NUMBERS_MOST = 64 };

// "x3", "x0..x3", or nothing.
static void write_range(FILE *to, const trace_element *element) {
  if (element->count == 0) return;
  fprintf(to, "x%u", (unsigned)element->first);
  if (element->count > 1) fprintf(to, "..x%u", (unsigned)element->first + element->count - 1u);
}

// What a row is: at most 9 characters.
static void write_row_name(FILE *to, const trace *shown, uint32_t row) {
  static const char *const names[] = {"input", "placed", "own items", "step", "result"};
  uint32_t step = 0;
  for (uint32_t i = 0; i <= row; i++) step += shown->kind[i] == TRACE_STEP;
  if (shown->kind[row] == TRACE_STEP) {
    fprintf(to, "step %lu", (unsigned long)step);
  } else {
    fputs(names[shown->kind[row]], to);
  }
}

// A place without an element is a dash.
static void write_value(FILE *to, const trace *shown, uint32_t row, uint32_t column) {
  const trace_element *element = &shown->cell[row][column].element;
  if (element->count == 0 && element->first != TRACE_NONE) {
    fputc('-', to);
  } else {
    fprintf(to, "%llu", (unsigned long long)element->sum);
  }
}

static int digits_of_largest(const trace *shown) {
  uint64_t largest = 0;
  for (uint32_t row = 0; row < shown->rows; row++)
    for (uint32_t i = 0; i < shown->columns; i++)
      if (shown->cell[row][i].element.sum > largest) largest = shown->cell[row][i].element.sum;
  return snprintf(NULL, 0, "%llu", (unsigned long long)largest);
}

// Text written into memory, to be freed.
typedef struct {
  FILE *stream;
  char *text;
  size_t length;
} page;

static void page_open(page *opened) {
  opened->text = NULL;
  opened->stream = open_memstream(&opened->text, &opened->length);
  if (opened->stream == NULL) {
    perror("trace");
    exit(EXIT_FAILURE);
  }
}

static void page_close(page *closed) {
  if (fclose(closed->stream) == 0) return;
  perror("trace");
  exit(EXIT_FAILURE);
}

static void write_text(FILE *to, const trace *shown) {
  const int width = digits_of_largest(shown) + 1;
  for (uint32_t row = 0; row < shown->rows; row++) {
    page cell;
    page_open(&cell);
    write_row_name(cell.stream, shown, row);
    page_close(&cell);
    fprintf(to, "%-9s", cell.text);
    free(cell.text);
    for (uint32_t i = 0; i < shown->columns; i++) {
      page_open(&cell);
      write_value(cell.stream, shown, row, i);
      page_close(&cell);
      fprintf(to, "%*s", width, cell.text);
      free(cell.text);
      if (shown->cell[row][i].changed)
        fputc('*', to);
      else if (i + 1 < shown->columns)
        fputc(' ', to);
    }
    fputc('\n', to);
  }
}

// Where the picture has things, in pixels.
enum { MARGIN = 12, NAMES = 84, LETTER = 7, LINE = 92, BOX = 32, ROUND = 8, ABOVE = 26 };

typedef struct {
  int pitch, box;  // of columns; width of a box
} layout;

static int column_x(layout l, uint32_t column) {
  return MARGIN + NAMES + l.pitch / 2 + (int)column * l.pitch;
}
static int row_y(uint32_t row) { return MARGIN + BOX + (int)row * LINE; }

// From what lies at (x, y), the middle of its box, to the sign above the box at (to_x, to_y).
static void draw_operand(FILE *to, layout l, int x, int y, int to_x, int to_y) {
  const bool same_row = y == to_y;
  const int from_x = same_row ? x + l.box / 2 : x, from_y = same_row ? y : y + BOX / 2;
  const int side = x == to_x ? 0 : x < to_x ? -1 : 1;
  fprintf(to, "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" marker-end=\"url(#arrow)\"/>\n",
          from_x, from_y, to_x + side * ROUND, to_y - ABOVE - (side == 0 ? ROUND : ROUND / 2));
}

// A box with what came into a column, and lines from where.
static void draw_cell(FILE *to, layout l, const trace *shown, uint32_t row, uint32_t column) {
  const trace_cell *cell = &shown->cell[row][column];
  const trace_element *element = &cell->element;
  const int x = column_x(l, column), y = row_y(row);
  if (row > 0 && element->count > 0) {
    const bool joined = element->earlier != TRACE_NONE;
    if (joined) {
      /* Where a thread goes along its own items, what it adds to is in the same row. */
      const trace_element *before = &shown->cell[row - 1][element->earlier].element;
      const trace_element *later = &shown->cell[row - 1][element->column].element;
      const bool above =
          before->first == element->first && before->first + before->count == later->first;
      draw_operand(to, l, column_x(l, element->earlier), row_y(above ? row - 1 : row), x, y);
      fprintf(to, "<circle cx=\"%d\" cy=\"%d\" r=\"%d\"/>\n", x, y - ABOVE, ROUND);
      fprintf(to, "<path d=\"M%d %dh%dM%d %dv%d\"/>\n", x - ROUND / 2, y - ABOVE, ROUND, x,
              y - ABOVE - ROUND / 2, ROUND);
    }
    if (element->column != column)
      draw_operand(to, l, column_x(l, element->column), row_y(row - 1), x,
                   joined ? y : y + ABOVE - BOX / 2);
  }
  fprintf(to, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n<text x=\"%d\" y=\"%d\">",
          x - l.box / 2, y - BOX / 2, l.box, BOX, x, y - 2);
  write_value(to, shown, row, column);
  fprintf(to, "</text>\n<text class=\"range\" x=\"%d\" y=\"%d\">", x, y + 11);
  write_range(to, element);
  fputs("</text>\n", to);
}

// Time runs downwards, and each column is a line; as figures 8.1, 8.3 and 8.4 of the chapter.
static void write_svg(FILE *to, const trace *shown, const char *title) {
  const int digits = digits_of_largest(shown);
  const int letters = digits > 8 ? digits : 8; /* "x10..x15" */
  layout l;
  int width, height;
  l.box = letters * LETTER + 2;
  l.pitch = l.box + 3 * ROUND;
  width = column_x(l, shown->columns) - l.pitch / 2 + MARGIN;
  height = row_y(shown->rows - 1) + BOX + MARGIN;
  fprintf(to,
          "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
          "viewBox=\"0 0 %d %d\">\n<title>%s</title>\n"
          "<style>line,path,rect,circle{stroke:#333;fill:none}rect,circle{fill:#fff}"
          ".page{stroke:none}.column{stroke:#bbb}text{font:12px sans-serif;text-anchor:middle;"
          "fill:#000}.range{font-size:9px;fill:#555}.name{text-anchor:start}</style>\n"
          "<defs><marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"7\" "
          "markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" style=\"fill:#333\"/>"
          "</marker></defs>\n"
          "<rect class=\"page\" width=\"%d\" height=\"%d\"/>\n",
          width, height, width, height, title, width, height);
  for (uint32_t i = 0; i < shown->columns; i++)
    fprintf(to, "<line class=\"column\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>\n",
            column_x(l, i), row_y(0), column_x(l, i), height - MARGIN);
  for (uint32_t row = 0; row < shown->rows; row++) {
    fprintf(to, "<text class=\"name\" x=\"%d\" y=\"%d\">", MARGIN, row_y(row) + 4);
    write_row_name(to, shown, row);
    fputs("</text>\n", to);
    for (uint32_t i = 0; i < shown->columns; i++)
      if (shown->cell[row][i].changed || (row == 0 && shown->cell[row][i].element.count > 0))
        draw_cell(to, l, shown, row, i);
  }
  fputs("</svg>\n", to);
}

// The results are those of a loop over the numbers, of all inputs in their order.
static void check(const trace *shown, const uint32_t *numbers, uint32_t count, bool exclusive) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < count; i++) {
    const trace_element *found = &shown->cell[shown->rows - 1][i].element;
    if (!exclusive) sum += numbers[i];
    const uint32_t inputs = exclusive ? i : i + 1;
    if (found->sum != sum || found->first != (inputs == 0 ? TRACE_NONE : 0) ||
        found->count != inputs) {
      fprintf(stderr, "trace: result %lu is %llu, but the sequential scan has %llu\n",
              (unsigned long)i, (unsigned long long)found->sum, (unsigned long long)sum);
      exit(EXIT_FAILURE);
    }
    if (exclusive) sum += numbers[i];
  }
}

static const trace_strategy *strategy_of(const char *program, const char *name) {
  for (int i = 0; name != NULL && i < TRACE_STRATEGIES; i++)
    if (strcmp(trace_strategies[i]->name, name) == 0) return trace_strategies[i];
  if (name == NULL) {
    fprintf(stderr, "%s: --strategy is missing; there are:", program);
  } else {
    fprintf(stderr, "%s: no strategy '%s'; there are:", program, name);
  }
  for (int i = 0; i < TRACE_STRATEGIES; i++) fprintf(stderr, " %s", trace_strategies[i]->name);
  fputc('\n', stderr);
  numbers_refuse_usage(program);
  return NULL;
}

static uint32_t read_numbers(int argc, char **argv, uint32_t *numbers) {
  const int count = argc - optind;
  if (count < 1 || count > NUMBERS_MOST) {
    fprintf(stderr, "%s: %d numbers: from 1 to %d are needed\n", argv[0], count, (int)NUMBERS_MOST);
    numbers_refuse_usage(argv[0]);
  }
  for (int i = 0; i < count; i++) {
    const char *text = argv[optind + i];
    const char *wrong = number_parse(text, strlen(text), &numbers[i]);
    if (wrong == NULL) continue;
    fprintf(stderr, "%s: number %d: %s: '", argv[0], i + 1, wrong);
    numbers_show_text(text, strlen(text));
    fputs("'\n", stderr);
    numbers_refuse_usage(argv[0]);
  }
  return (uint32_t)count;
}

static const char usage[] =
    "usage: %s --strategy NAME [--exclusive] [--svg FILE] NUMBER...\n"
    "\n"
    "Scans 1 to 64 unsigned 32-bit numbers by the block strategy NAME and prints the section\n"
    "after each step; * marks what the step changed, - a place without an element.\n"
    "\n"
    "  -s, --strategy NAME  hillis_steele, kogge_stone, kogge_stone_exclusive, brent_kung,\n"
    "                       blelloch, three_phase (4 numbers a thread)\n"
    "  -e, --exclusive      what comes before each number, instead of up to it\n"
    "      --svg FILE       draw it, too: columns are numbers, rows are steps\n"
    "  -h, --help           show this help\n";

int main(int argc, char **argv) {
  static const struct option options[] = {{"strategy", required_argument, NULL, 's'},
                                          {"exclusive", no_argument, NULL, 'e'},
                                          {"svg", required_argument, NULL, 'v'},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
  const char *name = NULL, *svg = NULL;
  bool exclusive = false;
  const trace_strategy *strategy;
  uint32_t numbers[NUMBERS_MOST], count;
  const trace *shown;
  page text;
  numbers_hold_streams();
  for (int option; (option = numbers_option(argc, argv, "s:eh", options, usage)) != -1;) {
    if (option == 's') name = optarg;
    if (option == 'e') exclusive = true;
    if (option == 'v') svg = optarg;
  }
  strategy = strategy_of(argv[0], name);
  count = read_numbers(argc, argv, numbers);
  shown = trace_run(strategy, numbers, count, exclusive);
  check(shown, numbers, count, exclusive);
  if (svg != NULL) {
    char title[80];
    page drawing;
    snprintf(title, sizeof title, "%s, %s", name, exclusive ? "exclusive" : "inclusive");
    page_open(&drawing);
    write_svg(drawing.stream, shown, title);
    page_close(&drawing);
    numbers_enter_callers_folder();
    numbers_save(drawing.text, drawing.length, svg);
    free(drawing.text);
  }
  page_open(&text);
  write_text(text.stream, shown);
  fprintf(text.stream, "%s, %s: %llu operations, %llu steps; all as by the sequential scan\n", name,
          exclusive ? "exclusive" : "inclusive", (unsigned long long)shown->counts.operators,
          (unsigned long long)shown->counts.steps);
  page_close(&text);
  numbers_save(text.text, text.length, NULL);
  free(text.text);
  return EXIT_SUCCESS;
}
