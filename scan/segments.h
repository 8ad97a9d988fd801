/* Where segments start, as the client tells it, and as the scan wants it: a bit an element. */
#ifndef SCAN_SEGMENTS_H
#define SCAN_SEGMENTS_H

#include "scan/thread.h"

/* How segments are told; a client makes one by the functions below and passes it by value. The
   memory is the device's and stays the client's. */
typedef struct {
  uint32_t kind;
  uint32_t comb; /* of regular segments: the starts of 32 elements whose first is one, bits */
  const void *memory;
  size_t count;     /* of segments, where they are told by offsets */
  size_t length;    /* of every segment but the last, where they are regular */
  uint64_t inverse; /* of the length (scan_regular_segment) */
} scan_segments;

enum {
  scan_segments_flags_ = 1,
  scan_segments_flags32_,
  scan_segments_bits_,
  scan_segments_offsets_, /* from here on a segment is told by where it ends */
  scan_segments_offsets64_,
  scan_segments_regular_
};

SCAN_HOST_ scan_segments scan_segments_make_(uint32_t kind, const void *memory, size_t count,
                                             size_t length) {
  scan_segments segments;
  segments.kind = kind;
  segments.memory = memory;
  segments.count = count;
  segments.length = length;
  segments.inverse = length != 0 ? UINT64_MAX / length : 0;
  segments.comb = 0;
  for (size_t at = 0; length != 0 && at < 32; at += length) segments.comb |= 1u << at;
  return segments;
}

/* n flags, a byte or a 32-bit word each: one that is not 0 marks the first element of a segment.
   Element 0 starts one whatever its flag. */
SCAN_HOST_ scan_segments scan_segments_from_flags(const uint8_t *flags) {
  return scan_segments_make_(scan_segments_flags_, flags, 0, 0);
}
SCAN_HOST_ scan_segments scan_segments_from_flags32(const uint32_t *flags) {
  return scan_segments_make_(scan_segments_flags32_, flags, 0, 0);
}
/* The same in bits: of element i bit i % 32 of word i / 32. Words that hold no element's bit are
 * not read. */
SCAN_HOST_ scan_segments scan_segments_from_bits(const uint32_t *bits) {
  return scan_segments_make_(scan_segments_bits_, bits, 0, 0);
}
/* count + 1 offsets, ascending, the first 0 and the last n: segment s holds the elements from
   offsets[s] to offsets[s + 1] - 1, none where these are equal. What does not ascend so is not
   found out: every access stays in the arrays, and the results mean nothing. */
SCAN_HOST_ scan_segments scan_segments_from_offsets(const uint32_t *offsets, size_t count) {
  return scan_segments_make_(scan_segments_offsets_, offsets, count, 0);
}
SCAN_HOST_ scan_segments scan_segments_from_offsets64(const uint64_t *offsets, size_t count) {
  return scan_segments_make_(scan_segments_offsets64_, offsets, count, 0);
}
/* A segment every `length` elements, the last one as long as there are. */
SCAN_HOST_ scan_segments scan_segments_regular(size_t length) {
  return scan_segments_make_(scan_segments_regular_, NULL, 0, length);
}

#define SCAN_SEGMENTS_FLAGS_(kind) \
  ((kind) == scan_segments_flags_ || (kind) == scan_segments_flags32_)
#define SCAN_SEGMENTS_OFFSETS_(kind) \
  ((kind) == scan_segments_offsets_ || (kind) == scan_segments_offsets64_)
/* Bytes of a unit of the encoding, a flag, a word of bits, an offset: their logarithm. */
#define SCAN_SEGMENTS_UNIT_LOG_(kind) \
  ((kind) == scan_segments_flags_ ? 0u : (kind) == scan_segments_offsets64_ ? 3u : 2u)
#define SCAN_SEGMENTS_OFFSET_BYTES_(kind) ((kind) == scan_segments_offsets64_ ? 8u : 4u)
/* Whether it may be much that tells of a tile's starts: that takes its time, and passes through
 * shared memory on its way to be made into bits (heads.h). */
#define SCAN_SEGMENTS_PIECES_(kind) \
  ((kind) != scan_segments_bits_ && (kind) != scan_segments_regular_)

/* What a call tells a warp that looks for the entries of a short piece: all that it need not work
   out, since calls wait for that (bench/NOTES.md). */
typedef struct {
  uint64_t entries_an_element; /* on an average, times 2^32 */
  uint32_t count;              /* of the entries that it looks at first */
  uint32_t most;               /* the last that it does so from, 2^32 - 1 if that is beyond */
  uint32_t begin;              /* of a guess up to this it looks from the first of all on */
  uint32_t end;                /* and where it would do so from one beyond this, from `most` on */
  uint32_t part;               /* of all entries, or 0 in a large call */
  bool elsewhere;              /* those of a piece may lie elsewhere */
  bool large; /* 32 bits do not tell one entry from another, or count them: none counts as near */
  bool few;   /* all near are asked for at once */
} scan_view;

#ifdef SCAN_KERNELS_

/* Words of bits that a warp makes of flags at a time; entries that a lane takes at a time, of few
   and of many; those that it, and a warp, looks at first where a short piece's are thought to be,
   enough for segments of one in the rows of 4-byte elements; and those among which a second look
   finds them. */
#define SCAN_MARK_WORDS_ 8u
#define SCAN_MARK_FEW_ 2u
#define SCAN_MARK_ENTRIES_ 8u
#define SCAN_LOOK_ENTRIES_ 5u
#define SCAN_LOOK_FIRST_ (SCAN_LOOK_ENTRIES_ * SCAN_WARP_THREADS)
#define SCAN_LOOK_AGAIN_ (2 * SCAN_MARK_ENTRIES_ * SCAN_WARP_THREADS)
/* Bytes of the flags that a lane makes into 16, or of flags of 32 bits into 8, bits at a time: a
 * group of them. */
#define SCAN_GROUP_BYTES_(wide) ((wide) ? 32u : 16u)

/* What a piece of the input needs to know of its starts. Place j of the piece belongs to element
   `lowest` + j, and its bit is that numbered j + skew; where a reverse scan leaves the first
   `unused` places of the last piece empty, `lowest` lies below element 0 and wraps. Along a reverse
   scan an element starts a segment if the element above begins one. */
typedef struct {
  uint64_t lowest;
  uint32_t unused;
  uint32_t places;     /* used and unused */
  uint32_t skew;       /* less than 32: so that what tells of them need not be shifted */
  bool begins;         /* its first element along the scan starts a segment, whatever they tell */
  uint64_t first, end; /* its units: flags, words of bits, or the segments that end in it */
  uint64_t told;       /* from this unit on they tell of its starts */
} scan_extent;

/* Units in the client's memory. */
SCAN_DEVICE uint64_t scan_segments_units(const scan_segments *segments, size_t n) {
  if (segments->kind >= scan_segments_offsets_) return segments->count + 1;
  return segments->kind == scan_segments_bits_ ? (n + 31) / 32 : n;
}

/* Where a unit lies in the client's memory. */
SCAN_DEVICE const void *scan_segments_at(const scan_segments *segments, uint64_t unit) {
  return SCAN_AT_CONST_(segments->memory, unit << SCAN_SEGMENTS_UNIT_LOG_(segments->kind));
}

/* How far an element is from the start of its regular segment, and, in *segment, which that is. The
   inverse is (2^64 - 1) / length, rounded down, so the upper half of the element times it is the
   quotient, or one less (Granlund, Montgomery 1994). A division of 64 bits is a function that is
   called, and fetched late. */
