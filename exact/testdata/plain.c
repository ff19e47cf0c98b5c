/*
 * The plain program that the exact solver is measured against: J and B of an annealing from the uniform distribution
 * on the geometric path and the linear schedule, by probabilities in doubles, in one sweep forward and one in reverse.
 *
 *   gcc -O3 -march=native -o plain plain.c -lm
 *   plain KERNEL SIDES T EXPS < g        prints J, B and the nanoseconds a step
 *
 * KERNEL is metropolis, stencil (metropolis without a list of edges), flip, barker, moore, heatbath, heatbath-scan,
 * jump:EPS or repeat:N:metropolis; SIDES are those of a grid with walls, as 7x7; g has one number for each state.
 * EXPS is entry or state. With entry the program is what one writes at first: each entry of a row off the diagonal takes
 * an exp, and an edge of Metropolis' kernel takes one for both directions. With state each state takes one exp a stage.
 * What does not depend on the stage, such as who is whose neighbour, is computed once and is not timed.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_DIMS = 24 };

static int dims, side[MAX_DIMS], stride[MAX_DIMS], n;
static int per_state;           /* one exp a state, and not one an entry */
static int edges, *from, *to;   /* the edges of the kernels that propose a neighbour */
static double share;            /* the probability of one proposal */
static double eps, *weight;     /* of jump: n x n probabilities of a proposal */
static int times;               /* of repeat */
static double *g, *f, *ratio;   /* f is exp(b g) and ratio q/f, with one exp a state */
static double *spare, *w, *out, *in;

static void *array(size_t count, size_t size) {
  void *a = calloc(count ? count : 1, size);
  if (!a) exit(3);
  return a;
}

/* weigh computes f at the stage of b, and q/f. */
static void weigh(const double *restrict q, double b) {
  for (int x = 0; x < n; x++) f[x] = exp(b * g[x]), ratio[x] = q[x] / f[x];
}

static double least(double a, double b) { return a < b ? a : b; }

/* flow returns what Metropolis' kernel takes along the edge from x to y, for a probability of one to propose it. */
static double flow(const double *restrict q, int x, int y, double b) {
  double d = b * (g[y] - g[x]), a = exp(-fabs(d));
  return d >= 0 ? q[x] - a * q[y] : a * q[x] - q[y];
}

/* flow_by_state is flow where f and ratio are known. */
static double flow_by_state(int x, int y) { return least(f[x], f[y]) * (ratio[x] - ratio[y]); }

static void metropolis(const double *restrict q, double *restrict next, double b) {
  memcpy(next, q, n * sizeof *q);
  if (per_state) weigh(q, b);
  for (int e = 0; e < edges; e++) {
    int x = from[e], y = to[e];
    double moved = share * (per_state ? flow_by_state(x, y) : flow(q, x, y, b));
    next[x] -= moved;
    next[y] += moved;
  }
}

/* stencil is metropolis where the edges are found by counting along the axes. */
static void stencil(const double *restrict q, double *restrict next, double b) {
  memcpy(next, q, n * sizeof *q);
  if (per_state) weigh(q, b);
  for (int k = 0; k < dims; k++) {
    int s = stride[k];
    for (int first = 0; first < n; first += s * side[k])
      for (int x = first; x < first + s * (side[k] - 1); x++) {
        double moved = share * (per_state ? flow_by_state(x, x + s) : flow(q, x, x + s, b));
        next[x] -= moved;
        next[x + s] += moved;
      }
  }
}

static void barker(const double *restrict q, double *restrict next, double b) {
  memcpy(next, q, n * sizeof *q);
  if (per_state) weigh(q, b);
  for (int e = 0; e < edges; e++) {
    int x = from[e], y = to[e];
    double moved;
    if (per_state) {
      moved = share * (q[x] * f[y] - q[y] * f[x]) / (f[x] + f[y]);
    } else {
      double d = b * (g[y] - g[x]);
      moved = share * (q[x] / (1 + exp(-d)) - q[y] / (1 + exp(d)));
    }
    next[x] -= moved;
    next[y] += moved;
  }
}

