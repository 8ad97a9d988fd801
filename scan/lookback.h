/* How a tile learns its prefix: aggregates and prefixes in the workspace, and the block that makes
   the ones into the others.

   Every tile publishes its aggregate. One block, that of the first tile, conducts: some of its
   warps take the aggregates in order, 32 at a time, scan them onto what came before, and publish
   the prefix of every tile as soon as all aggregates before it are there. A tile reads one slot,
   its own prefix. So a prefix takes two steps through memory however many tiles there are; the
   chained scan of Yan, Long, Zhang 2013 takes a step a tile, and in the decoupled look-back of
   Merrill, Garland 2016 every block polls the words of many tiles, which on a machine whose memory
   is busy takes longer than the second step (bench/NOTES.md). And the operands are always
   associated in one way, whoever comes first.

   A status word is 32 bits of value under a tag of 31 bits, the number of the call, and a bit that
   tells of a start. So it is valid or not as a whole, no memory ordering is needed, and nothing is
   cleared between calls: tags stand in the same half of every word whatever the type, and a word
   that an earlier call left bears another tag.

   In a segmented scan what a tile publishes is what follows its last start, so a tile with a start
   knows the prefix of the next one and publishes that too, at once (van den Hurk). Where all else
   that a tile waits for comes soon, it is faster to leave that to the conducting block: the blocks
   then go in step, and so do their accesses to memory (bench/NOTES.md). */
#ifndef SCAN_LOOKBACK_H
#define SCAN_LOOKBACK_H

#include "scan/block.h"
#include "scan/tuning.h"
#include "scan/workspace.h"

#define SCAN_STATUS_WORDS_MOST SCAN_STATUS_WORDS_(SCAN_ELEMENT_BYTES_MOST)

#ifdef SCAN_KERNELS_

/* `count` slots, an element each: of every slot the first four words side by side, then of every
   slot the next four, and so on. So lanes that look at neighbouring slots look at neighbouring
   words: else wide elements that are waited for would keep the multiprocessor from its own tiles.
   Where a slot has four, these are 32 bytes, a sector of memory, which one tile writes whole. */
typedef struct {
  uint64_t *words;
  size_t count;
} scan_slots;

/* The words of a call. A short tile's aggregate is there several times. */
typedef struct {
  scan_slots aggregates; /* of tiles */
  scan_slots prefixes;   /* from the second tile on */
  scan_slots shorts;     /* aggregates of short tiles, the first copy */
  uint64_t *entries;     /* what scouts find (heads.h) */
  uint32_t tag;
  bool in_step; /* prefixes of tiles come from the conducting block alone */
} scan_status;

/* Word i of a slot; i is even, but where there is one word alone. */
SCAN_DEVICE uint64_t *scan_slot_word(scan_slots slots, size_t slot, uint32_t i, SCAN_OP_PARAMS) {
  const uint32_t before = i / 4 * 4; /* words of every slot that come first */
  const uint32_t together = scan_left(SCAN_STATUS_WORDS_(op_size), before, 4);
  return slots.words + (before * slots.count + together * slot + i % 4);
}

/* Brings the slots of tile `tile` of `tiles` nearer, if there is one; by a whole warp. A look at 32
 * bytes that are not wholly written yet would wait for device memory else. */
SCAN_DEVICE void scan_slots_prefetch(scan_status status, uint32_t tile, uint32_t tiles,
                                     SCAN_OP_PARAMS) {
  const uint32_t i = scan_lane() * 4;
  if (tile < tiles && i < SCAN_STATUS_WORDS_(op_size)) {
    scan_word_prefetch(scan_slot_word(status.aggregates, tile, i, SCAN_OP));
    scan_word_prefetch(scan_slot_word(status.prefixes, tile, i, SCAN_OP));
  }
}
/* Tiles by which that is done ahead: more than are under way. */
#define SCAN_SLOTS_AHEAD_ 1024u

