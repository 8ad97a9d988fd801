// Reads and writes files of unsigned 32-bit numbers, one a line, all or nothing. Include it first.
//
// A line is 0 or [1-9][0-9]*, at most 4294967295; the last line's newline may be missing. Every
// function here ends the program with a message on standard error where it cannot do its work: exit
// status 1, or 2 for a wrong command line.
#ifndef EXAMPLES_NUMBERS_H_
#define EXAMPLES_NUMBERS_H_

#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700  // realpath, fchmod, fileno, getpid, chdir under -std=c11
#endif

#include <fcntl.h>
#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "examples/example.h"

enum { NUMBERS_USAGE_STATUS = 2 };

typedef struct {
  uint32_t *values;  // to be freed
  size_t count;
} numbers;

// NULL and *value, or why the text is not a number.
static inline const char *number_parse(const char *text, size_t length, uint32_t *value) {
  uint64_t parsed = 0;
  if (length == 0) return "there is no number";
  for (size_t i = 0; i < length; i++) {
    const unsigned digit = (unsigned)(unsigned char)text[i] - '0';
    if (digit > 9) return "not a number in decimal digits";
    parsed = parsed > UINT32_MAX ? parsed : parsed * 10 + digit;
  }
  if (text[0] == '0' && length > 1) return "a number has no leading zero";
  if (parsed > UINT32_MAX) return "a number is at most 4294967295";
  *value = (uint32_t)parsed;
  return NULL;
}

// Prints a line of the input, as far as it can be shown on one line of a terminal.
static inline void numbers_show_text(const char *text, size_t length) {
  const size_t longest = 40;
  for (size_t i = 0; i < length && i < longest; i++) {
    const unsigned char byte = (unsigned char)text[i];
    if (byte >= ' ' && byte <= '~' && byte != '\\') {
      fputc(byte, stderr);
    } else {
      fprintf(stderr, "\\x%02x", byte);
    }
  }
  if (length > longest) fputs("...", stderr);
}

// All bytes of a file, "-" being standard input, and a byte 0 after them.
static inline char *numbers_read_text(const char *file, size_t *length) {
  FILE *stream = strcmp(file, "-") == 0 ? stdin : fopen(file, "rb");
  size_t capacity = 1 << 16, used = 0;
  char *text = (char *)example_allocate(capacity);
  if (stream == NULL) {
    fprintf(stderr, "%s: %s\n", file, strerror(errno));
    exit(EXIT_FAILURE);
  }
  for (;;) {
    const size_t got = fread(text + used, 1, capacity - used, stream);
    used += got;
    if (used < capacity) break;
    text = (char *)realloc(text, capacity *= 2);
    if (text == NULL) {
      fprintf(stderr, "%s: out of memory\n", file);
      exit(EXIT_FAILURE);
    }
  }
  if (ferror(stream)) {
    fprintf(stderr, "%s: %s\n", file, strerror(errno));
    exit(EXIT_FAILURE);
  }
  if (stream != stdin) fclose(stream);
  text[used] = '\0';
  *length = used;
  return text;
}

// Reads every line of a file, "-" being standard input. A wrong line is reported as FILE:LINE.
static inline numbers numbers_read(const char *file) {
  size_t length, lines = 0;
  char *text = numbers_read_text(file, &length);
  const char *const end = text + length;
  numbers read = {NULL, 0};
  for (const char *at = text; at < end; lines++) {
    const char *newline = (const char *)memchr(at, '\n', (size_t)(end - at));
    at = newline != NULL ? newline + 1 : end;
  }
  if (lines > UINT32_MAX) {
    fprintf(stderr, "%s: more than 4294967295 numbers\n", file);
    exit(EXIT_FAILURE);
  }
  read.values = (uint32_t *)example_allocate(lines * sizeof(uint32_t));
  for (const char *at = text; at < end;) {
    const char *newline = (const char *)memchr(at, '\n', (size_t)(end - at));
    const char *stop = newline != NULL ? newline : end;
    const char *wrong = number_parse(at, (size_t)(stop - at), &read.values[read.count++]);
    if (wrong != NULL) {
      fprintf(stderr, "%s:%zu: %s: '", file, read.count, wrong);
      numbers_show_text(at, (size_t)(stop - at));
      fputs("'\n", stderr);
      exit(EXIT_FAILURE);
    }
    at = newline != NULL ? newline + 1 : end;
  }
  free(text);
  return read;
}

