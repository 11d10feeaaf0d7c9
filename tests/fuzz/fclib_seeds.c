// Writes small FCLIB files into a directory: where the fuzzer starts from.  fclib_seeds DIRECTORY
// One of each kind the reader knows: local and global, joints, mu2, solutions, guesses, the same
// file in the newer format of HDF5 with other integers and reals, and in chunks with every index
// and filter.
#include <stiction/problem.h>

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>

#include "must.h"

static const char *directory;
static char path[4096];

static const char *in(const char *name) {
  snprintf(path, sizeof path, "%s/%s", directory, name);
  return path;
}

// Two contacts in 2D with one joint.
static stc_problem *local_problem(void) {
  static const int p[] = {0, 1, 2, 3, 4}, i[] = {0, 1, 2, 3}, pr[] = {0, 1}, ir[] = {0};
  static const int pv[] = {0, 1, 1, 1, 1}, iv[] = {0};
  static const double x[] = {1, 1, 2, 2}, one[] = {1}, q[] = {-1, 0.5, 1, 0}, mu[] = {0.3, 0.5};
  stc_problem *problem = NULL;
  stc_local_data d = {.dim = 2,
                      .contacts = 2,
                      .equalities = 1,
                      .W = {4, 4, 4, STC_STORAGE_CSR, p, i, x},
                      .V = {4, 1, 1, STC_STORAGE_CSR, pv, iv, one},
                      .R = {1, 1, 1, STC_STORAGE_CSR, pr, ir, one},
                      .q = q,
                      .s = one,
                      .mu = mu};
  must(!stc_problem_create_local(&d, &problem), stc_error_detail());
  return problem;
}

// The local problem over an interval, or in space one contact over a polygon or a round curve.
static void write_section(int kind) {
  static const int p[] = {0, 1, 2, 3}, i[] = {0, 1, 2};
  static const double x[] = {1, 1, 1}, q[] = {-1, 0.5, 0.25};
  static const double corner[] = {0.5, 0, 0, 0.4, -0.2, 0, 0, -0.4};
  stc_cone_section *section = NULL;
  stc_problem *problem = NULL;
  stc_error error = kind == 0   ? stc_cone_section_interval(0.2, 0.5, &section)
                    : kind == 1 ? stc_cone_section_polygon(4, corner, &section)
                                : stc_cone_section_curve(4, corner, &section);
  must(!error, stc_error_detail());
  stc_law law = stc_law_section(section);
  int dim = stc_cone_section_dim(section);
  stc_local_data d = {.dim = dim, .contacts = 1, .W = {dim, dim, dim, STC_STORAGE_CSR, p, i, x}};
  d.q = q;
  d.law = &law;
  must(!stc_problem_create_local(&d, &problem), stc_error_detail());
  must(!stc_problem_write(problem, NULL,
                          in(kind == 0   ? "interval.hdf5"
                             : kind == 1 ? "polygon.hdf5"
                                         : "curve.hdf5")),
       stc_error_detail());
  stc_problem_free(&problem);
  stc_cone_section_free(&section);
}

// One body on one contact in 3D, elliptic friction, one joint.
static stc_problem *global_problem(void) {
  static const int p[] = {0, 1, 2, 3}, i[] = {0, 1, 2}, pg[] = {0, 1}, ig[] = {2};
  static const double x[] = {2, 2, 2}, f[] = {1, 2, 3}, w[] = {0, 0, 0}, mu[] = {0.3},
                      mu2[] = {0.6};
  stc_problem *problem = NULL;
  stc_global_data d = {.dim = 3,
                       .contacts = 1,
                       .dofs = 3,
                       .equalities = 1,
                       .M = {3, 3, 3, STC_STORAGE_CSR, p, i, x},
                       .H = {3, 3, 3, STC_STORAGE_CSR, p, i, x},
                       .G = {1, 3, 1, STC_STORAGE_CSR, pg, ig, x},
                       .f = f,
                       .w = w,
                       .b = w,
                       .mu = mu,
                       .mu2 = mu2};
  must(!stc_problem_create_global(&d, &problem), stc_error_detail());
  return problem;
}

static void write_ours(void) {
  double r[4] = {1, 0, 0, 0}, u[4] = {0}, v[3] = {0}, l[1] = {0};
  stc_solution solution = {r, u, v, l}, guesses[2] = {{.r = u}, {.r = r, .u = u}};
  stc_problem *local = local_problem(), *global = global_problem();
  must(!stc_problem_write(local, NULL, in("local.hdf5")), stc_error_detail());
  must(!stc_problem_write(global, &solution, in("global.hdf5")), stc_error_detail());
  must(!stc_problem_write(local, &solution, in("guesses.hdf5")), stc_error_detail());
  must(!stc_guesses_write(in("guesses.hdf5"), local, guesses, 2), stc_error_detail());
  stc_problem_free(&local);
  stc_problem_free(&global);
}

