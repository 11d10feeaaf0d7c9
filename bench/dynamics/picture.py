# Work against precision of the engines, one panel per scene:
#   picture.py dynamics.csv dynamics.svg
# Across: processor time per second of motion. Up: the error, mean overlap where bodies touch, else joint gap.
import csv
import math
import sys

WIDE, HIGH, COLUMNS, LEAST = 240, 170, 4, 1e-16
COLOURS = {"stiction": "#c0392b", "bullet": "#2471a3", "ode": "#239b56", "mujoco": "#9a7d0a",
           "box2d": "#6c3483", "siconos": "#d35400"}


def error_of(row):
    text = row["overlap_mean_m"] or row["joint_gap_m"]
    return max(float(text), LEAST) if text else None


def scale(value, values, size):
    low, high = math.log10(min(values)), math.log10(max(values))
    return size * (math.log10(value) - low) / (high - low or 1)


def panel(rows, left, top):
    times = [1e-3 * float(r["ms_mean"]) / float(r["h"]) for r in rows]
    errors = [error_of(r) for r in rows]
    known = [e for e in errors if e] or [1]
    text = [f'<text x="{left + 10}" y="{top + 14}" font-weight="bold">{rows[0]["scene"]}</text>',
            f'<rect x="{left + 10}" y="{top + 20}" width="{WIDE - 30}" height="{HIGH - 50}" '
            'fill="none" stroke="#bbb"/>',
            f'<text x="{left + 10}" y="{top + HIGH - 16}">{min(times):.2g} to {max(times):.2g} s/s, '
            f'error {min(known):.1e} to {max(known):.1e} m</text>']
    for row, time, error in zip(rows, times, errors):
        if not error:
            continue
        x = left + 20 + scale(time, times, WIDE - 90)
        y = top + HIGH - 40 - scale(error, known, HIGH - 80)
        colour = COLOURS[row["engine"].split()[0]]
        text.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>'
                    f'<text x="{x + 5:.1f}" y="{y + 3:.1f}" fill="{colour}">{row["engine"]}</text>')
    return text


def main(table, picture):
    with open(table) as file:
        rows = list(csv.DictReader(file))
    names = list(dict.fromkeys(r["scene"] for r in rows))
    high = HIGH * math.ceil(len(names) / COLUMNS)
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDE * COLUMNS}" height="{high}" '
             'font-family="sans-serif" font-size="9">']
    for k, name in enumerate(names):
        lines += panel([r for r in rows if r["scene"] == name], WIDE * (k % COLUMNS),
                       HIGH * (k // COLUMNS))
    with open(picture, "w") as file:
        file.write("\n".join(lines + ["</svg>", ""]))


main(sys.argv[1], sys.argv[2])