// The numbers as text, one a line.
static inline char *numbers_to_text(numbers n, size_t *length) {
  enum { LONGEST_LINE = 11 };
  char *text = (char *)example_allocate(n.count * LONGEST_LINE), *at = text;
  for (size_t i = 0; i < n.count; i++) {
    char digits[LONGEST_LINE];
    size_t first = LONGEST_LINE;
    uint32_t rest = n.values[i];
    digits[--first] = '\n';
    do {
      digits[--first] = (char)('0' + rest % 10);
      rest /= 10;
    } while (rest > 0);
    memcpy(at, digits + first, LONGEST_LINE - first);
    at += LONGEST_LINE - first;
  }
  *length = (size_t)(at - text);
  return text;
}

// A standard stream that is closed stays unusable: else the next file that anybody opens, the CUDA
// runtime for one, would take its place and be written to. Called first of all.
static inline void numbers_hold_streams(void) {
  for (int stream = 0; stream <= 2; stream++)
    if (fcntl(stream, F_GETFD) == -1 &&
        open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY) != stream)
      exit(EXIT_FAILURE);
}

// Writes, and closes what is not standard output; false, with errno set, if any byte did not
// arrive.
static inline bool numbers_write_text(FILE *stream, const char *text, size_t length) {
  const bool written = fwrite(text, 1, length, stream) == length && fflush(stream) == 0;
  const int error = errno;
  const bool closed = stream == stdout || fclose(stream) == 0;
  if (!written) errno = error;
  return written && closed;
}

// Replaces a regular file, or makes a new one, so that it has all of the text or is as it was: the
// text is written beside it and renamed. A link to a file stays a link, and a replaced file keeps
// its permissions.
static inline bool numbers_replace_file(const char *path, const struct stat *existing,
                                        const char *text, size_t length) {
  char *resolved = existing != NULL ? realpath(path, NULL) : NULL;
  const char *target = resolved != NULL ? resolved : path;
  const size_t bytes = strlen(target) + 32;
  char *beside = (char *)example_allocate(bytes);
  bool done = false;
  FILE *stream;
  snprintf(beside, bytes, "%s.partial-%ld", target, (long)getpid());
  stream = existing != NULL && access(target, W_OK) != 0 ? NULL : fopen(beside, "wbx");
  if (stream != NULL) {
    const bool kept = existing == NULL || fchmod(fileno(stream), existing->st_mode & 07777) == 0;
    done = numbers_write_text(stream, text, length) && kept && rename(beside, target) == 0;
    if (!done) {
      const int error = errno;
      remove(beside);
      errno = error;
    }
  }
  free(beside);
  free(resolved);
  return done;
}

// Ends the program unless all that was printed on standard output has arrived.
static inline void numbers_finish(void) {
  if (fflush(stdout) == 0 && !ferror(stdout)) return;
  fprintf(stderr, "standard output: %s\n", strerror(errno));
  exit(EXIT_FAILURE);
}