SCAN_DEVICE uint64_t scan_regular_since(uint64_t *segment, const scan_segments *segments,
                                        uint64_t element) {
  const uint64_t quotient = scan_multiply_high(element, segments->inverse);
  const uint64_t since = element - quotient * segments->length;
  const bool less = since >= segments->length;
  *segment = quotient + less;
  return less ? since - segments->length : since;
}
SCAN_DEVICE uint64_t scan_regular_segment(const scan_segments *segments, uint64_t element) {
  uint64_t segment;
  (void)scan_regular_since(&segment, segments, element);
  return segment;
}

/* Where segment k - 1 ends and segment k begins, by offsets, and in any way; raw holds the units
 * from the first-th on. */
SCAN_DEVICE uint64_t scan_segments_offset(const scan_segments *segments, const void *raw,
                                          uint64_t first, uint64_t k) {
  if (segments->kind == scan_segments_offsets_) return ((const uint32_t *)raw)[k - first];
  return ((const uint64_t *)raw)[k - first];
}
SCAN_DEVICE uint64_t scan_segments_entry(const scan_segments *segments, const void *raw,
                                         uint64_t first, uint64_t k, size_t n) {
  if (SCAN_SEGMENTS_OFFSETS_(segments->kind)) return scan_segments_offset(segments, raw, first, k);
  return k < segments->count ? k * segments->length : n;
}

/* ---- finding the entries of a piece */

/* Bounds of where the entries of a piece lie: entry[0] is at most the first that lies beyond the
 * piece's first element, entry[1] at least the first beyond the element after the piece. If they
 * are not known to be near, they are still to be sought in between. */
typedef struct {
  bool known;
  uint64_t entry[2];
} scan_found;

/* Nothing is known. */
SCAN_DEVICE scan_found scan_found_nothing(const scan_segments *segments) {
  scan_found found;
  found.known = false;
  found.entry[0] = 0;
  found.entry[1] = segments->count + 1;
  return found;
}

/* A half warp looks at so many entries at once, a lane at some of them; it stops at no more than so
 * many among which what it seeks may be. */
#define SCAN_SEEK_LANES_ (SCAN_WARP_THREADS / 2)
#define SCAN_SEEK_PROBES_ 32u
#define SCAN_SEEK_NEAR_ 64u

/* The index-th entry that a half warp looks at: first entries around the guess, ever farther from
   it (Bentley, Yao 1976), then entries that cut what is left in equal parts. Ascends. */
SCAN_DEVICE uint64_t scan_seek_probe(uint64_t low, uint64_t high, uint64_t guess, bool gallops,
                                     uint32_t index) {
  if (gallops) {
    const bool below = index < SCAN_SEEK_PROBES_ / 2;
    const uint32_t step = below ? SCAN_SEEK_PROBES_ / 2 - 1 - index : index - SCAN_SEEK_PROBES_ / 2;
    const uint32_t far = 1u << step;
    const uint64_t probe = !below ? guess + far - 1 : guess > far ? guess - far : 0;
    return probe < high ? probe : high - 1;
  }
  return low + (index + 1) * ((high - low + SCAN_SEEK_PROBES_ - 1) / SCAN_SEEK_PROBES_) - 1;
}

/* An entry not above the first beyond `element`, and one not below the first beyond element +
   distance, each by SCAN_SEEK_NEAR_ at most, of those in `found`; by a whole warp, half a warp
   each. */
SCAN_DEVICE scan_found scan_seek(const scan_segments *segments, scan_found found,
                                 float entries_an_element, uint64_t element, uint64_t distance) {
  const uint32_t half = scan_lane() / SCAN_SEEK_LANES_;
  const uint32_t lane = scan_lane() % SCAN_SEEK_LANES_;
  const uint64_t target = element + half * distance;
  const uint64_t guess = (uint64_t)(int64_t)((float)(int64_t)target * entries_an_element);
  uint64_t low = found.entry[0], high = found.entry[1];
  const uint32_t wide = segments->kind == scan_segments_offsets64_;
  bool gallops = high - low > segments->count; /* a guess is all there is */
  /* Invariant: what is sought lies in [low, high]. */
  while (scan_ballot(high - low > SCAN_SEEK_NEAR_) != 0) {
    const bool seeks = high - low > SCAN_SEEK_NEAR_;
    bool beyond[SCAN_SEEK_PROBES_ / SCAN_SEEK_LANES_];
    uint32_t word[SCAN_SEEK_PROBES_ / SCAN_SEEK_LANES_][2];
    uint32_t before = 0; /* probes that are not beyond */
    /* Words are asked for all at once. One that is not there gives way to one that is. */
    SCAN_UNROLL_
    for (uint32_t i = 0; i < SCAN_SEEK_PROBES_ / SCAN_SEEK_LANES_; i++) {
      const uint64_t probe =
          scan_seek_probe(low, high, guess, gallops, i * SCAN_SEEK_LANES_ + lane);
      const scan_memory_word32_ *at = (const scan_memory_word32_ *)scan_segments_at(
          segments, probe < segments->count ? probe : segments->count);
      beyond[i] = probe >= high;
      word[i][0] = at[0];
      word[i][1] = at[wide];
    }
    SCAN_UNROLL_
    for (uint32_t i = 0; i < SCAN_SEEK_PROBES_ / SCAN_SEEK_LANES_; i++) {
      const uint64_t entry = (uint64_t)(wide != 0 ? word[i][1] : 0) << 32 | word[i][0];
      beyond[i] = beyond[i] || entry > target;
    }
    SCAN_UNROLL_
    for (uint32_t i = 0; i < SCAN_SEEK_PROBES_ / SCAN_SEEK_LANES_; i++) {
      const uint32_t mask =
          scan_ballot(beyond[i]) >> half * SCAN_SEEK_LANES_ & ((1u << SCAN_SEEK_LANES_) - 1);
      before += mask != 0 ? scan_lowest_bit(mask) : SCAN_SEEK_LANES_;
    }
    if (seeks) {
      const uint64_t next =
          before < SCAN_SEEK_PROBES_ ? scan_seek_probe(low, high, guess, gallops, before) : high;
      if (before > 0) low = scan_seek_probe(low, high, guess, gallops, before - 1) + 1;
      if (next < high) high = next > low ? next : low; /* of what does not ascend no less */
    }
    gallops = false;
  }
  if (half == 1) low = high;
  found.known = true;
  SCAN_UNROLL_
  for (uint32_t i = 0; i < 2; i++) {
    uint32_t word[2];
    word[0] = (uint32_t)low;
    word[1] = (uint32_t)(low >> 32);
    scan_shuffle_from(word, 2, i * SCAN_SEEK_LANES_);
    found.entry[i] = (uint64_t)word[1] << 32 | word[0];
  }
  return found;
}

/* What tells of the starts of the `count` elements from `element` on; of regular segments, which
   of them end there, where that is wanted (`gathers`). found: what is known of their entries.
   Called by a whole warp. */
