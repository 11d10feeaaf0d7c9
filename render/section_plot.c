// A picture of any cone of friction: the cone over its section, and the section with the rule of
// greatest dissipation, the reaction r_T of a slip being the point farthest along -u_T, which is
// normal to the section there.
#include "plot.h"

#include <math.h>

enum { POINTS = 360, RAYS = 24, SLIPS = 16, WIDTH = 780, HEIGHT = 420 };

static const double TURN = 6.283185307179586;

// The left half holds the cone, the right one the section; pixels.
static const double APEX[2] = {185, 360}, CENTRE[2] = {580, 220}, TALL = 190, HALF = 105;

static const char SECTION_FILL[] = "#9ecae1", CONE_FILL[] = "#deebf7", EDGE[] = "#2171b5",
                  SLIP[] = "#d95f02", REACTION[] = "#1b7837";

typedef struct picture {
  FILE *out;
  const stc_cone_section *section;
  double scale;  // pixels for each unit of r_T / r_N
} picture;

// --- Lines and words ---

static void draw_line(FILE *out, const double *a, const double *b, const char *color, double width,
                      bool arrow) {
  double dx = b[0] - a[0], dy = b[1] - a[1], length = hypot(dx, dy), head = 3.5 + 2.0 * width;
  fprintf(out, "<path d='M%.2f %.2fL%.2f %.2f", a[0], a[1], b[0], b[1]);
  if (arrow && length > 0.0) {
    double x = dx / length * head, y = dy / length * head;
    fprintf(out, "M%.2f %.2fL%.2f %.2fL%.2f %.2f", b[0] - x - 0.5 * y, b[1] - y + 0.5 * x, b[0],
            b[1], b[0] - x + 0.5 * y, b[1] - y - 0.5 * x);
  }
  fprintf(out, "' fill='none' stroke='%s' stroke-width='%g'/>\n", color, width);
}

static void draw_word(FILE *out, double x, double y, const char *color, const char *text) {
  fprintf(out, "<text x='%.2f' y='%.2f' fill='%s'>%s</text>\n", x, y, color, text);
}

static void draw_dot(FILE *out, const double *p, const char *color) {
  fprintf(out, "<circle cx='%.2f' cy='%.2f' r='3.5' fill='%s'/>\n", p[0], p[1], color);
}

// --- Places ---

// r = (r_T1, r_T2) at the height r_N = z of the cone, and in the section.
static void place_in_cone(const picture *p, const double *r, double z, double at[2]) {
  at[0] = APEX[0] + p->scale * (r[0] + 0.45 * r[1]);
  at[1] = APEX[1] - TALL * z - p->scale * 0.35 * r[1];
}

static void place_in_section(const picture *p, const double *r, double at[2]) {
  at[0] = CENTRE[0] + p->scale * r[0];
  at[1] = CENTRE[1] - p->scale * r[1];
}

static void boundary(const picture *p, int k, int count, double r[2]) {
  double angle = TURN * (k + 0.25) / count, d[2] = {cos(angle), sin(angle)};
  stc_cone_section_reach(p->section, d, r);
}

static void draw_boundary(const picture *p, bool cone) {
  for (int k = 0; k < POINTS; k++) {
    double r[2], at[2];
    boundary(p, k, POINTS, r);
    if (cone)
      place_in_cone(p, r, 1.0, at);
    else
      place_in_section(p, r, at);
    fprintf(p->out, "%s%.2f %.2f", k ? "L" : "<path d='M", at[0], at[1]);
  }
  fprintf(p->out, "Z' fill='%s' fill-opacity='0.8' stroke='%s' stroke-width='1.6'/>\n",
          SECTION_FILL, EDGE);
}

// --- The cone ---

// The triangle of the outermost rays as they are seen.
static void draw_silhouette(const picture *p) {
  double left[2] = {0.0, 0.0}, right[2] = {0.0, 0.0}, least = INFINITY, most = -INFINITY;
  for (int k = 0; k < POINTS; k++) {
    double r[2], at[2], slope;
    boundary(p, k, POINTS, r);
    place_in_cone(p, r, 1.0, at);
    slope = (at[0] - APEX[0]) / (APEX[1] - at[1]);
    if (slope < least) least = slope, left[0] = at[0], left[1] = at[1];
    if (slope > most) most = slope, right[0] = at[0], right[1] = at[1];
  }
  fprintf(p->out, "<path d='M%.2f %.2fL%.2f %.2fL%.2f %.2fZ' fill='%s' stroke='%s'/>\n", APEX[0],
          APEX[1], left[0], left[1], right[0], right[1], CONE_FILL, EDGE);
}

