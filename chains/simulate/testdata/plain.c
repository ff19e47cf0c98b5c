/*
 * The plain program that the simulation is measured against: chains of annealed importance sampling, one after another, from
 * the uniform distribution on a square grid with walls to exp(g), along the geometric path on the linear schedule, by
 * Metropolis' kernel.
 *
 *   gcc -O3 -march=native -o plain plain.c -lm
 *   plain SIDE T CHAINS SEED < g        prints the mean of the log weights and the nanoseconds a step
 *
 * g has one number for each state. The generator is xoshiro256+ (Blackman and Vigna 2021), seeded by splitmix64.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static uint64_t s[4];

static uint64_t rotl(uint64_t x, int k) { return x << k | x >> (64 - k); }

static uint64_t next(void) {
  uint64_t result = s[0] + s[3], t = s[1] << 17;
  s[2] ^= s[0], s[3] ^= s[1], s[1] ^= s[2], s[0] ^= s[3];
  s[2] ^= t, s[3] = rotl(s[3], 45);
  return result;
}

static double uniform(void) { return (next() >> 11) * 0x1p-53; }

static void seed(uint64_t x) {
  for (int i = 0; i < 4; i++) {
    uint64_t z = x += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9, z = (z ^ z >> 27) * 0x94d049bb133111eb;
    s[i] = z ^ z >> 31;
  }
}

int main(int argc, char **argv) {
  if (argc != 5) return 2;
  int side = atoi(argv[1]), T = atoi(argv[2]), n = side * side;
  long chains = atol(argv[3]);
  seed(strtoull(argv[4], NULL, 10));
  double *g = calloc(n, sizeof *g), total = 0;
  for (int x = 0; x < n; x++)
    if (scanf("%lf", &g[x]) != 1) return 2;
  struct timespec start, end;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
  for (long i = 0; i < chains; i++) {
    int x = uniform() * n;
    double logw = 0;
    for (int t = 2; t <= T; t++) {
      double b = (t - 1.0) / (T - 1);
      logw += (b - (t - 2.0) / (T - 1)) * g[x];
      int row = x / side, col = x % side;
      switch (next() >> 62) {
        case 0: row--; break;
        case 1: row++; break;
        case 2: col--; break;
        case 3: col++; break;
      }
      if (row < 0 || row >= side || col < 0 || col >= side) continue;
      int y = row * side + col;
      double rise = b * (g[y] - g[x]);
      if (rise >= 0 || uniform() < exp(rise)) x = y;
    }
    total += logw;
  }
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
  double ns = 1e9 * (end.tv_sec - start.tv_sec) + (end.tv_nsec - start.tv_nsec);
  printf("%.17g %.6g\n", total / chains, ns / ((double)chains * (T - 1)));
}