SCAN_DEVICE scan_extent scan_segments_extent(const scan_segments *segments, scan_found found,
                                             float entries_an_element, uint64_t element,
                                             uint32_t count, uint32_t unused, bool gathers,
                                             size_t n, SCAN_OP_PARAMS) {
  scan_extent extent;
  extent.lowest = element - unused;
  extent.unused = unused;
  extent.places = unused + count;
  extent.begins = op_reverse ? element + count == n : element == 0;
  extent.skew = 0;
  if (segments->kind < scan_segments_offsets_) {
    const bool wide = segments->kind == scan_segments_flags32_;
    const uint32_t unit = wide ? 4 : 1;
    const uint64_t end = element + count + op_reverse;
    extent.first = element + op_reverse;
    extent.end = end < n ? end : n;
    extent.skew = (uint32_t)((uintptr_t)segments->memory + (extent.first - unused) * unit) %
                  SCAN_GROUP_BYTES_(wide) / unit;
    if (segments->kind == scan_segments_bits_) {
      extent.skew = (uint32_t)(extent.first - unused) % 32;
      extent.first /= 32;
      extent.end = (extent.end + 31) / 32;
    }
    if (extent.end < extent.first) extent.end = extent.first;
    extent.told = extent.first;
  } else {
    if (segments->kind == scan_segments_regular_) {
      found.entry[0] = gathers ? scan_regular_segment(segments, element) + 1 : 0;
      found.entry[1] = gathers ? scan_regular_segment(segments, element + count) + 1 : 0;
    } else if (!found.known && found.entry[1] - found.entry[0] > SCAN_SEEK_NEAR_) {
      found = scan_seek(segments, found, entries_an_element, element, count);
    }
    extent.first = element == 0 ? 1 : found.entry[0];
    extent.end = element + count == n ? segments->count + 1 : found.entry[1];
    if (extent.end < extent.first) extent.end = extent.first;
    /* The first element starts a segment if the last one to end before does so there. Regular
     * segments have nothing in memory. */
    extent.told = segments->kind == scan_segments_regular_ ? extent.end
                  : op_reverse || extent.first == 0        ? extent.first
                                                           : extent.first - 1;
  }
  return extent;
}

/* ---- making bits of them, by a whole warp: clear, mark, piece by piece, finish */

/* Clears the bits of its places. */
SCAN_DEVICE void scan_segments_clear(uint32_t *bits, scan_extent extent) {
  SCAN_ROLL_
  for (uint32_t i = scan_lane(); i * 32 < extent.skew + extent.places; i += SCAN_WARP_THREADS)
    bits[i] = 0;
  scan_warp_barrier();
}

/* What flags or bits in the client's memory say of a short piece of the input. The flag at from + j
   says whether place j starts a segment; flags from `unused` to before `end` are there, and no
   others may be read. Place `begin` starts one whatever they say. Bits that are made of other
   places mean nothing. */
typedef struct {
  const void *from; /* of words of bits, that with place 0 */
  uint32_t unused, end, begin;
  uint32_t places;
} scan_told;

/* 32 bits from bit `skew` of from[0] on. Those from the first-th of them to before the end-th are
   told; a word that holds none of these is not read. */
SCAN_DEVICE uint32_t scan_bits_told(const uint32_t *from, uint32_t skew, uint32_t first,
                                    uint32_t end) {
  uint32_t low = 0, high = 0;
  if (first < end && first + skew < 32) low = from[0];
  if (first < end && end + skew > 32) high = from[1];
  return scan_funnel(low, high, skew);
}

/* Words of bits, of which the first `skew` bits are not ours: a lane makes a word of ours. */
SCAN_DEVICE void scan_mark_words(uint32_t *bits, scan_told told, uint32_t skew) {
  const uint32_t *from = (const uint32_t *)told.from;
  SCAN_ROLL_
  for (uint32_t i = scan_lane(); i * 32 < told.places; i += SCAN_WARP_THREADS) {
    const uint32_t first = i * 32 < told.unused ? told.unused - i * 32 : 0; /* of this word's */
    const uint32_t end = scan_left(told.end, i * 32, 32);
    bits[i] = scan_bits_told(&from[i], skew, first, end) |
              (told.begin / 32 == i ? 1u << told.begin % 32 : 0);
  }
}

/* Flags: 32 lanes look at one each. */
SCAN_DEVICE void scan_mark_flags(bool wide, uint32_t *bits, scan_told told) {
  const uint32_t lane = scan_lane();
  /* Invariant: the places before `first` have their bits. */
  SCAN_ROLL_
  for (uint32_t first = 0; first < told.places; first += SCAN_MARK_WORDS_ * 32) {
    const uint32_t place = first + lane;
    const uint32_t *flags32 = (const uint32_t *)told.from + place;
    const uint8_t *flags = (const uint8_t *)told.from + place;
    uint32_t flag[SCAN_MARK_WORDS_];
    uint32_t mine = 0;
    SCAN_UNROLL_
    for (uint32_t i = 0; i < SCAN_MARK_WORDS_; i++) flag[i] = 0;
    if (wide) {
      SCAN_UNROLL_
      for (uint32_t i = 0; i < SCAN_MARK_WORDS_; i++)
        if (place + i * 32 - told.unused < told.end - told.unused) flag[i] = flags32[i * 32];
    } else {
      SCAN_UNROLL_
      for (uint32_t i = 0; i < SCAN_MARK_WORDS_; i++)
        if (place + i * 32 - told.unused < told.end - told.unused) flag[i] = flags[i * 32];
    }
    SCAN_UNROLL_
    for (uint32_t i = 0; i < SCAN_MARK_WORDS_; i++) {
      const uint32_t word = scan_ballot(flag[i] != 0 || place + i * 32 == told.begin);
      if (lane == i) mine = word;
    }
    if (lane < SCAN_MARK_WORDS_ && first + lane * 32 < told.places) bits[first / 32 + lane] = mine;
  }
}

/* What is told of the places from `unused` to `places` - 1, which are those of the elements from
 * lowest + unused on; where it lies is still to be said. */
SCAN_DEVICE scan_told scan_told_of(uint64_t lowest, uint32_t unused, uint32_t places, size_t n,
                                   SCAN_OP_PARAMS) {
  const uint64_t origin = lowest + op_reverse; /* whose flag is that of place 0; it may wrap */
  scan_told told;
  told.from = NULL;
  told.unused = unused;
  told.places = places;
  told.end = n - origin < places ? (uint32_t)(n - origin) : places;
  told.begin = op_reverse ? told.end : origin == 0 ? 0 : UINT32_MAX;
  return told;
}

/* Makes bits of it. */
SCAN_DEVICE void scan_mark_told(uint32_t *bits, const scan_segments *segments, uint64_t lowest,
                                uint32_t unused, uint32_t places, size_t n, SCAN_OP_PARAMS) {
  const uint64_t origin = lowest + op_reverse;
  scan_told told = scan_told_of(lowest, unused, places, n, SCAN_OP);
  if (segments->kind == scan_segments_bits_) {
    told.from = SCAN_AT_CONST_(segments->memory, ((int64_t)origin >> 5) * 4);
    scan_mark_words(bits, told, (uint32_t)origin % 32);
  } else {
    const bool wide = segments->kind == scan_segments_flags32_;
    told.from = SCAN_AT_CONST_(segments->memory, (int64_t)origin * (wide ? 4 : 1));
    scan_mark_flags(wide, bits, told);
  }
}

/* Makes bytes of what flags of 32 bits tell of a row of `items` places a lane, whose number is a
 * multiple of four: a lane makes a word of four flags, which are a vector where that goes. */