/* Publishes an element, and whether a segment starts in it. */
SCAN_DEVICE void scan_publish(scan_slots slots, size_t slot, const scan_element *x, bool starts,
                              uint32_t tag, SCAN_OP_PARAMS) {
  const uint32_t words = SCAN_STATUS_WORDS_(op_size);
  const uint64_t above = (uint64_t)(starts ? tag | ~SCAN_TAG_MOST : tag) << 32;
  if (words == 1) {
    scan_word_write(scan_slot_word(slots, slot, 0, SCAN_OP), above | x->word[0]);
  } else {
    SCAN_UNROLL_
    for (uint32_t i = 0; i < words; i += 2) {
      uint64_t pair[2];
      pair[0] = above | x->word[i];
      pair[1] = above | (i + 1 < scan_element_words(SCAN_OP) ? x->word[i + 1] : 0);
      scan_word_pair_write(scan_slot_word(slots, slot, i, SCAN_OP), pair);
    }
  }
}

/* Whether a word is of this call. */
SCAN_DEVICE bool scan_word_valid(uint64_t word, uint32_t tag, SCAN_OP_PARAMS) {
  const uint32_t above = (uint32_t)(word >> 32);
  return (op_segmented ? above & SCAN_TAG_MOST : above) == tag;
}

/* Reads the words of a slot. polls: by scan_word_poll, which is sooner done while memory is busy,
   but not by many at a time (bench/NOTES.md): where no other block looks at it. */
SCAN_DEVICE void scan_slot_read(uint64_t *words, scan_slots slots, size_t slot, bool polls,
                                SCAN_OP_PARAMS) {
  const uint32_t count = SCAN_STATUS_WORDS_(op_size);
  if (polls) {
    SCAN_UNROLL_
    for (uint32_t i = 0; i < count; i++)
      words[i] = scan_word_poll(scan_slot_word(slots, slot, i / 2 * 2, SCAN_OP) + i % 2);
  } else if (count == 1) {
    words[0] = scan_word_read(scan_slot_word(slots, slot, 0, SCAN_OP));
  } else {
    SCAN_UNROLL_
    for (uint32_t i = 0; i < count; i += 2)
      scan_word_pair_read(&words[i], scan_slot_word(slots, slot, i, SCAN_OP));
  }
}

/* The element that they are, and whether a segment starts in it; false where not all of them are of
 * this call yet. */
SCAN_DEVICE bool scan_slot_element(scan_element *x, bool *starts, const uint64_t *words,
                                   uint32_t tag, SCAN_OP_PARAMS) {
  bool valid = true;
  *starts = op_segmented && words[0] >> 63 != 0;
  SCAN_UNROLL_
  for (uint32_t i = 0; i < SCAN_STATUS_WORDS_(op_size); i++) {
    valid = valid && scan_word_valid(words[i], tag, SCAN_OP);
    if (i < scan_element_words(SCAN_OP)) x->word[i] = (uint32_t)words[i];
  }
  return valid;
}

/* Reads a slot's element so. */
SCAN_DEVICE bool scan_fetch(scan_element *x, bool *starts, scan_slots slots, size_t slot,
                            bool polls, uint32_t tag, SCAN_OP_PARAMS) {
  uint64_t words[SCAN_STATUS_WORDS_MOST];
  scan_slot_read(words, slots, slot, polls, SCAN_OP);
  return scan_slot_element(x, starts, words, tag, SCAN_OP);
}

/* Waits for an element, and returns whether a segment starts in it. Of a tile that was taken before
 * the caller's, so by a block that runs. */
SCAN_DEVICE bool scan_await(scan_element *x, scan_slots slots, size_t slot, bool polls,
                            uint32_t tag, SCAN_OP_PARAMS) {
  bool starts;
  while (!scan_fetch(x, &starts, slots, slot, polls, tag, SCAN_OP)) scan_spin();
  return starts;
}

/* Short tiles' aggregates, in a copy of SCAN_SHORT_COPIES. */
SCAN_DEVICE scan_slots scan_shorts_copy(scan_status status, uint32_t copy, SCAN_OP_PARAMS) {
  scan_slots slots = status.shorts;
  slots.words += copy * slots.count * SCAN_STATUS_WORDS_(op_size);
  return slots;
}

/* Publishes the aggregate of short tile `index`, which all lanes of a warp bring: the first lanes
 * in a copy each. */
SCAN_DEVICE void scan_publish_short(const scan_element *x, bool starts, scan_slots copy,
                                    uint32_t index, uint32_t tag, SCAN_OP_PARAMS) {
  if (scan_lane() < SCAN_SHORT_COPIES) scan_publish(copy, index, x, starts, tag, SCAN_OP);
}

