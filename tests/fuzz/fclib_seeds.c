// Writes small FCLIB files into a directory: where the fuzzer starts from.  fclib_seeds DIRECTORY
// One of each kind the reader knows: local and global, joints, mu2, solutions, guesses, and the
// same file in the newer format of HDF5, with other integers and reals.
#include <stiction/problem.h>

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>

static const char *directory;
static char path[4096];

static const char *in(const char *name) {
  snprintf(path, sizeof path, "%s/%s", directory, name);
  return path;
}

static void must(int condition) {
  if (condition) return;
  fprintf(stderr, "fclib_seeds: %s\n", stc_error_detail());
  exit(1);
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
  must(!stc_problem_create_local(&d, &problem));
  return problem;
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
  must(!stc_problem_create_global(&d, &problem));
  return problem;
}

static void write_ours(void) {
  double r[4] = {1, 0, 0, 0}, u[4] = {0}, v[3] = {0}, l[1] = {0};
  stc_solution solution = {r, u, v, l}, guesses[2] = {{.r = u}, {.r = r, .u = u}};
  stc_problem *local = local_problem(), *global = global_problem();
  must(!stc_problem_write(local, NULL, in("local.hdf5")));
  must(!stc_problem_write(global, &solution, in("global.hdf5")));
  must(!stc_problem_write(local, &solution, in("guesses.hdf5")));
  must(!stc_guesses_write(in("guesses.hdf5"), local, guesses, 2));
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

int main(int argc, char **argv) {
  if (argc != 2) return fprintf(stderr, "usage: fclib_seeds DIRECTORY\n"), 1;
  directory = argv[1];
  write_ours();
  write_foreign();
  return 0;
}
