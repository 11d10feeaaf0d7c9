// The brick wall of walls.c and mujoco_walls.c: rows of bricks, every other one shifted by half a
// brick and closed by half bricks, set on each other without mortar.
#ifndef BENCH_WALL_H
#define BENCH_WALL_H

// Half sizes of a brick, m; the joint between neighbours in a row, m.
static const double BRICK[3] = {0.10, 0.05, 0.05}, JOINT = 5e-4;
static const double BRICK_DENSITY = 2000, BRICK_MU = 0.6;

typedef struct brick {
  double half[3], x[3];
} brick;

static inline int wall_bricks(int rows, int columns) { return rows * columns + rows / 2; }

static inline void wall_place(int rows, int columns, brick *list) {
  int at = 0;
  double pitch = 2 * BRICK[0] + JOINT;
  for (int row = 0; row < rows; row++) {
    int shifted = row % 2;
    for (int k = 0; k < columns + shifted; k++) {
      int cut = shifted && (k == 0 || k == columns);
      double half = cut ? BRICK[0] / 2 - JOINT / 4 : BRICK[0];
      double x = shifted ? k * pitch - pitch / 2 : k * pitch;
      if (cut) x += (k == 0 ? 1 : -1) * (BRICK[0] - half);
      list[at++] = (brick){{half, BRICK[1], BRICK[2]}, {x, 0, (2 * row + 1) * BRICK[2]}};
    }
  }
}

#endif