static void draw_cone(const picture *p) {
  const double zero[2] = {0.0, 0.0}, along[2] = {1.35 * HALF / p->scale, 0.0};
  const double across[2] = {0.0, 1.6 * HALF / p->scale};
  double at[2], top[2];
  draw_silhouette(p);
  for (int k = 0; k < RAYS; k++) {
    double r[2];
    boundary(p, k, RAYS, r);
    place_in_cone(p, r, 1.0, at);
    draw_line(p->out, APEX, at, EDGE, 0.35, false);
  }
  draw_boundary(p, true);
  place_in_cone(p, zero, 1.5, top);
  draw_line(p->out, APEX, top, "#333", 1.0, true);
  draw_word(p->out, top[0] + 7, top[1] + 8, "#333", "r<tspan dy='3' font-size='10'>N</tspan>");
  place_in_cone(p, along, 0.0, at);
  draw_line(p->out, APEX, at, "#333", 1.0, true);
  draw_word(p->out, at[0] + 4, at[1] + 4, "#333", "r<tspan dy='3' font-size='10'>T1</tspan>");
  place_in_cone(p, across, 0.0, at);
  draw_line(p->out, APEX, at, "#333", 1.0, true);
  draw_word(p->out, at[0] + 4, at[1], "#333", "r<tspan dy='3' font-size='10'>T2</tspan>");
}

// --- The rule ---

// The slip against the direction at `angle`: -u_T stands on the section at r_T.
static void draw_slip(const picture *p, double angle, bool named) {
  double d[2] = {cos(angle), sin(angle)}, r[2], from[2], to[2], length = named ? 62.0 : 26.0;
  stc_cone_section_reach(p->section, d, r);
  place_in_section(p, r, from);
  to[0] = from[0] + length * d[0];
  to[1] = from[1] - length * d[1];
  draw_line(p->out, from, to, SLIP, named ? 2.0 : 0.9, true);
  if (!named) return;
  const double side[2][2] = {{from[0] - 90 * d[1], from[1] - 90 * d[0]},
                             {from[0] + 90 * d[1], from[1] + 90 * d[0]}};
  const double back[2] = {CENTRE[0] - length * d[0], CENTRE[1] + length * d[1]};
  fprintf(p->out, "<g stroke-dasharray='5 4'>");
  draw_line(p->out, side[0], side[1], "#777", 1.0, false);
  fprintf(p->out, "</g>\n");
  draw_line(p->out, CENTRE, from, REACTION, 2.0, true);
  draw_line(p->out, CENTRE, back, SLIP, 2.0, true);
  draw_dot(p->out, from, REACTION);
  draw_word(p->out, to[0] + 6, to[1] + 4, SLIP, "−u<tspan dy='3' font-size='10'>T</tspan>");
  draw_word(p->out, back[0] - 22, back[1] + 14, SLIP, "u<tspan dy='3' font-size='10'>T</tspan>");
  draw_word(p->out, (CENTRE[0] + from[0]) / 2 + 4, (CENTRE[1] + from[1]) / 2 + 16, REACTION,
            "r<tspan dy='3' font-size='10'>T</tspan>");
}

static void draw_rule(const picture *p) {
  const double axis[2][2][2] = {{{CENTRE[0] - 170, CENTRE[1]}, {CENTRE[0] + 170, CENTRE[1]}},
                                {{CENTRE[0], CENTRE[1] + 150}, {CENTRE[0], CENTRE[1] - 150}}};
  draw_boundary(p, false);
  for (int k = 0; k < 2; k++) draw_line(p->out, axis[k][0], axis[k][1], "#333", 0.8, true);
  draw_word(p->out, axis[0][1][0] - 2, axis[0][1][1] + 18, "#333", "T1");
  draw_word(p->out, axis[1][1][0] + 6, axis[1][1][1] + 8, "#333", "T2");
  for (int k = 0; k < SLIPS; k++) draw_slip(p, TURN * k / SLIPS, false);
  draw_slip(p, TURN * 0.11, true);
  draw_word(p->out, CENTRE[0] - 165, HEIGHT - 22, "#333",
            "r<tspan dy='3' font-size='10'>T</tspan><tspan dy='-3'>: the point of the section "
            "farthest along −u</tspan><tspan dy='3' font-size='10'>T</tspan>");
}

