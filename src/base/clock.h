// Wall-clock time.
#ifndef STC_BASE_CLOCK_H
#define STC_BASE_CLOCK_H

/// Seconds since some fixed moment; never goes back.
double stc_clock(void);

#endif