/* redraw adds to next what becomes of the mass of q where a coordinate is drawn afresh given the others, times part. */
static void redraw(const double *restrict q, double *restrict next, int axis, double part, double b) {
  int s = stride[axis], m = side[axis];
  for (int block = 0; block < n; block += s * m)
    for (int first = block; first < block + s; first++) {
      if (per_state) {
        double mass = 0, total = 0;
        for (int i = 0; i < m; i++) mass += q[first + i * s], total += f[first + i * s];
        for (int i = 0; i < m; i++) next[first + i * s] += part * mass / total * f[first + i * s];
        continue;
      }
      for (int i = 0; i < m; i++) {
        int x = first + i * s;
        double total = 0;
        for (int k = 0; k < m; k++) total += w[k] = k == i ? 1 : exp(b * (g[first + k * s] - g[x]));
        double each = part * q[x] / total;
        for (int k = 0; k < m; k++) next[first + k * s] += each * w[k];
      }
    }
}

static void heatbath(const double *restrict q, double *restrict next, double b) {
  if (per_state) weigh(q, b);
  memset(next, 0, n * sizeof *next);
  for (int k = 0; k < dims; k++) redraw(q, next, k, 1.0 / dims, b);
}

static void scan(const double *restrict q, double *restrict next, double b, int backward) {
  if (per_state) weigh(q, b);
  memcpy(next, q, n * sizeof *q);
  for (int k = 0; k < dims; k++) {
    memcpy(spare, next, n * sizeof *next);
    memset(next, 0, n * sizeof *next);
    redraw(spare, next, backward ? dims - 1 - k : k, 1, b);
  }
}

static void scan_forward(const double *q, double *next, double b) { scan(q, next, b, 0); }
static void scan_backward(const double *q, double *next, double b) { scan(q, next, b, 1); }

static void jump(const double *restrict q, double *restrict next, double b) {
  memcpy(next, q, n * sizeof *q);
  if (per_state) weigh(q, b);
  for (int x = 0; x < n; x++) {
    const double *restrict row = weight + (size_t)x * n;
    double left = 0;
    for (int y = x + 1; y < n; y++) {
      double moved = row[y] * (per_state ? flow_by_state(x, y) : flow(q, x, y, b));
      left += moved;
      next[y] += moved;
    }
    next[x] -= left;
  }
}

static void repeat(const double *restrict q, double *restrict next, double b) {
  if (per_state) weigh(q, b);
  for (int e = 0; e < edges; e++) {
    int x = from[e], y = to[e];
    double d = b * (g[y] - g[x]);
    double a = !per_state ? exp(-fabs(d)) : d >= 0 ? f[x] / f[y] : f[y] / f[x];
    out[e] = d >= 0 ? share : a * share;
    in[e] = d >= 0 ? a * share : share;
  }
  memcpy(next, q, n * sizeof *q);
  for (int i = 0; i < times; i++) {
    memcpy(spare, next, n * sizeof *next);
    for (int e = 0; e < edges; e++) {
      int x = from[e], y = to[e];
      double moved = out[e] * spare[x] - in[e] * spare[y];
      next[x] -= moved;
      next[y] += moved;
    }
  }
}

static int coordinate(int x, int axis) { return x / stride[axis] % side[axis]; }

/* neighbours lists the edges between neighbours along an axis. */
static void neighbours(void) {
  from = array((size_t)n * dims, sizeof *from), to = array((size_t)n * dims, sizeof *to);
  for (int x = 0; x < n; x++)
    for (int k = dims - 1; k >= 0; k--)
      if (coordinate(x, k) < side[k] - 1) from[edges] = x, to[edges++] = x + stride[k];
  share = 0.5 / dims;
}

