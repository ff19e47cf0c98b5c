/*
 * Reference values for the exact solver, in 113-bit floating point and the plainest form there is: the whole
 * distribution pushed forward and backward, proposal by proposal, divergences by their definitions.
 *
 *   cc -O2 -o reference reference.c -lquadmath
 *   reference NAME ROWS COLS T SCHEDULE KERNEL PATH < g      prints one JSON object
 *
 * g: ROWS*COLS numbers separated by commas or white space. SCHEDULE: linear, sigmoid:DELTA, power:P.
 * KERNEL: metropolis, barker. PATH: geometric, q:Q.
 */
#include <quadmath.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef __float128 real;

static int rows, cols, n, T, barker;
static real *g, *level, logz; /* level is log f at the beta at hand, logz log Z of the target */
static const char *schedule, *path;

static real logistic(real v) { return 1 / (1 + expq(-v)); }

static real beta(int t) {
  real x = (real)(t - 1) / (real)(T - 1);
  if (!strncmp(schedule, "power:", 6)) return powq(x, strtoflt128(schedule + 6, NULL));
  if (!strncmp(schedule, "sigmoid:", 8)) {
    real delta = strtoflt128(schedule + 8, NULL);
    real here = logistic(delta * (2 * (real)t / T - 1)), first = logistic(delta * (2 / (real)T - 1));
    return (here - first) / (logistic(delta) - first);
  }
  return x;
}

/* accept and refuse return the probabilities to accept and refuse a move that changes log f by d. */
static real accept(real d) {
  if (barker) return 1 / (1 + expq(-d));
  return d >= 0 ? 1 : expq(d);
}

static real refuse(real d) {
  if (barker) return 1 / (1 + expq(d));
  return d >= 0 ? 0 : -expm1q(d);
}

/* set computes log f at b: of the power mean of the normalised ends, scaled so that the ends are the given ones. */
static void set(real b) {
  for (int x = 0; x < n; x++) {
    if (b == 0) level[x] = 0;
    else if (b == 1) level[x] = g[x];
    else if (strncmp(path, "q:", 2)) level[x] = b * g[x];
    else {
      real k = 1 - strtoflt128(path + 2, NULL);
      real mean = (1 - b) * powq(1 / (real)n, k) + b * expq(k * (g[x] - logz));
      level[x] = logq(mean) / k + (1 - b) * logq(n) + b * logz;
    }
  }
}

/* propose adds what becomes of the proposals from x to y, a quarter of the mass at x. */
static void propose(real *to, const real *q, int x, int y, int inside) {
  if (!inside) {
    to[x] += q[x] / 4;
    return;
  }
  real d = level[y] - level[x];
  to[x] += q[x] * refuse(d) / 4;
  to[y] += q[x] * accept(d) / 4;
}

/* move applies the kernel at the level at hand to the distribution q; nothing is ever subtracted. */
static void move(real *q, real *scratch) {
  for (int x = 0; x < n; x++) scratch[x] = 0;
  for (int x = 0; x < n; x++) {
    propose(scratch, q, x, x - cols, x >= cols);
    propose(scratch, q, x, x + cols, x + cols < n);
    propose(scratch, q, x, x - 1, x % cols > 0);
    propose(scratch, q, x, x + 1, x % cols < cols - 1);
  }
  memcpy(q, scratch, n * sizeof *q);
}

/* mean returns the expectation of log f at the level at hand. */
static real mean(const real *q) {
  real total = 0;
  for (int x = 0; x < n; x++) total += q[x] * level[x];
  return total;
}

static void print(const char *key, real v, const char *end) {
  char text[64];
  quadmath_snprintf(text, sizeof text, "%.25Qg", v);
  printf("\"%s\": \"%s\"%s", key, text, end);
}

int main(int argc, char **argv) {
  if (argc != 8) return 2;
  rows = atoi(argv[2]), cols = atoi(argv[3]), T = atoi(argv[4]), n = rows * cols;
  schedule = argv[5], barker = !strcmp(argv[6], "barker"), path = argv[7];
  g = malloc(n * sizeof *g), level = malloc(n * sizeof *level);
  real *q = malloc(n * sizeof *q), *p = malloc(n * sizeof *p), *scratch = malloc(n * sizeof *scratch);
  real z = 0, top, forward = 0, reverse = 0, qp = 0, pq = 0;
  for (int x = 0; x < n; x++) {
    double v; /* the program under test sees doubles, and so do we */
    if (scanf("%lf%*[, \n]", &v) != 1) return 2;
    g[x] = v;
  }
  top = g[0];
  for (int x = 0; x < n; x++) top = g[x] > top ? g[x] : top;
  for (int x = 0; x < n; x++) z += p[x] = expq(g[x] - top);
  for (int x = 0; x < n; x++) p[x] /= z, q[x] = (real)1 / n;
  logz = logq(z) + top;
  set(0);
  for (int t = 2; t <= T; t++) {
    forward -= mean(q);
    set(beta(t));
    forward += mean(q);
    move(q, scratch);
  }
  for (int x = 0; x < n; x++) {
    qp += q[x] * logq(q[x] / p[x]);
    pq += p[x] * logq(p[x] / q[x]);
  }
  for (int t = T; t >= 2; t--) {
    move(p, scratch);
    reverse += mean(p);
    set(beta(t - 1));
    reverse -= mean(p);
  }
  printf(" {\"toy\": \"%s\", \"T\": %d, \"path\": \"%s\", \"schedule\": \"%s\", \"kernel\": \"%s\",\n  ", argv[1], T, path, schedule, argv[6]);
  print("J", qp + pq, ", ");
  print("B", reverse - forward, ", ");
  print("kl_q_p", qp, ",\n  ");
  print("kl_p_q", pq, ", ");
  print("mean_log_w_forward", forward, ",\n  ");
  print("mean_log_w_reverse", reverse, ", ");
  print("log_z_ratio", logz - logq(n), "}");
  return 0;
}