SCAN_DEVICE void scan_mark_flags32(uint32_t *marks, scan_told told, uint32_t items) {
  const uint32_t *from = (const uint32_t *)told.from + 4 * scan_lane();
  const bool whole =
      told.unused == 0 && told.end == items * SCAN_WARP_THREADS && scan_offset(told.from) == 0;
  uint32_t flag[32] = {0};
  if (whole) {
    SCAN_UNROLL_
    for (uint32_t i = 0; i < items; i += 4)
      scan_vector_load(&flag[i], from + i * SCAN_WARP_THREADS);
  } else {
    SCAN_UNROLL_
    for (uint32_t i = 0; i < items; i++) {
      const uint32_t far = i / 4 * 4 * SCAN_WARP_THREADS + i % 4;
      if (4 * scan_lane() + far - told.unused < told.end - told.unused) flag[i] = from[far];
    }
  }
  SCAN_UNROLL_
  for (uint32_t i = 0; i < items; i += 4) {
    const uint32_t place = i * SCAN_WARP_THREADS + 4 * scan_lane();
    uint32_t word = 0;
    SCAN_UNROLL_
    for (uint32_t j = 0; j < 4; j++)
      word |= flag[i + j] != 0 || place + j == told.begin ? 1u << 8 * j : 0;
    marks[place / 4] = word;
  }
}

/* The starts that `items` flags of a byte tell, a multiple of four and 32 at most: a bit each. */
SCAN_DEVICE uint32_t scan_flags_bits(const uint32_t *flags, uint32_t items) {
  uint32_t bits = 0;
  uint32_t set = 0; /* of eight flags, above bit 7 */
  SCAN_UNROLL_
  for (uint32_t i = 0; i < items / 4; i++) {
    /* The top bit of each byte that is not 0. */
    const uint32_t tops = (((flags[i] & 0x7f7f7f7fu) + 0x7f7f7f7fu) | flags[i]) & 0x80808080u;
    if (i % 2 == 0)
      set = scan_dot(tops, 0x08040201u, 0);
    else
      set = scan_dot(tops, 0x80402010u, set);
    if (i % 2 == 1 || i + 1 == items / 4) bits |= i < 2 ? set >> 7 : set << (i / 2 * 8 - 7);
  }
  return bits;
}

/* The same of `count` groups of flags in shared memory, whose bits are whole bytes: a lane makes a
 * group into bits. */
SCAN_DEVICE void scan_mark_groups(bool wide, void *bits, const void *groups, uint32_t count) {
  const uint32_t bytes = SCAN_GROUP_BYTES_(wide);
  const uint32_t set_bytes = wide ? 1 : 2;
  const uint32_t far = bytes * SCAN_WARP_THREADS; /* to a lane's next group */
  const unsigned char *group = (const unsigned char *)groups + scan_lane() * bytes;
  unsigned char *to = (unsigned char *)bits + scan_lane() * set_bytes;
  /* Invariant: the lane's groups before `number` are bits; that one is at `group`, its bits go to
   * `to`. */
  SCAN_ROLL_
  for (uint32_t number = scan_lane(); number < count; number += 2 * SCAN_WARP_THREADS) {
    /* Two groups at once: a warp that is alone waits long for each. */
    const bool has[2] = {true, number + SCAN_WARP_THREADS < count};
    uint32_t vector[2][SCAN_GROUP_BYTES_(true) / 16][4];
    SCAN_UNROLL_
    for (uint32_t g = 0; g < 2; g++) {
      SCAN_UNROLL_
      for (uint32_t v = 0; v < bytes / 16; v++)
        scan_vector_load(vector[g][v], group + (has[g] ? g * far : 0) + v * 16);
    }
    SCAN_UNROLL_
    for (uint32_t g = 0; g < 2; g++) {
      uint32_t set = 0;
      if (wide) {
        SCAN_UNROLL_
        for (uint32_t i = 0; i < bytes / 4; i++) set |= vector[g][i / 4][i % 4] != 0 ? 1u << i : 0;
        if (has[g]) *to = (unsigned char)set;
      } else {
        set = scan_flags_bits(vector[g][0], bytes);
        if (has[g]) *(scan_memory_word16_ *)(void *)to = (uint16_t)set;
      }
      to += set_bytes * SCAN_WARP_THREADS;
    }
    group += 2 * far;
  }
}

/* The bit of offset `number` of those at raw: one of `places`, or the one beyond, of whatever lies
 * elsewhere. */
SCAN_DEVICE uint32_t scan_offset_place(const void *raw, uint32_t number, uint32_t unit,
                                       uint64_t origin, uint32_t places) {
  const void *at = SCAN_AT_CONST_(raw, number * unit);
  if (unit == 8) {
    const uint64_t place = *(const uint64_t *)at - origin;
    return place < places ? (uint32_t)place : places;
  } else { /* nothing is farther than 32 bits tell */
    const uint32_t place = *(const uint32_t *)at - (uint32_t)origin;
    return place < places ? place : places;
  }
}

/* `count` offsets of `unit` bytes: each sets a bit. Of more than 32 times SCAN_MARK_ENTRIES_ a lane
   takes an odd number: no two of the lanes that shared memory serves at once meet in a bank, and of
   short segments few in a word.
   Whose last would lie beyond the end takes its neighbour's: a bit may be set twice. */
SCAN_DEVICE void scan_mark_offsets(uint32_t *bits, uint32_t unit, const void *raw, uint32_t count,
                                   uint64_t origin, uint32_t places, SCAN_OP_PARAMS) {
  const bool multiplies = op_size != 3; /* whose kernels would spill */
  const uint32_t share = (count + SCAN_WARP_THREADS - 1) / SCAN_WARP_THREADS | 1;
  const uint32_t each = share < SCAN_MARK_ENTRIES_ ? SCAN_MARK_ENTRIES_ : share;
  const bool ahead = SCAN_GROUPS_MOST > 1; /* on an sm_90: elsewhere kernels would spill */
  const void *from;
  uint32_t place[SCAN_MARK_ENTRIES_], next[SCAN_MARK_ENTRIES_];
  uint32_t i = 0;
  if (count <= SCAN_MARK_FEW_ * SCAN_WARP_THREADS) {
    SCAN_UNROLL_
    for (uint32_t k = 0; k < SCAN_MARK_FEW_; k++) {
      const uint32_t number = k * SCAN_WARP_THREADS + scan_lane();
      place[k] = scan_offset_place(raw, number < count ? number : 0, unit, origin, places);
    }
    SCAN_UNROLL_
    for (uint32_t k = 0; k < SCAN_MARK_FEW_; k++)
      if (k * SCAN_WARP_THREADS + scan_lane() < count) scan_bit_set(bits, place[k], multiplies);
    return;
  }
  raw = SCAN_AT_CONST_(
      raw, (scan_lane() * each < count - each ? scan_lane() * each : count - each) * unit);
  SCAN_UNROLL_
  for (uint32_t k = 0; k < SCAN_MARK_ENTRIES_; k++)
    place[k] = scan_offset_place(raw, k, unit, origin, places);
  /* Invariant: the lane's offsets before the i-th have set their bits, and the next are in place:
   * read ahead, where registers allow it, or a warp that is alone would wait for them. */
  SCAN_ROLL_
  do {
    i += SCAN_MARK_ENTRIES_;
    from =
        SCAN_AT_CONST_(raw, (i < each - SCAN_MARK_ENTRIES_ ? i : each - SCAN_MARK_ENTRIES_) * unit);
    SCAN_UNROLL_
    for (uint32_t k = 0; k < SCAN_MARK_ENTRIES_; k++)
      if (ahead) next[k] = scan_offset_place(from, k, unit, origin, places);
    SCAN_UNROLL_
    for (uint32_t k = 0; k < SCAN_MARK_ENTRIES_; k++) scan_bit_set(bits, place[k], multiplies);
    SCAN_UNROLL_
    for (uint32_t k = 0; k < SCAN_MARK_ENTRIES_; k++)
      place[k] = ahead ? next[k] : scan_offset_place(from, k, unit, origin, places);
  } while (i < each);
}