/* Publishes the aggregate of a tile, and where a segment starts in it the prefix of the next, but
 * where tiles go in step. */
SCAN_DEVICE void scan_publish_tile(const scan_element *x, bool starts, uint32_t tile,
                                   scan_status status, SCAN_OP_PARAMS) {
  scan_publish(status.aggregates, tile, x, starts, status.tag, SCAN_OP);
  if (starts && !status.in_step)
    scan_publish(status.prefixes, tile + 1, x, false, status.tag, SCAN_OP);
}

/* Nanoseconds between two looks at a batch: looks in vain keep the multiprocessor, and memory, from
 * what is looked for. */
#define SCAN_CONDUCT_PAUSE 100u

/* Makes the aggregates of `tiles` tiles into the prefixes of the tiles that follow them, and
   publishes those of the tiles from `wanted_first` on. Called by whole warps, `warp` of `warps`,
   which take batches of 32 tiles in turn and hand each other what comes before a batch: element w
   of carries is what warp w waits for, until carried[w]. Before the first tile comes the seed, or
   nothing. Waits for tiles that may not be taken yet; blocks that run take them, and none of them
   waits for a prefix but of tiles before its own.
 */
SCAN_DEVICE void scan_conduct(uint32_t *carries, scan_signal *carried, uint32_t warp,
                              uint32_t warps, uint32_t tiles, uint32_t wanted_first,
                              const uint32_t *seed, bool seeded, scan_status status,
                              SCAN_OP_PARAMS) {
  const uint32_t lane = scan_lane();
  uint32_t phase = 0;
  /* Invariant: the warp's batches before `first` have their prefixes, and each of them handed on
   * what it ends with. */
  for (uint32_t first = warp * SCAN_WARP_THREADS; first < tiles;
       first += warps * SCAN_WARP_THREADS) {
    const uint32_t count = scan_left(tiles, first, SCAN_WARP_THREADS);
    const bool any = first != 0 || seeded;
    const uint32_t *carry = first == 0 ? seed : &carries[warp * scan_element_words(SCAN_OP)];
    scan_element own, through;
    bool valid = lane >= count;
    bool starts_here = false;
    uint32_t done = 0;
    scan_element_clear(&own, SCAN_OP);
    /* Invariant: the tiles after the first `done` of the batch have their prefixes. */
    while (done != count) {
      uint32_t missing, ready, starts;
      if (!valid)
        valid = scan_fetch(&own, &starts_here, status.aggregates, first + lane,
                           SCAN_CONDUCT_POLLS_(op_size), status.tag, SCAN_OP);
      missing = scan_ballot(!valid);
      ready = missing == 0 ? count : scan_lowest_bit(missing);
      /* What there is of a batch is good for nothing until the carry comes; then there may be more.
       */
      if (ready == done || (ready != count && done == 0 && first != 0 &&
                            scan_ballot(scan_signal_arrived(&carried[warp], phase)) == 0)) {
        scan_spin_pause(SCAN_CONDUCT_PAUSE);
        continue;
      }
      scan_element_copy(&through, &own, SCAN_OP);
      starts = scan_starts(starts_here && lane < ready, SCAN_OP);
      scan_warp_scan(&through, starts, lane < ready, SCAN_OP);
      if (done == 0 && first != 0) {
        scan_signal_wait(&carried[warp], phase);
        phase ^= 1;
      }
      if (any && lane < ready && scan_starts_through(starts) == 0) {
        scan_element before;
        scan_packed_get(&before, carry, 0, SCAN_OP);
        scan_prepend(&through, &before, SCAN_OP);
      }
      if (ready == count) {
        const uint32_t to = (warp + 1) % warps;
        scan_warp_barrier(); /* all lanes have the carry: the next may come */
        if (lane == count - 1) {
          scan_packed_put(carries, to, &through, SCAN_OP);
          scan_signal_arrive(&carried[to]);
        }
      }
      if (lane >= done && lane < ready && (!starts_here || status.in_step) &&
          first + lane + 1 >= wanted_first)
        scan_publish(status.prefixes, first + lane + 1, &through, false, status.tag, SCAN_OP);
      done = ready;
    }
  }
}

/* The most elements that a fold of `count`, `all` at most, is prepared for. To ask whether a step
   is needed costs most of what the step does, but for wide elements: so of others it is asked once,
   for the whole fold. */