static void put(hid_t file, const char *name, hid_t stored, hid_t given, hsize_t count,
                const void *values, hid_t plain) {
  hid_t links = H5Pcreate(H5P_LINK_CREATE), space = H5Screate_simple(1, &count, NULL);
  H5Pset_create_intermediate_group(links, 1);
  hid_t data = H5Dcreate2(file, name, stored, space, links, plain, H5P_DEFAULT);
  H5Dwrite(data, given, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  H5Dclose(data);
  H5Sclose(space);
  H5Pclose(links);
}

// A title of variable length, as h5py writes it.
static void put_title(hid_t file, const char *title) {
  hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
  hid_t links = H5Pcreate(H5P_LINK_CREATE);
  H5Tset_size(type, H5T_VARIABLE);
  H5Pset_create_intermediate_group(links, 1);
  hid_t data =
      H5Dcreate2(file, "fclib_local/info/title", type, space, links, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &title);
  H5Dclose(data);
  H5Pclose(links);
  H5Sclose(space);
  H5Tclose(type);
}

// The newest format, big-endian and wide numbers, triplets, elements inside the headers.
static void write_foreign(void) {
  const int dim = 2, n = 2, nz = 3, i[] = {0, 1, 1}, p[] = {0, 1, 1};
  const double x[] = {1, 1, 1}, q[] = {-1, 1}, mu[] = {0.5};
  hid_t access = H5Pcreate(H5P_FILE_ACCESS), plain = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  H5Pset_layout(plain, H5D_COMPACT);
  hid_t file = H5Fcreate(in("foreign.hdf5"), H5F_ACC_TRUNC, H5P_DEFAULT, access);
  put(file, "fclib_local/spacedim", H5T_STD_I64BE, H5T_NATIVE_INT, 1, &dim, plain);
  put(file, "fclib_local/W/m", H5T_STD_U16BE, H5T_NATIVE_INT, 1, &n, plain);
  put(file, "fclib_local/W/n", H5T_STD_U16LE, H5T_NATIVE_INT, 1, &n, plain);
  put(file, "fclib_local/W/nz", H5T_STD_I32LE, H5T_NATIVE_INT, 1, &nz, plain);
  put(file, "fclib_local/W/i", H5T_STD_I64LE, H5T_NATIVE_INT, 3, i, plain);
  put(file, "fclib_local/W/p", H5T_STD_I8LE, H5T_NATIVE_INT, 3, p, plain);
  put(file, "fclib_local/W/x", H5T_IEEE_F64BE, H5T_NATIVE_DOUBLE, 3, x, plain);
  put(file, "fclib_local/vectors/q", H5T_IEEE_F32LE, H5T_NATIVE_DOUBLE, 2, q, plain);
  put(file, "fclib_local/vectors/mu", H5T_IEEE_F32BE, H5T_NATIVE_DOUBLE, 1, mu, plain);
  put_title(file, "foreign");
  H5Fclose(file);
  H5Pclose(plain);
  H5Pclose(access);
}

// --- Chunks ---

enum { FILTER_LZF = 32000, LITERALS = 32 };

// lzf that copies nothing: a length less one, that many bytes, and so on.
static size_t encode_lzf(unsigned flags, size_t values, const unsigned *value, size_t count,
                         size_t *room, void **buffer) {
  (void)values, (void)value;
  if (flags & H5Z_FLAG_REVERSE) return 0;
  const unsigned char *from = *buffer;
  unsigned char *to = malloc(count + count / LITERALS + 1);
  size_t n = 0;
  for (size_t k = 0; k < count; k++) {
    size_t left = count - k < LITERALS ? count - k : LITERALS;
    if (k % LITERALS == 0) to[n++] = (unsigned char)(left - 1);
    to[n++] = from[k];
  }
  free(*buffer);
  *buffer = to;
  *room = count + count / LITERALS + 1;
  return n;
}

static const H5Z_class2_t lzf_class = {.version = H5Z_CLASS_T_VERS,
                                       .id = FILTER_LZF,
                                       .encoder_present = 1,
                                       .decoder_present = 1,
                                       .name = "lzf",
                                       .filter = encode_lzf};

// How the datasets of a file are stored.
typedef struct storage {
  const char *name;
  int latest;
  hsize_t user_block;
  hsize_t most[2];  ///< greatest extents; 0: the extent
  int early, filters, written;
} storage;

enum { GZIP = 1, SHUFFLE = 2, FLETCHER = 4, LZF = 8 };

static hid_t creation(const storage *s) {
  static const hsize_t chunk[2] = {1, 2};
  hid_t create = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(create, 2, chunk);
  if (s->early) H5Pset_alloc_time(create, H5D_ALLOC_TIME_EARLY);
  if (s->filters & SHUFFLE) H5Pset_shuffle(create);
  if (s->filters & GZIP) H5Pset_deflate(create, 9);
  if (s->filters & LZF) H5Pset_filter(create, FILTER_LZF, H5Z_FLAG_MANDATORY, 0, NULL);
  if (s->filters & FLETCHER) H5Pset_fletcher32(create);
  return create;
}

static void put_chunks(hid_t file, const storage *s, const char *name, hid_t type, hsize_t count,
                       const void *values) {
  hsize_t extent[2] = {1, count}, most[2] = {s->most[0] ? s->most[0] : 1, s->most[1]};
  if (most[1] < count || (most[1] == 0)) most[1] = count < 2 ? 2 : count;
  hid_t links = H5Pcreate(H5P_LINK_CREATE), space = H5Screate_simple(2, extent, most);
  hid_t create = creation(s);
  H5Pset_create_intermediate_group(links, 1);
  hid_t data = H5Dcreate2(file, name, type, space, links, create, H5P_DEFAULT);
  if (values) H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  H5Dclose(data);
  H5Pclose(create);
  H5Sclose(space);
  H5Pclose(links);
}

// One contact; a dozen other names make the group `vectors` a dense one in the newest format.
static void write_chunked(const storage *s) {
  const int dim = 2, n = 2, nz = 3, i[] = {0, 1, 1}, p[] = {0, 1, 1};
  const double x[] = {1, 1, 1}, q[] = {-1, 1}, mu[] = {0.5};
  hid_t access = H5Pcreate(H5P_FILE_ACCESS), create = H5Pcreate(H5P_FILE_CREATE);
  if (s->latest) H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  H5Pset_userblock(create, s->user_block);
  hid_t file = H5Fcreate(in(s->name), H5F_ACC_TRUNC, create, access);
  put_chunks(file, s, "fclib_local/spacedim", H5T_NATIVE_INT, 1, &dim);
  put_chunks(file, s, "fclib_local/W/m", H5T_NATIVE_INT, 1, &n);
  put_chunks(file, s, "fclib_local/W/n", H5T_NATIVE_INT, 1, &n);
  put_chunks(file, s, "fclib_local/W/nz", H5T_NATIVE_INT, 1, &nz);
  put_chunks(file, s, "fclib_local/W/i", H5T_NATIVE_INT, 3, i);
  put_chunks(file, s, "fclib_local/W/p", H5T_NATIVE_INT, 3, p);
  put_chunks(file, s, "fclib_local/W/x", H5T_NATIVE_DOUBLE, 3, x);
  put_chunks(file, s, "fclib_local/vectors/q", H5T_NATIVE_DOUBLE, 2, s->written ? q : NULL);
  put_chunks(file, s, "fclib_local/vectors/mu", H5T_NATIVE_DOUBLE, 1, mu);
  put_chunks(file, s, "solution/r", H5T_NATIVE_DOUBLE, 2, s->written ? q : NULL);
  for (int k = 0; k < 12 && s->latest; k++) {
    char name[32];
    snprintf(name, sizeof name, "fclib_local/vectors/other%d", k);
    hid_t space = H5Screate(H5S_NULL);
    H5Dclose(H5Dcreate2(file, name, H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Sclose(space);
  }
  must(H5Fclose(file) >= 0, stc_error_detail());
  H5Pclose(create);
  H5Pclose(access);
}

static void write_storages(void) {
  const hsize_t none = H5S_UNLIMITED;
  const storage all[] = {{"tree.hdf5", 0, 0, {0, 0}, 0, 0, 1},
                         {"unwritten.hdf5", 0, 512, {0, none}, 0, 0, 0},
                         {"gzip.hdf5", 0, 512, {0, none}, 0, SHUFFLE | GZIP | FLETCHER, 1},
                         {"lzf.hdf5", 0, 0, {none, none}, 0, LZF, 1},
                         {"fixed.hdf5", 1, 0, {3, 5}, 0, FLETCHER, 1},
                         {"implicit.hdf5", 1, 0, {3, 5}, 1, 0, 1},
                         {"extensible.hdf5", 1, 1024, {0, none}, 0, 0, 1},
                         {"extensible-gzip.hdf5", 1, 0, {none, 4}, 0, GZIP, 1},
                         {"tree2.hdf5", 1, 0, {none, none}, 0, 0, 1},
                         {"tree2-lzf.hdf5", 1, 0, {none, none}, 0, SHUFFLE | LZF, 1}};
  must(H5Zregister(&lzf_class) >= 0, stc_error_detail());
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) write_chunked(&all[k]);
}

int main(int argc, char **argv) {
  if (argc != 2) return fprintf(stderr, "usage: fclib_seeds DIRECTORY\n"), 1;
  directory = argv[1];
  write_ours();
  write_foreign();
  write_storages();
  for (int kind = 0; kind < 3; kind++) write_section(kind);
  return 0;
}