/* ---- finding the entries of a short piece, and making marks of them, by few looks at memory */

/* A part of `count` entries, of 32 of them (no memory holds 2^37), and the last entry of the lane's
 * part, or of all, which is number `last`. */
SCAN_OPERATOR uint32_t scan_look_part(uint64_t count) {
  return (uint32_t)(count / SCAN_WARP_THREADS) + 1;
}
SCAN_DEVICE uint64_t scan_look_last(uint64_t last, uint32_t part) {
  const uint64_t own = (uint64_t)(scan_lane() + 1) * part - 1;
  return own < last ? own : last;
}

/* What a warp with `elements` elements is told: it looks where their entries would be on an
   average, at a few more, since some lie elsewhere, and at no fewer than it asks for at once. */
SCAN_HOST_ scan_view scan_view_of(const scan_segments *segments, size_t n, uint32_t elements) {
  const uint64_t entries = segments->count + 1;
  const double average = n != 0 ? (double)segments->count / (double)n : 0;
  const double average_most = 1u << 20; /* of more the others count as lying elsewhere */
  const double wanted = average * elements * (17.0 / 16);
  const uint32_t whole = (uint32_t)(wanted < average_most ? wanted : average_most);
  uint32_t astray;
  scan_view view;
  view.count = (whole / SCAN_WARP_THREADS + 1) * SCAN_WARP_THREADS;
  if (view.count < SCAN_LOOK_FIRST_) view.count = SCAN_LOOK_FIRST_;
  if (view.count > entries) view.count = (uint32_t)entries;
  view.most = entries - view.count < UINT32_MAX ? (uint32_t)(entries - view.count) : UINT32_MAX;
  /* Who looks right at an end of all need not see that none beyond is the piece's: so that is done
   * as far as those on an average stay in sight. */
  astray = view.count > whole ? (view.count - whole) / 4 : 0;
  if (astray > view.most / 2) astray = view.most / 2;
  view.begin = view.count / 2 + astray;
  view.end = view.most - astray;
  view.large = n >= UINT32_MAX || entries >> 30 != 0; /* or the place behind all is 2^32 */
  view.part = view.large ? 0 : scan_look_part(entries);
  view.elsewhere = view.large || view.count < entries;
  view.few = !view.large && view.count <= SCAN_LOOK_FIRST_;
  view.entries_an_element =
      (uint64_t)((average < average_most ? average : average_most) * 4294967296.0);
  return view;
}

/* Where the warp looks: at the entries around those where its own would be on an average, and,
   should these lie elsewhere, at the ends of parts of all. It reads the lower 32 bits of entries,
   which tell all unless the call is large. */
typedef struct {
  const void *near[SCAN_LOOK_ENTRIES_]; /* what the lane asks for first; the last lane's last is
                                           the last of those near */
  const void *part;
  uint32_t first;  /* of those near */
  uint32_t count;  /* of those near */
  uint64_t origin; /* the entry that belongs to the piece's place 0 */
  uint32_t places; /* of the piece */
  uint32_t low;    /* its entries are from this */
  uint32_t high;   /* to this */
  uint32_t few;    /* not 0: these are asked for at once */
  uint32_t flip;   /* all bits in the last lane, if some are not near */
  uint32_t bound;  /* the piece's are all near if in no lane its first, or where it flips its last,
                      xor flip is above this */
} scan_look;

/* Where to look for those of a piece, the `count` elements from `element` on behind `unused`
   places. Reads nothing, and works out all that it can. */
SCAN_DEVICE scan_look scan_look_around(const scan_segments *segments, const scan_view *view,
                                       uint64_t element, uint32_t count, uint32_t unused,
                                       SCAN_OP_PARAMS) {
  const uint32_t lane = scan_lane();
  const uint32_t unit = SCAN_SEGMENTS_OFFSET_BYTES_(segments->kind);
  const uint32_t last = view->count - 1;
  const uint64_t low = element + op_reverse; /* the entry of the first element */
  const uint64_t high = low + count;         /* and beyond all */
  void *memory = (void *)(uintptr_t)segments->memory;
  uint64_t part = 0;
  scan_look look;
  look.first = 0;
  look.flip = 0;
  look.bound = UINT32_MAX;
  if (view->elsewhere) {
    const uint32_t center = (uint32_t)element + count / 2;
    const uint32_t guess = (uint32_t)((uint64_t)center * (uint32_t)view->entries_an_element >> 32) +
                           center * (uint32_t)(view->entries_an_element >> 32);
    const uint32_t half = view->count / 2;
    const uint32_t above = UINT32_MAX - 1 - (uint32_t)(high < UINT32_MAX ? high : UINT32_MAX - 1);
    const bool flips = lane == SCAN_WARP_THREADS - 1;
    look.first = guess > view->begin ? guess - half : 0;
    if (look.first > view->end) look.first = view->most;
    part = scan_look_last(segments->count, view->part) * unit;
    look.flip = flips ? UINT32_MAX : 0;
    look.bound = lane == 0 ? (uint32_t)low : UINT32_MAX;
    if (flips && look.first != view->most) look.bound = above;
  }
  look.few = scan_word_early(view->few);
  look.flip = scan_word_early(look.flip);
  look.bound = scan_word_early(look.bound);
  look.count = view->count;
  look.origin = low - unused;
  look.low = op_reverse && low < unused ? 0 : (uint32_t)(low - unused);
  look.high = (uint32_t)high;
  look.places = unused + count;
  look.part = scan_memory_early(memory, (ptrdiff_t)part);
  memory = SCAN_AT_(memory, (uint64_t)look.first * unit);
  /* In place of an entry that is not there the last. */
  SCAN_UNROLL_
  for (uint32_t i = 0; i < SCAN_LOOK_ENTRIES_; i++) {
    const uint32_t number = i < SCAN_LOOK_ENTRIES_ - 1 || lane != SCAN_WARP_THREADS - 1
                                ? i * SCAN_WARP_THREADS + lane
                                : last;
    /* Of a word that nvcc knows nothing of it is one instruction, not three. */
    const uint64_t there = scan_word_early(number < last ? number : last);
    look.near[i] = scan_memory_early(memory, (ptrdiff_t)(there * unit));
  }
  return look;
}

/* Clears the marks of `places` places, bytes from a 16-byte boundary on, and up to 15 behind them;
 * the lanes have to meet then. */
SCAN_DEVICE void scan_marks_clear(uint8_t *marks, uint32_t places) {
  const uint32_t none[4] = {0, 0, 0, 0};
  SCAN_ROLL_
  for (uint32_t at = scan_lane() * 16; at < places; at += SCAN_WARP_THREADS * 16)
    scan_vector_store(&marks[at], none);
}

/* Makes bits of them; those behind the last place mean nothing. */
SCAN_DEVICE void scan_marks_bits(uint32_t *bits, const uint8_t *marks, uint32_t places) {
  scan_mark_groups(false, bits, marks, (places + 15) / 16);
}