// Writes the text: to standard output where path is NULL or "-", else to the file of that name,
// which is written completely or left as it was. What is no regular file (a device, a pipe) is
// written as it stands.
static inline void numbers_save(const char *text, size_t length, const char *path) {
  const bool standard = path == NULL || strcmp(path, "-") == 0;
  struct stat existing, output;
  const bool exists = !standard && stat(path, &existing) == 0;
  bool done;
  if (standard || (exists && fstat(STDOUT_FILENO, &output) == 0 &&
                   existing.st_dev == output.st_dev && existing.st_ino == output.st_ino)) {
    done = numbers_write_text(stdout, text, length);
  } else if (exists && !S_ISREG(existing.st_mode)) {
    FILE *stream = fopen(path, "wb");
    done = stream != NULL && numbers_write_text(stream, text, length);
  } else {
    done = numbers_replace_file(path, exists ? &existing : NULL, text, length);
  }
  if (done) return;
  fprintf(stderr, "%s: %s\n", standard ? "standard output" : path, strerror(errno));
  exit(EXIT_FAILURE);
}

// Saves the numbers, one a line.
static inline void numbers_write(numbers n, const char *path) {
  size_t length;
  char *text = numbers_to_text(n, &length);
  numbers_save(text, length, path);
  free(text);
}

// A million numbers of every length in bits, from 0 to 32, so that small and equal ones occur too.
static inline numbers numbers_make_up(uint64_t seed) {
  numbers made = {NULL, 1000000};
  made.values = (uint32_t *)example_allocate(made.count * sizeof(uint32_t));
  for (size_t i = 0; i < made.count; i++) {
    const unsigned bits = example_random(&seed) % 33;
    const uint32_t number = example_random(&seed);
    made.values[i] = bits == 0 ? 0 : number >> (32 - bits);
  }
  return made;
}

// Prints eight of the numbers, evenly spread from the first to the last, on standard output.
static inline void numbers_show(const char *title, numbers n) {
  printf("%s:", title);
  for (size_t i = 0; i < 8 && n.count > 0; i++) {
    printf(" %lu", (unsigned long)n.values[i * (n.count - 1) / 7]);
  }
  printf("\n");
}

// Bazel runs a program in a folder of its own and says where it was called; names of files are
// meant from there.
static inline void numbers_enter_callers_folder(void) {
  const char *folder = getenv("BUILD_WORKING_DIRECTORY");
  if (folder != NULL && chdir(folder) != 0) {
    fprintf(stderr, "%s: %s\n", folder, strerror(errno));
    exit(EXIT_FAILURE);
  }
}

// Ends the program after a wrong command line; what is wrong has been printed.
static inline void numbers_refuse_usage(const char *program) {
  fprintf(stderr, "Try '%s --help'.\n", program);
  exit(NUMBERS_USAGE_STATUS);
}

// The next option, or -1: getopt_long, of options of which one is --help. `usage` has a %s for the
// program's name.
static inline int numbers_option(int argc, char **argv, const char *letters,
                                 const struct option *options, const char *usage) {
  const int option = getopt_long(argc, argv, letters, options, NULL);
  if (option == 'h') {
    printf(usage, argv[0]);
    numbers_finish();
    exit(EXIT_SUCCESS);
  }
  if (option == '?') numbers_refuse_usage(argv[0]);
  return option;
}

// What --help says of what programs that write numbers have in common.
#define NUMBERS_OUTPUT_USAGE                                                            \
  "  -o, --output FILE  write to FILE, completely or not at all, instead of standard\n" \
  "                     output\n"                                                       \
  "  -h, --help         show this help\n"

// The FILE operand, or NULL without one; more than one, or an output without an input, is refused.
static inline const char *numbers_operand(int argc, char **argv, const char *output) {
  if (argc - optind > 1) {
    fprintf(stderr, "%s: one FILE at most: '%s'\n", argv[0], argv[optind + 1]);
    numbers_refuse_usage(argv[0]);
  }
  if (optind == argc && output != NULL) {
    fprintf(stderr, "%s: --output needs a FILE to read, or - for standard input\n", argv[0]);
    numbers_refuse_usage(argv[0]);
  }
  return optind < argc ? argv[optind] : NULL;
}

#endif  // EXAMPLES_NUMBERS_H_
