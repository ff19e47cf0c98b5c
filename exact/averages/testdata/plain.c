/* Pushes the law of the state and the first two moments of a sum, restricted to the state, over sparse rows: the plain way to the mean
 * squared error of a chain's mean.
 *
 * Input: the number of states n, of entries and of samples N; the n + 1 places where rows begin; the states and then the probabilities of
 * all entries; the function h; the law of the first sample. Output: E[S], E[S^2], and the nanoseconds that one sample took. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double *doubles(long n) {
    double *v = malloc(n * sizeof *v);
    for (long i = 0; i < n; i++)
        if (scanf("%lf", v + i) != 1) exit(2);
    return v;
}

static int *ints(long n) {
    int *v = malloc(n * sizeof *v);
    for (long i = 0; i < n; i++)
        if (scanf("%d", v + i) != 1) exit(2);
    return v;
}

int main(void) {
    long n, entries, samples;
    if (scanf("%ld %ld %ld", &n, &entries, &samples) != 3) return 2;
    int *start = ints(n + 1), *to = ints(entries);
    double *p = doubles(entries), *h = doubles(n), *m0 = doubles(n);
    double *m1 = calloc(n, sizeof *m1), *m2 = calloc(n, sizeof *m2);
    double *n0 = malloc(n * sizeof *n0), *n1 = malloc(n * sizeof *n1), *n2 = malloc(n * sizeof *n2);
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (long t = 0; t < samples; t++) {
        for (long x = 0; x < n; x++) {
            m2[x] += h[x] * (2 * m1[x] + h[x] * m0[x]);
            m1[x] += h[x] * m0[x];
        }
        if (t + 1 == samples) break;
        for (long y = 0; y < n; y++) n0[y] = n1[y] = n2[y] = 0;
        for (long x = 0; x < n; x++) {
            for (int i = start[x]; i < start[x + 1]; i++) {
                n0[to[i]] += p[i] * m0[x];
                n1[to[i]] += p[i] * m1[x];
                n2[to[i]] += p[i] * m2[x];
            }
        }
        double *s = m0; m0 = n0; n0 = s;
        s = m1; m1 = n1; n1 = s;
        s = m2; m2 = n2; n2 = s;
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    double first = 0, second = 0;
    for (long x = 0; x < n; x++) first += m1[x], second += m2[x];
    printf("%.17g %.17g %.17g\n", first, second, ((end.tv_sec - begin.tv_sec) * 1e9 + (end.tv_nsec - begin.tv_nsec)) / samples);
    return 0;
}