SCAN_DEVICE uint32_t scan_look_most(uint32_t count, uint32_t all, SCAN_OP_PARAMS) {
  const uint32_t few = 4;
  if (op_size > 16) return count;
  return count <= few ? few : all;
}

/* x = all before short tile `index` but a seed, back to the last start, in every thread: what the
   conducting block has of the `tiles` tiles, and the aggregates of the short tiles before. There is
   something before it. late: cycles by which the first look is. Called by `warps` warps that meet
   at `barrier`; totals: one a warp. */
SCAN_DEVICE void scan_look_back(scan_element *x, uint32_t tiles, uint32_t index, uint32_t warps,
                                uint32_t warp, uint32_t barrier, uint32_t *totals,
                                scan_status status, uint32_t late, SCAN_OP_PARAMS) {
  const uint32_t threads = warps * SCAN_WARP_THREADS;
  const uint32_t conducted = tiles != 0; /* a slot for all tiles together */
  const uint32_t count = conducted + index;
  const scan_slots shorts = scan_shorts_copy(status, index % SCAN_SHORT_COPIES, SCAN_OP);
  uint32_t holders, mine, looking;
  uint32_t shift = 0; /* a thread has 1 << shift slots */
  const uint32_t at_once = SCAN_LOOKS_AT_ONCE_(op_size);
  bool any = false;
  bool starts_here = false;
  scan_element_clear(x, SCAN_OP);
  /* No division: that would take longer than a step or two. */
  SCAN_ROLL_
  while (threads << shift < count) shift++;
  holders = (count + (1u << shift) - 1) >> shift; /* threads that have any */
  mine = (warp * SCAN_WARP_THREADS + scan_lane()) << shift;
  if (late != 0) scan_delay(late);
  /* Waits as scan_await does, for two slots at a time: both are asked for before either is looked
   * at. Invariant: x is the slots from `mine` to before i, back to their last start. */
  SCAN_ROLL_
  for (uint32_t i = mine; i < mine + (1u << shift) && i < count; i += at_once) {
    const bool two = at_once == 2 && shift != 0 && i + 1 < count;
    scan_element slot, next;
    bool starts, next_starts = false;
    bool valid = false;
    scan_element_clear(&next, SCAN_OP);
    while (!valid) {
      uint64_t words[2][SCAN_STATUS_WORDS_MOST];
      scan_slot_read(words[0], i < conducted ? status.prefixes : shorts,
                     i < conducted ? tiles : i - conducted, false, SCAN_OP);
      if (two) scan_slot_read(words[1], shorts, i + 1 - conducted, false, SCAN_OP);
      valid = scan_slot_element(&slot, &starts, words[0], status.tag, SCAN_OP);
      if (two)
        valid = scan_slot_element(&next, &next_starts, words[1], status.tag, SCAN_OP) && valid;
      if (!valid) scan_spin();
    }
    scan_follow_first(x, &any, &slot, starts, SCAN_OP);
    if (two) scan_follow(x, &next, next_starts, SCAN_OP);
    starts_here = starts_here || starts || next_starts;
  }
  scan_warp_barrier(); /* lanes that waited come together, or each shuffle would ask */
  if (warp * SCAN_WARP_THREADS < holders) {
    const uint32_t starts = scan_starts(starts_here, SCAN_OP);
    const uint32_t active = scan_left(holders, warp * SCAN_WARP_THREADS, SCAN_WARP_THREADS);
    scan_warp_fold(x, starts, active, scan_look_most(active, SCAN_WARP_THREADS, SCAN_OP), SCAN_OP);
    if (scan_lane() == 0) scan_total_put(totals, warp, x, starts != 0, SCAN_OP);
  }
  scan_group_barrier(barrier, threads);
  looking = (holders + SCAN_WARP_THREADS - 1) / SCAN_WARP_THREADS;
  if (looking == 1) /* nothing to fold, as in most small inputs */
    (void)scan_total_get(x, totals, 0, SCAN_OP);
  else
    (void)scan_block_totals(x, totals, looking,
                            scan_look_most(looking, SCAN_SPREAD_WARPS_MOST, SCAN_OP), SCAN_OP);
}

#endif /* SCAN_KERNELS_ */

#endif
