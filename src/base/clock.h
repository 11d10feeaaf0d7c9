// Wall-clock and processor time.
#ifndef STC_BASE_CLOCK_H
#define STC_BASE_CLOCK_H

/// Seconds since some fixed moment; never goes back.
double stc_clock(void);

/// Seconds of a processor that this thread has taken.
double stc_cpu_clock(void);

#endif