// --- In the plane ---

// The wedge of the cone, and r_T / r_N over u_T.
static void draw_interval(const picture *p) {
  const double forth[2] = {1.0, 0.0}, back[2] = {-1.0, 0.0};
  double high[2], low[2], a[2], b[2];
  stc_cone_section_reach(p->section, forth, high);
  stc_cone_section_reach(p->section, back, low);
  place_in_cone(p, low, 1.0, a);
  place_in_cone(p, high, 1.0, b);
  fprintf(p->out, "<path d='M%.2f %.2fL%.2f %.2fL%.2f %.2fZ' fill='%s' stroke='%s'/>\n", APEX[0],
          APEX[1], a[0], a[1], b[0], b[1], SECTION_FILL, EDGE);
  draw_line(p->out, APEX, (double[]){APEX[0], APEX[1] - 1.5 * TALL}, "#333", 1.0, true);
  draw_line(p->out, (double[]){APEX[0] - 130, APEX[1]}, (double[]){APEX[0] + 140, APEX[1]}, "#333",
            1.0, true);
  draw_word(p->out, APEX[0] + 7, APEX[1] - 1.5 * TALL + 8, "#333",
            "r<tspan dy='3' font-size='10'>N</tspan>");
  draw_word(p->out, APEX[0] + 130, APEX[1] + 18, "#333", "r<tspan dy='3' font-size='10'>T</tspan>");
  double up = CENTRE[1] - p->scale * high[0], down = CENTRE[1] - p->scale * low[0];
  fprintf(p->out,
          "<path d='M%.2f %.2fH%.2fV%.2fH%.2f' fill='none' stroke='%s' stroke-width='2'/>\n",
          CENTRE[0] - 150, up, CENTRE[0], down, CENTRE[0] + 150, REACTION);
  draw_line(p->out, (double[]){CENTRE[0] - 160, CENTRE[1]}, (double[]){CENTRE[0] + 165, CENTRE[1]},
            "#333", 0.8, true);
  draw_line(p->out, (double[]){CENTRE[0], CENTRE[1] + 150}, (double[]){CENTRE[0], CENTRE[1] - 150},
            "#333", 0.8, true);
  draw_word(p->out, CENTRE[0] + 158, CENTRE[1] + 18, SLIP,
            "u<tspan dy='3' font-size='10'>T</tspan>");
  draw_word(p->out, CENTRE[0] + 8, CENTRE[1] - 140, REACTION,
            "r<tspan dy='3' font-size='10'>T</tspan><tspan dy='-3'> / r</tspan><tspan dy='3' "
            "font-size='10'>N</tspan>");
}

// --- All of it ---

void section_draw(FILE *out, const stc_cone_section *section) {
  picture p = {.out = out, .section = section};
  double size = 0.0;
  for (int k = 0; k < POINTS; k++) {
    double r[2];
    boundary(&p, k, POINTS, r);
    size = fmax(size, fmax(fabs(r[0]), fabs(r[1])));
  }
  p.scale = size > 0.0 ? HALF / size : 1.0;
  svg_begin(out, WIDTH, HEIGHT,
            "Cone of friction, its section and the rule of greatest dissipation",
            "font-family='sans-serif' font-size='14'");
  fprintf(out, "<rect width='%d' height='%d' fill='white'/>\n", WIDTH, HEIGHT);
  draw_word(out, 40, 34, "#333", "cone");
  draw_word(out, 400, 34, "#333",
            stc_cone_section_dim(section) == 3 ? "section and greatest dissipation" : "law");
  if (stc_cone_section_dim(section) == 3) {
    draw_cone(&p);
    draw_rule(&p);
  } else {
    draw_interval(&p);
  }
  fprintf(out, "</svg>\n");
}
