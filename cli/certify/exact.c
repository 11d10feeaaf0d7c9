// Exact rational numbers on GMP, kept in blocks and reused.
#include "exact.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1024 };

static struct {
  mpq_t **block;
  int blocks, used;
  void **room;
  int rooms;
} held;

static void *must(void *memory) {
  if (memory) return memory;
  fputs("stiction: out of memory for a certificate\n", stderr);
  exit(1);
}

void *exact_room(int count, size_t size) {
  held.room = must(realloc(held.room, (size_t)(held.rooms + 1) * sizeof *held.room));
  return held.room[held.rooms++] = must(calloc((size_t)count + 1, size));
}

static mpq_ptr fresh(void) {
  if (held.used == BLOCK * held.blocks) {
    held.block = must(realloc(held.block, (size_t)(held.blocks + 1) * sizeof *held.block));
    mpq_t *block = held.block[held.blocks++] = must(malloc(BLOCK * sizeof(mpq_t)));
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
  for (int k = 0; k < held.blocks; k++) {
    for (int j = 0; j < BLOCK; j++) mpq_clear(held.block[k][j]);
    free(held.block[k]);
  }
  free(held.room);
  free(held.block);
  memset(&held, 0, sizeof held);
}

#define OPERATION(name, operate)                                                                   \
  number name(number a, number b) {                                                                \
    mpq_ptr out = fresh();                                                                         \
    operate(out, a, b);                                                                            \
    return out;                                                                                    \
  }
OPERATION(plus, mpq_add)
OPERATION(minus, mpq_sub)
OPERATION(times, mpq_mul)
OPERATION(over, mpq_div)

number real(double x) {
  mpq_ptr out = fresh();
  mpq_set_d(out, x);
  return out;
}

number size_of(number a) { return mpq_sgn(a) < 0 ? minus(real(0.0), a) : a; }

number greater(number a, number b) { return mpq_cmp(a, b) < 0 ? b : a; }

number dot(int count, const number *a, const number *b) {
  number sum = real(0.0);
  for (int k = 0; k < count; k++)
    if (mpq_sgn(a[k]) && mpq_sgn(b[k])) sum = plus(sum, times(a[k], b[k]));
  return sum;
}

int compare(number a, number b) { return mpq_cmp(a, b); }

static bool read_fraction(const char *text, mpq_ptr out) {
  if (mpq_set_str(out, text, 10) || mpz_sgn(mpq_denref(out)) <= 0) return false;
  mpq_canonicalize(out);
  return true;
}

static bool read_real(const char *text, mpq_ptr out) {
  char *end;
  double x = strtod(text, &end);
  if (*end || !strstr(text, "0x") || !isfinite(x)) return false;
  mpq_set_d(out, x);
  return true;
}

number exact_read(const value *v) {
  if (!v || v->kind != VALUE_STRING || !v->length) return NULL;
  char *text = must(calloc(v->length + 1, 1));
  mpq_ptr out = fresh();
  memcpy(text, v->text, v->length);
  bool fraction = strspn(text, "-0123456789/") == v->length;
  bool good =
      strlen(text) == v->length && (fraction ? read_fraction(text, out) : read_real(text, out));
  if (!good) mpq_set_ui(out, 0, 1);
  free(text);
  return good ? out : NULL;
}