/* Marks the place of an entry, its distance from the origin or the lower half of that: sets its
   byte, which is 0, or one more, behind those of all places, if it is none of them. Bits would be
   set by atomic operations, of many in one word. */
SCAN_DEVICE void scan_mark_place(uint8_t *marks, uint64_t place, const scan_look *look) {
  scan_byte_set(&marks[place < look->places ? (uint32_t)place : look->places]);
}

/* Marks the places of `count` entries from number `first` on; of less than one, none. */
SCAN_DEVICE void scan_mark_entries(uint8_t *marks, const scan_segments *segments, uint64_t first,
                                   int32_t count, const scan_look *look) {
  const int32_t step = SCAN_MARK_ENTRIES_ * SCAN_WARP_THREADS;
  const uint32_t far = SCAN_WARP_THREADS * SCAN_SEGMENTS_OFFSET_BYTES_(segments->kind);
  const void *from = scan_segments_at(segments, first + scan_lane());
  /* Invariant: the lane's entries before number i are marked, and that one is at `from`. */
  SCAN_ROLL_
  for (int32_t i = (int32_t)scan_lane(); i < count; i += step) {
    const uint32_t left = (uint32_t)(count - i);
    uint32_t entry[SCAN_MARK_ENTRIES_];
    SCAN_UNROLL_
    for (uint32_t k = 0; k < SCAN_MARK_ENTRIES_; k++) {
      entry[k] = (uint32_t)look->origin + look->places; /* none of them */
      if (k * SCAN_WARP_THREADS < left) entry[k] = *(const scan_memory_word32_ *)from;
      from = SCAN_AT_CONST_(from, far);
    }
    SCAN_UNROLL_
    for (uint32_t k = 0; k < SCAN_MARK_ENTRIES_; k++)
      scan_mark_place(marks, entry[k] - (uint32_t)look->origin, look);
  }
}

/* What a first look sees: entries near, and the last of the lane's part of all. */
typedef struct {
  uint32_t near[SCAN_LOOK_ENTRIES_];
  uint32_t part;
} scan_looked;

/* Takes it. The lanes meet, nor is any entry waited for before all are asked for. */
SCAN_DEVICE scan_looked scan_look_ask(const scan_look *look) {
  scan_looked looked;
  SCAN_UNROLL_
  for (uint32_t i = 0; i < SCAN_LOOK_ENTRIES_; i++)
    looked.near[i] = *(const scan_memory_word32_ *)look->near[i];
  looked.part = *(const scan_memory_word32_ *)look->part;
  scan_warp_barrier();
  return looked;
}

/* Marks what it saw. Returns whether the piece's entries lie elsewhere. */
SCAN_DEVICE bool scan_look_mark(uint8_t *marks, scan_looked looked, const scan_look *look) {
  const uint32_t outer = look->flip != 0 ? looked.near[SCAN_LOOK_ENTRIES_ - 1] : looked.near[0];
  SCAN_UNROLL_
  for (uint32_t i = 0; i < SCAN_LOOK_ENTRIES_; i++)
    scan_mark_place(marks, looked.near[i] - (uint32_t)look->origin, look);
  return scan_ballot((outer ^ look->flip) > look->bound) != 0;
}

/* Which segments may end in the piece, if it runs forward: those near. */
SCAN_DEVICE scan_extent scan_look_extent(const scan_look *look) {
  scan_extent extent;
  extent.lowest = look->origin;
  extent.unused = 0;
  extent.places = look->places;
  extent.skew = 0;
  extent.first = look->first;
  extent.end = extent.first + look->count;
  extent.told = extent.first;
  extent.begins = false;
  return extent;
}

/* Which may, if they lie elsewhere. seen: the last of the lane's part of all entries; then parts of
   what is left are looked at, as long as each look halves it. Of offsets that do not ascend none
   may be left. By 32 bits: in a large call it finds none. */
SCAN_DEVICE void scan_look_far(scan_extent *extent, uint32_t seen, uint32_t part,
                               const scan_look *look, const scan_segments *segments) {
  uint32_t first = 0, count = (uint32_t)segments->count + 1;
  /* Invariant: they are among `count` entries from `first` on, and `seen` is the last of the lane's
   * part of these. */
  SCAN_ROLL_
  for (;;) {
    const uint32_t most = count;
    const uint32_t below = scan_bits_set(scan_ballot(seen < look->low)) * part;
    const uint32_t upto = (scan_bits_set(scan_ballot(seen <= look->high)) + 1) * part;
    if (upto < count) count = upto;
    count = count > below ? count - below : 0;
    first += below;
    if (count <= SCAN_LOOK_AGAIN_ || count > most / 2) break;
    part = scan_look_part(count);
    seen = *(const scan_memory_word32_ *)scan_segments_at(
        segments, first + (uint32_t)scan_look_last(count - 1, part));
  }
  extent->first = first;
  extent->told = first;
  extent->end = first + count;
}

/* Marks the first of these, SCAN_LOOK_FIRST_ of them at most: code that few rows come to is fetched
   late, so it is short (bench/NOTES.md). */
SCAN_DEVICE void scan_look_there(uint8_t *marks, const scan_extent *extent, const scan_look *look,
                                 const scan_segments *segments) {
  const uint32_t unit = SCAN_SEGMENTS_OFFSET_BYTES_(segments->kind);
  const uint32_t all = (uint32_t)segments->count;
  const uint32_t end = (uint32_t)extent->end - 1;
  const uint32_t last = end < all ? end : all; /* of none, one that is there */
  uint32_t entry[SCAN_LOOK_ENTRIES_];
  SCAN_UNROLL_
  for (uint32_t i = 0; i < SCAN_LOOK_ENTRIES_; i++) {
    const uint32_t number = (uint32_t)extent->first + i * SCAN_WARP_THREADS + scan_lane();
    /* In place of one that is not there the last; hidden from nvcc, as in scan_look_around. */
    const uint64_t there = scan_word_early(number < last ? number : last);
    entry[i] = *(const scan_memory_word32_ *)SCAN_AT_CONST_(segments->memory, there * unit);
  }
  SCAN_UNROLL_
  for (uint32_t i = 0; i < SCAN_LOOK_ENTRIES_; i++)
    scan_mark_place(marks, entry[i] - (uint32_t)look->origin, look);
}

/* The number of the first of all offsets that is not below a place, or how many there are; by a
   whole warp, 32 parts at a time. */
SCAN_DEVICE uint64_t scan_look_first(const scan_segments *segments, uint64_t place) {
  uint64_t first = 0, count = segments->count + 1;
  /* Invariant: it is one of `count` from `first` on, or the one behind them. */
  SCAN_ROLL_
  while (count != 0) {
    const uint32_t part = scan_look_part(count);
    const uint64_t last = first + scan_look_last(count - 1, part);
    const uint64_t offset = scan_segments_offset(segments, segments->memory, 0, last);
    const uint64_t skipped =
        (uint64_t)scan_bits_set(scan_ballot((int64_t)(offset - place) < 0)) * part;
    first += skipped < count ? skipped : count;
    count = skipped < count ? count - skipped : 0;
    if (count >= part) count = part - 1; /* since the part's last is not below */
  }
  return first;
}

/* In a large call does all anew: finds out exactly which may end in the piece, and marks them. The
   lanes meet before, and have to then. */