/* surroundings lists the edges between states of which no coordinate differs by more than one. */
static void surroundings(void) {
  int box = 1, wide = 0;
  for (int k = 0; k < dims; k++) box *= 3;
  from = array((size_t)n * (box / 2), sizeof *from), to = array((size_t)n * (box / 2), sizeof *to);
  for (int x = 0; x < n; x++)
    for (int i = 0; i < box; i++) {
      int y = x, rest = i;
      for (int k = 0; k < dims; k++, rest /= 3) {
        int c = coordinate(x, k) + rest % 3 - 1;
        if (c < 0 || c >= side[k]) break;
        y += (rest % 3 - 1) * stride[k], wide = k + 1;
      }
      if (wide == dims && y > x) from[edges] = x, to[edges++] = y;
      wide = 0;
    }
  share = 1.0 / (box - 1);
}

/* leaps lists the probabilities with which jump proposes one state from another. */
static void leaps(void) {
  neighbours();
  weight = array((size_t)n * n, sizeof *weight);
  for (size_t i = 0; i < (size_t)n * n; i++) weight[i] = eps / n;
  for (int e = 0; e < edges; e++) weight[(size_t)from[e] * n + to[e]] += (1 - eps) * share;
}

static double mean(const double *restrict q) {
  double total = 0;
  for (int x = 0; x < n; x++) total += q[x] * g[x];
  return total;
}

typedef void mover(const double *q, double *next, double b);

/* choose returns the kernel of a name and, where it is not reversible, sets its reversal. */
static mover *choose(const char *name, mover **reversal) {
  *reversal = NULL;
  if (!strcmp(name, "metropolis")) return neighbours(), metropolis;
  if (!strcmp(name, "barker")) return neighbours(), barker;
  if (!strcmp(name, "moore")) return surroundings(), metropolis;
  if (!strcmp(name, "stencil")) return share = 0.5 / dims, stencil;
  if (!strcmp(name, "heatbath")) return heatbath;
  if (!strcmp(name, "heatbath-scan")) return *reversal = scan_backward, scan_forward;
  if (sscanf(name, "jump:%lf", &eps) == 1) return leaps(), jump;
  if (sscanf(name, "repeat:%d:metropolis", &times) == 1) return neighbours(), repeat;
  if (!strcmp(name, "flip")) { /* on an axis of two values the other value is the neighbour */
    for (int k = 0; k < dims; k++)
      if (side[k] != 2) exit(2);
    return share = 1.0 / dims, stencil;
  }
  exit(2);
}

int main(int argc, char **argv) {
  if (argc != 5) return 2;
  int T = atoi(argv[3]), widest = 1;
  per_state = !strcmp(argv[4], "state");
  n = 1;
  for (char *rest = argv[2]; dims < MAX_DIMS && *rest; rest += *rest == 'x') side[dims++] = strtol(rest, &rest, 10);
  for (int k = dims - 1; k >= 0; k--) stride[k] = n, n *= side[k], widest = side[k] > widest ? side[k] : widest;
  g = array(n, sizeof *g), f = array(n, sizeof *f), ratio = array(n, sizeof *ratio), spare = array(n, sizeof *spare);
  double *q = array(n, sizeof *q), *next = array(n, sizeof *next), *p = array(n, sizeof *p), *swap;
  for (int x = 0; x < n; x++)
    if (scanf("%lf", &g[x]) != 1) return 2;
  mover *reversal, *move = choose(argv[1], &reversal);
  if (!reversal) reversal = move;
  w = array(widest, sizeof *w), out = array(edges, sizeof *out), in = array(edges, sizeof *in);
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
    reversal(p, next, (t - 1) * step);
    swap = p, p = next, next = swap;
    reverse += step * mean(p);
  }
  clock_gettime(CLOCK_MONOTONIC, &end);
  double ns = 1e9 * (end.tv_sec - start.tv_sec) + (end.tv_nsec - start.tv_nsec);
  printf("%.17g %.17g %.6g\n", qp + pq, reverse - forward, ns / (T - 1));
  return 0;
}
