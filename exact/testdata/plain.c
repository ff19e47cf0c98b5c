/*
 * The plain program that the exact solver is measured against: probabilities in doubles, one exp per edge,
 * one sweep forward and one in reverse.
 *
 *   cc -O2 -o plain plain.c -lm && ./plain SIDE T        prints J, B and the nanoseconds a step
 *
 * g is a fixed smooth-free pattern on a SIDE x SIDE grid.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int n, edges;
static int *from, *to;
static double *g;

static void move(const double *q, double *next, double b) {
  memcpy(next, q, n * sizeof *q);
  for (int e = 0; e < edges; e++) {
    int x = from[e], y = to[e];
    double d = b * (g[y] - g[x]), a = exp(-fabs(d)), flow;
    flow = d >= 0 ? 0.25 * (q[x] - a * q[y]) : 0.25 * (a * q[x] - q[y]);
    next[x] -= flow;
    next[y] += flow;
  }
}

static double mean(const double *q) {
  double total = 0;
  for (int x = 0; x < n; x++) total += q[x] * g[x];
  return total;
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  int side = atoi(argv[1]), T = atoi(argv[2]);
  n = side * side;
  g = malloc(n * sizeof *g);
  from = malloc(2 * n * sizeof *from), to = malloc(2 * n * sizeof *to);
  double *q = malloc(n * sizeof *q), *next = malloc(n * sizeof *next), *p = malloc(n * sizeof *p), *swap;
  for (int x = 0; x < n; x++) {
    g[x] = 2 * sin(1 + 12.9898 * x);
    if (x % side < side - 1) from[edges] = x, to[edges++] = x + 1;
    if (x + side < n) from[edges] = x, to[edges++] = x + side;
  }
  struct timespec start, end;
  clock_gettime(CLOCK_MONOTONIC, &start);
  double step = 1.0 / (T - 1), forward = 0, reverse = 0, z = 0, qp = 0, pq = 0;
  for (int x = 0; x < n; x++) q[x] = 1.0 / n, z += p[x] = exp(g[x]);
  for (int x = 0; x < n; x++) p[x] /= z;
  for (int t = 2; t <= T; t++) {
    forward += step * mean(q);
    move(q, next, (t - 1) * step);
    swap = q, q = next, next = swap;
  }
  for (int x = 0; x < n; x++) qp += q[x] * log(q[x] / p[x]), pq += p[x] * log(p[x] / q[x]);
  for (int t = T; t >= 2; t--) {
    move(p, next, (t - 1) * step);
    swap = p, p = next, next = swap;
    reverse += step * mean(p);
  }
  clock_gettime(CLOCK_MONOTONIC, &end);
  double ns = 1e9 * (end.tv_sec - start.tv_sec) + (end.tv_nsec - start.tv_nsec);
  printf("%.17g %.17g %.6g\n", qp + pq, reverse - forward, ns / (T - 1));
  return 0;
}
