// Exact rational numbers on GMP, kept in blocks and reused.
#include "check_exact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1024, LONGEST = 200000 };  // LONGEST: characters; a bound on the work of a step

static struct {
  void **room;
  mpq_t **block;
  int rooms, blocks, used;
} held;

// GMP would abort where memory runs out. The program owns the process: it may tell GMP.
static void *gmp_allocate(size_t size) { return must(malloc(size)); }

static void *reallocate(void *block, size_t old, size_t size) {
  (void)old;
  return must(realloc(block, size));
}

static void release(void *block, size_t size) {
  (void)size;
  free(block);
}

void *exact_room(int count, size_t size) {
  held.room = must(realloc(held.room, (size_t)(held.rooms + 1) * sizeof *held.room));
  return held.room[held.rooms++] = must(calloc((size_t)count + 1, size));
}

static mpq_ptr fresh(void) {
  if (held.used == BLOCK * held.blocks) {
    held.block = must(realloc(held.block, (size_t)(held.blocks + 1) * sizeof *held.block));
    if (!held.blocks) mp_set_memory_functions(gmp_allocate, reallocate, release);
    mpq_t *block = held.block[held.blocks++] = must(malloc(BLOCK * sizeof *block));
    for (int k = 0; k < BLOCK; k++) mpq_init(block[k]);
  }
  int at = held.used++;
  return held.block[at / BLOCK][at % BLOCK];
}

int exact_mark(void) { return held.used; }

void exact_forget(int mark) {
  held.used = mark < 0 ? 0 : mark;
  if (mark >= 0) return;
  for (int k = 0; k < held.rooms; k++) free(held.room[k]);
  for (int k = 0; k < BLOCK * held.blocks; k++) mpq_clear(held.block[k / BLOCK][k % BLOCK]);
  for (int k = 0; k < held.blocks; k++) free(held.block[k]);
  free(held.room);
  free(held.block);
  memset(&held, 0, sizeof held);
}

#define MAKE(declaration, ...)                                                                     \
  number declaration {                                                                             \
    mpq_ptr out = fresh();                                                                         \
    __VA_ARGS__;                                                                                   \
    return out;                                                                                    \
  }
MAKE(real(double x), mpq_set_d(out, x))
MAKE(plus(number a, number b), mpq_add(out, a, b))
MAKE(minus(number a, number b), mpq_sub(out, a, b))
MAKE(times(number a, number b), mpq_mul(out, a, b))
MAKE(over(number a, number b), mpq_div(out, a, b))
MAKE(negative(number a), mpq_neg(out, a))
MAKE(size_of(number a), mpq_abs(out, a))

number dot(int count, const number *a, const number *b) {
  number sum = real(0.0);
  for (int k = 0; k < count; k++)
    if (mpq_sgn(a[k]) && mpq_sgn(b[k])) sum = plus(sum, times(a[k], b[k]));
  return sum;
}

static bool parse_number(const char *text, mpq_ptr out) {
  if (strspn(text, "-0123456789/") == strlen(text)) {
    if (mpq_set_str(out, text, 10) || mpz_sgn(mpq_denref(out)) <= 0) return false;
    mpq_canonicalize(out);
    return true;
  }
  char *end;
  double x = strtod(text, &end);
  if (*end || !strstr(text, "0x") || !isfinite(x)) return false;
  mpq_set_d(out, x);
  return true;
}

number exact_read(const value *v) {
  if (!v || v->kind != '"' || !v->length || v->length > LONGEST) return NULL;
  char *text = must(strndup(v->text, v->length));
  mpq_ptr out = fresh();
  bool good = parse_number(text, out);
  if (!good) mpq_set_ui(out, 0, 1);
  free(text);
  return good ? out : NULL;
}
