// A struct of several words and the operator that adds them, for resource tests.
#ifndef SCAN_TESTS_RESOURCES_SUM_H
#define SCAN_TESTS_RESOURCES_SUM_H

#include "scan/scan.h"

// The struct `type` and add_<type>.
#define SUM_OF_WORDS(type, Word, count)                                              \
  typedef struct type {                                                              \
    Word word[count];                                                                \
  } type;                                                                            \
  SCAN_OPERATOR type add_##type(type earlier, type later) {                          \
    for (int i = 0; i < count; ++i) later.word[i] = earlier.word[i] + later.word[i]; \
    return later;                                                                    \
  }

#endif
