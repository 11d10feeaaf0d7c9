// A team of threads that share the pieces of one job; made at setup, asleep between jobs.
#ifndef STC_BASE_TEAM_H
#define STC_BASE_TEAM_H

#include <stiction/base.h>

typedef struct stc_team stc_team;

/// A team of `threads` >= 1, the caller among them.
stc_error stc_team_create(int threads, stc_team **team);
void stc_team_free(stc_team **team);

/// Runs task(argument, k) for k = 0 .. count-1, spread over the team, and returns when all are
/// done. The pieces must be independent; which thread takes which is not defined. NULL: the caller
/// alone.
void stc_team_run(stc_team *team, void (*task)(void *argument, int k), void *argument, int count);

/// A row of things cut into pieces by their number alone, never by that of the threads: what is
/// summed piece by piece, and then over the pieces in order, is the same for any team.
typedef struct stc_pieces {
  int whole;  ///< things
  int size;   ///< of a piece; the last may have fewer
  int count;  ///< at most STC_PIECES; 0 where there is nothing
} stc_pieces;

/// Pieces there are at most and, where there is more than one, at least; numbers and contacts or
/// bodies in each of them.
enum { STC_PIECES = 64, STC_PIECES_LEAST = 4, STC_PIECE_NUMBERS = 8192, STC_PIECE_CONTACTS = 2048 };

/// Pieces of `least` (a multiple of 8) things or more.
static inline stc_pieces stc_pieces_of(int whole, int least) {
  int size = (whole / STC_PIECES + 8) & ~7;  // whole vectors
  if (size < least) size = least;
  if (whole / size < STC_PIECES_LEAST) return (stc_pieces){whole, whole, whole > 0};
  return (stc_pieces){whole, size, whole / size + (whole % size != 0)};
}

/// First thing of piece k, that past the last of the piece before.
static inline int stc_piece_first(const stc_pieces *pieces, int k) {
  return k < pieces->count ? k * pieces->size : pieces->whole;
}

/// to [count] = from.
void stc_team_copy(stc_team *team, double *to, const double *from, int count);

#endif
