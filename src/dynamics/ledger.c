// The ledger of a motion, kinetic + potential = start + sums + error. Contacts do the work
//   r.(U + U+)/2 + r.drive
// exactly, less what they store: shock (normal parts), friction (the rest), drive (walls and bodies
// that are driven).
#include "ledger.h"

#include <math.h>

void stc_sum_add(stc_sum *sum, double x) {
  double total = sum->value + x;
  bool kept = fabs(sum->value) >= fabs(x);
  sum->rest += kept ? (sum->value - total) + x : (x - total) + sum->value;
  sum->value = total;
}

double stc_sum_value(const stc_sum *sum) { return sum->value + sum->rest; }

void stc_account_open(stc_account *account, double kinetic, double potential) {
  *account = (stc_account){.ledger = {.kinetic = kinetic, .potential = potential}};
  account->ledger.start = kinetic + potential;
}

void stc_account_add(stc_account *account, stc_entry entry, double work) {
  stc_sum_add(&account->sum[entry], work);
}

void stc_account_contacts(stc_account *account, const stc_step_rows *rows) {
  for (int first = 0; first < stc_step_size(rows); first += rows->dim) {
    double part[2] = {rows->rise ? rows->rise[first / rows->dim] : 0, 0};
    for (int k = first; k < first + rows->dim; k++) {
      part[k > first] += rows->r[k] * (rows->before[k] + rows->after[k]) / 2;
      stc_account_add(account, STC_ENTRY_DRIVE, rows->r[k] * rows->drive[k]);
    }
    // A contact gives no energy. One part of its work may be positive where a shock couples the
    // normal and the tangent: then the other part holds both. Where the frame or the velocity
    // rotates within the step even their sum may be, by the order of h: what the time step gives
    // counts as correction.
    double normal = part[0];
    double tangential = part[1];
    double sum = normal + tangential;
    if (sum > 0) {
      stc_account_add(account, STC_ENTRY_CORRECTION, sum);
    } else if (tangential > 0) {
      stc_account_add(account, STC_ENTRY_SHOCK, sum);
    } else if (normal > 0) {
      stc_account_add(account, STC_ENTRY_FRICTION, sum);
    } else {
      stc_account_add(account, STC_ENTRY_SHOCK, normal);
      stc_account_add(account, STC_ENTRY_FRICTION, tangential);
    }
  }
}

void stc_account_close(stc_account *account, double kinetic, double potential) {
  const stc_sum *sum = account->sum;
  stc_sum error = {0};
  account->ledger = (stc_ledger){.kinetic = kinetic,
                                 .potential = potential,
                                 .start = account->ledger.start,
                                 .work = stc_sum_value(&sum[STC_ENTRY_WORK]),
                                 .drive = stc_sum_value(&sum[STC_ENTRY_DRIVE]),
                                 .friction = stc_sum_value(&sum[STC_ENTRY_FRICTION]),
                                 .shock = stc_sum_value(&sum[STC_ENTRY_SHOCK]),
                                 .correction = stc_sum_value(&sum[STC_ENTRY_CORRECTION])};
  stc_sum_add(&error, kinetic);
  stc_sum_add(&error, potential);
  stc_sum_add(&error, -account->ledger.start);
  for (int k = 0; k < STC_ENTRIES; k++) {
    stc_sum_add(&error, -sum[k].value);
    stc_sum_add(&error, -sum[k].rest);
  }
  account->ledger.error = stc_sum_value(&error);
}