SCAN_DEVICE void scan_look_large(scan_extent *extent, uint8_t *marks, const scan_look *look,
                                 const scan_segments *segments) {
  scan_warp_barrier();
  scan_marks_clear(marks, look->places);
  scan_warp_barrier();
  /* Twice the same code: the first entry of the piece, then the first beyond it and the place
   * behind it. */
  SCAN_ROLL_
  for (uint32_t i = 0; i < 2; i++) {
    extent->first = extent->end;
    extent->end = scan_look_first(segments, look->origin + i * (look->places + 1));
  }
  extent->told = extent->first;
  /* Invariant: the lane's entries before the i-th are marked. */
  SCAN_ROLL_
  for (uint64_t i = extent->first + scan_lane(); i < extent->end; i += SCAN_WARP_THREADS)
    scan_mark_place(marks, scan_segments_offset(segments, segments->memory, 0, i) - look->origin,
                    look);
}

/* Marks what a first look did not, where it did not see all, or the entries lie elsewhere (`far`);
   returns which segments may end in the piece. The lanes have to meet then. */
SCAN_DEVICE scan_extent scan_look_rest(uint8_t *marks, scan_looked looked, bool far,
                                       const scan_look *look, const scan_segments *segments,
                                       const scan_view *view) {
  scan_extent extent = scan_look_extent(look);
  /* Those before, and the last of those near, are marked. */
  uint64_t rest = extent.first + SCAN_LOOK_FIRST_ - 1, end = extent.end - 1;
  if (far) {
    scan_look_far(&extent, looked.part, view->part, look, segments);
    scan_look_there(marks, &extent, look, segments);
    rest = extent.first + SCAN_LOOK_FIRST_;
    end = extent.end;
  }
  if (!look->few || end > rest) {
    scan_mark_entries(marks, segments, rest, (int32_t)(uint32_t)(end - rest), look);
    if (view->large) scan_look_large(&extent, marks, look, segments);
  }
  return extent;
}

/* Looks and marks in one, where those near may be many: all of them are asked for at once. The
   same code marks those and, if they are not the piece's, others. Returns the same. */
SCAN_DEVICE scan_extent scan_look_all(uint8_t *marks, const scan_look *look,
                                      const scan_segments *segments, const scan_view *view) {
  scan_extent extent = scan_look_extent(look);
  uint64_t rest = extent.first + SCAN_LOOK_FIRST_ - 1, end = extent.end - 1;
  const scan_looked looked = scan_look_ask(look);
  bool known = false; /* that the piece's are from `rest` to before `end` */
  /* Invariant: the entries from `rest` to before `end` are still to be marked. */
  SCAN_ROLL_
  for (;;) {
    if (known || !view->few)
      scan_mark_entries(marks, segments, rest, (int32_t)(uint32_t)(end - rest), look);
    if (known || !scan_look_mark(marks, looked, look)) break;
    scan_look_far(&extent, looked.part, view->part, look, segments);
    rest = extent.first;
    end = extent.end;
    known = true;
  }
  if (view->large) scan_look_large(&extent, marks, look, segments);
  return extent;
}

/* How far it is from an element to the next start. */
SCAN_DEVICE uint64_t scan_regular_next(const scan_segments *segments, uint64_t element) {
  uint64_t segment;
  const uint64_t since = scan_regular_since(&segment, segments, element);
  return since == 0 ? 0 : segments->length - since;
}

/* Regular segments: a lane makes a word of bits. */
SCAN_DEVICE void scan_mark_regular(uint32_t *bits, const scan_segments *segments,
                                   scan_extent extent, SCAN_OP_PARAMS) {
  const uint64_t length = segments->length;
  const uint32_t far = 1u << 30; /* no place is: so 32 bits suffice */
  const uint32_t cycle = length < 2 * far ? (uint32_t)length : 2 * far;
  const uint32_t before = scan_lane() * 32 % cycle; /* the lane's first word */
  const uint32_t step = SCAN_WARP_THREADS * 32 % cycle;
  /* From the first place that is used to the next start, then from the word on. */
  const uint64_t next = scan_regular_next(segments, extent.lowest + op_reverse + extent.unused);
  uint32_t until = ((next < far ? (uint32_t)next : far) + extent.unused) % cycle;
  until += until < before ? cycle - before : 0 - before;
  /* Invariant: `until` places after the first of word i a segment starts, and none earlier. */
  SCAN_ROLL_
  for (uint32_t i = scan_lane(); i * 32 < extent.places; i += SCAN_WARP_THREADS) {
    bits[i] = until < 32 ? segments->comb << until : 0;
    until += until < step ? cycle - step : 0 - step;
  }
}

/* Sets the bits that `count` units, one at least, tell of, from unit `first` of the extent on. */
SCAN_DEVICE void scan_segments_mark(uint32_t *bits, const scan_segments *segments, uint64_t first,
                                    uint32_t count, scan_extent extent, SCAN_OP_PARAMS) {
  const void *raw = scan_segments_at(segments, first);
  const uint64_t origin = extent.lowest + op_reverse; /* whose flag is that of place 0 */
  if (segments->kind == scan_segments_offsets_) {
    scan_mark_offsets(bits, 4, raw, count, origin, extent.places, SCAN_OP);
  } else if (segments->kind == scan_segments_offsets64_) {
    scan_mark_offsets(bits, 8, raw, count, origin, extent.places, SCAN_OP);
  } else {
    uint32_t *to = bits + (uint32_t)(first - (uint64_t)((int64_t)(origin - extent.skew) / 32));
    SCAN_ROLL_
    for (uint32_t i = scan_lane(); i < count; i += SCAN_WARP_THREADS)
      scan_word_bring(&to[i], (const uint32_t *)raw + i);
    scan_vectors_brought();
  }
}

/* Clears what was set around the extent's bits, and sets that of its first element along the scan
 * if it starts a segment. */
SCAN_DEVICE void scan_segments_finish(uint32_t *bits, scan_extent extent, size_t n,
                                      SCAN_OP_PARAMS) {
  const uint64_t told = n - (extent.lowest + op_reverse); /* places of which units tell, at most */
  const uint32_t begin = extent.skew + extent.unused;
  const uint32_t end = extent.skew + (told < extent.places ? (uint32_t)told : extent.places);
  const uint32_t first = op_reverse ? extent.skew + extent.places - 1 : begin;
  scan_warp_barrier();
  if (scan_lane() != 0) return;
  if (begin % 32 != 0) bits[begin / 32] &= ~0u << begin % 32;
  if (end % 32 != 0) bits[end / 32] &= ~(~0u << end % 32);
  if (extent.begins) bits[first / 32] |= 1u << first % 32;
}

/* Words of the bits of `places` places and any skew: two more may be read. */
#define SCAN_HEADS_WORDS_(places) (((places) + 31) / 32 + 3)

SCAN_DEVICE bool scan_bit(const uint32_t *bits, uint32_t place) {
  return (bits[place / 32] >> (place % 32) & 1) != 0;
}

/* The bits of a chunk, from number `place` on. */
SCAN_DEVICE scan_heads scan_heads_of(const uint32_t *bits, uint32_t place, uint32_t items,
                                     SCAN_OP_PARAMS) {
  scan_heads heads;
  uint32_t low, high = 0;
  if (!op_segmented) return 0;
  bits += place / 32;
  low = scan_funnel(bits[0], bits[1], place % 32);
  if (items > 32) high = scan_funnel(bits[1], bits[2], place % 32);
  heads = (uint64_t)high << 32 | low;
  if (op_reverse)
    heads = ((uint64_t)scan_reverse_bits(low) << 32 | scan_reverse_bits(high)) >> (64 - items);
  return items < 64 ? heads & (((uint64_t)1 << items) - 1) : heads;
}

