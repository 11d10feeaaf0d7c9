// The ledger of a motion: sums of work whose rounding errors are kept, and their balance.
#ifndef STC_DYNAMICS_LEDGER_H
#define STC_DYNAMICS_LEDGER_H

#include "step_rows.h"

#include <stiction/lagrangian.h>

/// A sum whose rounding errors are collected beside it   [Neumaier 1974].
typedef struct stc_sum {
  double value, rest;
} stc_sum;

void stc_sum_add(stc_sum *sum, double x);
double stc_sum_value(const stc_sum *sum);

typedef enum stc_entry {
  STC_ENTRY_WORK,
  STC_ENTRY_DRIVE,
  STC_ENTRY_FRICTION,
  STC_ENTRY_SHOCK,
  STC_ENTRY_CORRECTION,
  STC_ENTRIES
} stc_entry;

/// The public ledger and the sums it is rounded from.
typedef struct stc_account {
  stc_ledger ledger;
  stc_sum sum[STC_ENTRIES];
} stc_account;

/// Empties the sums; the energy at hand is that of the beginning.
void stc_account_open(stc_account *account, double kinetic, double potential);

void stc_account_add(stc_account *account, stc_entry entry, double work);

/// Work of the contacts, r.(U + U+)/2, and of what drives them, r.drive.
void stc_account_contacts(stc_account *account, const stc_step_rows *rows);

/// Takes the energy at hand, copies the sums into the ledger and computes what they leave open.
void stc_account_close(stc_account *account, double kinetic, double potential);

#endif