/* The same of a short chunk, by the marks from its lowest element on: a byte each, 1 of a start. */
SCAN_DEVICE uint32_t scan_heads_of_marks(const uint8_t *marks, uint32_t items, SCAN_OP_PARAMS) {
  uint32_t heads = 0;
  if (items % 4 == 0) {
    const scan_memory_word32_ *words = (const scan_memory_word32_ *)(const void *)marks;
    SCAN_UNROLL_
    for (uint32_t i = 0; i < items; i += 4) heads |= scan_dot(words[i / 4], 0x08040201u, 0) << i;
  } else {
    SCAN_UNROLL_
    for (uint32_t i = 0; i < items; i++) heads |= (uint32_t)marks[i] << i;
  }
  return op_reverse ? scan_reverse_bits(heads) >> (32 - items) : heads;
}

/* What tells of the starts of a chunk, where a thread can tell by itself: not where segments are
   told by offsets. */
typedef struct {
  const void *from; /* the flag of the lowest element, or the word of bits with it */
  bool flags;       /* else bits; of regular segments they are known, and from is NULL */
  bool wide;        /* flags of 32 bits */
  bool words;       /* many flags of a byte that are whole words, or vectors */
  bool begins;      /* the first element starts a segment whatever is told */
  uint32_t skew;    /* bits of that word before it */
  uint32_t mask;    /* of an element that is alone, what tells of it in the flag or word */
  uint32_t known;   /* the bits of regular segments */
} scan_teller;

/* Of the client's elements from `element` on; where there are none it means nothing. Reads nothing.
 */
SCAN_DEVICE scan_teller scan_segments_teller(const scan_segments *segments, uint64_t element,
                                             uint32_t items, size_t n, SCAN_OP_PARAMS) {
  const uint64_t number = element + op_reverse; /* of the lowest element's flag */
  const bool regular = segments->kind == scan_segments_regular_;
  const bool bits = segments->kind == scan_segments_bits_;
  scan_teller teller;
  uint64_t told; /* bytes to it */
  teller.wide = segments->kind == scan_segments_flags32_;
  teller.flags = SCAN_SEGMENTS_FLAGS_(segments->kind);
  teller.begins = op_reverse ? element + items == n : element == 0;
  teller.skew = bits ? (uint32_t)number % 32 : 0;
  teller.mask = bits ? 1u << teller.skew : ~0u;
  teller.known = 0;
  /* As an offset to the pointer: so nvcc knows that this is device memory. It may wrap. */
  told = bits ? number / 32 * 4 : number;
  if (teller.wide) told *= 4;
  teller.from = regular ? NULL : SCAN_AT_CONST_(segments->memory, (ptrdiff_t)told);
  /* Of few each is read as soon. */
  teller.words = !op_reverse && items % 8 == 0 && teller.flags && !teller.wide &&
                 scan_offset(teller.from) % (items < 16 ? 4 : 16) == 0;
  if (regular) {
    const uint64_t next = scan_regular_next(segments, number);
    if (next < items) teller.known = segments->comb << next;
  }
  return teller;
}

/* Reads what tells of the chunk: a flag an element, or words of flags, or the two words with its
   bits. */
SCAN_DEVICE void scan_segments_tell(uint32_t *told, scan_teller teller, uint32_t items,
                                    SCAN_OP_PARAMS) {
  const uint32_t *words = (const uint32_t *)teller.from;
  const bool lacks = op_reverse && teller.begins; /* the last element's, which would lie behind n */
  if (!teller.flags) {
    told[0] = teller.known;
    told[1] = 0;
    if (words != NULL && (items > 1 || !lacks)) told[0] = words[0];
    if (items > 1 && items - lacks + teller.skew > 32) told[1] = words[1];
  } else if (!op_reverse && teller.wide && items % 4 == 0 && scan_offset(words) == 0) {
    scan_words_take(told, words, items * 4);
  } else if (teller.words) {
    scan_words_take(told, words, items);
  } else {
    SCAN_UNROLL_
    for (uint32_t i = 0; i < items; i++) {
      const uint32_t place = scan_place(i, items, SCAN_OP);
      told[i] = 0;
      if (i > 0 || !lacks)
        told[i] = teller.wide ? words[place] : ((const uint8_t *)teller.from)[place];
    }
  }
}

/* The starts of the chunk, by what was read. */
SCAN_DEVICE scan_heads scan_segments_heads(const uint32_t *told, scan_teller teller, uint32_t items,
                                           SCAN_OP_PARAMS) {
  uint32_t heads = 0;
  if (items == 1) {
    heads = (told[0] & teller.mask) != 0;
  } else if (!teller.flags) {
    heads = scan_funnel(told[0], told[1], teller.skew);
    if (op_reverse) heads = scan_reverse_bits(heads << (32 - items));
  } else if (teller.words) {
    heads = scan_flags_bits(told, items);
  } else {
    SCAN_UNROLL_
    for (uint32_t i = 0; i < items; i++) heads |= told[i] != 0 ? 1u << i : 0;
  }
  heads |= teller.begins;
  return items < 32 ? heads & ((1u << items) - 1) : heads;
}

/* ---- a value a segment */

/* Segments whose ends a thread asks for at once, of few and of many. */
#define SCAN_GATHER_FEW_ 2u
#define SCAN_GATHER_ENTRIES_ 4u

/* Writes what the segments that end in a piece reduce to: what a scan left at their last element,
   of an empty one the identity. Of its extent some may end elsewhere. values: the scanned elements
   of the piece, aligned as the type is. Offsets that do not ascend write in `out` alone. at_once:
   one of the above, a constant. */
SCAN_DEVICE void scan_segments_gather(void *out, const unsigned char *values,
                                      const scan_segments *segments, scan_extent extent,
                                      const scan_element *identity, uint32_t at_once,
                                      uint32_t thread, uint32_t threads, size_t n, SCAN_OP_PARAMS) {
  /* Invariant: of the thread's segments those that end at entries before `first` are written. */
  SCAN_ROLL_
  for (uint64_t first = extent.first + thread; first < extent.end; first += at_once * threads) {
    uint64_t start[SCAN_GATHER_ENTRIES_], end[SCAN_GATHER_ENTRIES_];
    SCAN_UNROLL_
    for (uint32_t i = 0; i < at_once; i++) {
      const uint64_t k = first + i * threads;
      start[i] = 0;
      end[i] = UINT64_MAX; /* elsewhere */
      if (k == 0 || k >= extent.end || k > segments->count) continue;
      start[i] = scan_segments_entry(segments, segments->memory, 0, k - 1, n);
      end[i] = scan_segments_entry(segments, segments->memory, 0, k, n);
    }
    SCAN_UNROLL_
    for (uint32_t i = 0; i < at_once; i++) {
      const uint64_t last = end[i] - 1 - extent.lowest;
      const bool ends = last < extent.places;
      const bool nothing = end[i] == 0 && extent.lowest + extent.unused == 0; /* before all */
      scan_element x;
      if (!ends && !nothing) continue;
      scan_element_copy(&x, identity, SCAN_OP);
      if (ends && end[i] != start[i]) scan_element_read(&x, values + last * op_size, SCAN_OP);
      scan_element_write(SCAN_AT_(out, (first + i * threads - 1) * op_size), &x, SCAN_OP);
    }
  }
}

#endif /* SCAN_KERNELS_ */

#endif
