/* A plain program for the scan of a model of low rank: U given V, V given U, and the sum of squares after both, as annealing takes it.
   Usage: lowrank N D K SCANS. It draws data from the model with all variances one, and prints nanoseconds a scan. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint64_t state = 88172645463325252ull;

static double uniform(void) {
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return ((state >> 11) + 0.5) * 0x1p-53;
}

static double normal(void) { /* Marsaglia's polar method */
	static int have;
	static double kept;
	if (have) {
		have = 0;
		return kept;
	}
	double x, y, s;
	do {
		x = 2 * uniform() - 1;
		y = 2 * uniform() - 1;
		s = x * x + y * y;
	} while (s >= 1 || s == 0);
	double r = sqrt(-2 * log(s) / s);
	kept = y * r;
	have = 1;
	return x * r;
}

/* x[i] is drawn given y[i] ~ N(sum_k x[i][k] other[k], 1/b) for n rows of d numbers; stride tells rows of y from columns. */
static void draw(double *x, const double *other, const double *y, int n, int d, int k, int row, int column, double b) {
	double l[k * k], h[k];
	for (int i = 0; i < k; i++)
		for (int j = 0; j <= i; j++) {
			double s = 0;
			for (int t = 0; t < d; t++)
				s += other[t * k + i] * other[t * k + j];
			l[i * k + j] = b * s + (i == j);
		}
	for (int i = 0; i < k; i++)
		for (int j = 0; j <= i; j++) {
			double s = l[i * k + j];
			for (int t = 0; t < j; t++)
				s -= l[i * k + t] * l[j * k + t];
			l[i * k + j] = i == j ? sqrt(s) : s / l[j * k + j];
		}
	for (int r = 0; r < n; r++) {
		memset(h, 0, sizeof h);
		for (int t = 0; t < d; t++)
			for (int i = 0; i < k; i++)
				h[i] += b * y[r * row + t * column] * other[t * k + i];
		for (int i = 0; i < k; i++) {
			for (int j = 0; j < i; j++)
				h[i] -= l[i * k + j] * h[j];
			h[i] /= l[i * k + i];
		}
		for (int i = 0; i < k; i++)
			h[i] += normal();
		for (int i = k - 1; i >= 0; i--) {
			for (int j = i + 1; j < k; j++)
				h[i] -= l[j * k + i] * h[j];
			h[i] /= l[i * k + i];
		}
		memcpy(x + r * k, h, sizeof h);
	}
}

static double squares(const double *u, const double *v, const double *y, int n, int d, int k) {
	double total = 0;
	for (int i = 0; i < n; i++)
		for (int j = 0; j < d; j++) {
			double r = y[i * d + j];
			for (int t = 0; t < k; t++)
				r -= u[i * k + t] * v[j * k + t];
			total += r * r;
		}
	return total;
}

int main(int argc, char **argv) {
	if (argc != 5)
		return 2;
	int n = atoi(argv[1]), d = atoi(argv[2]), k = atoi(argv[3]), scans = atoi(argv[4]);
	double *u = malloc(n * k * sizeof *u), *v = malloc(d * k * sizeof *v), *y = malloc(n * d * sizeof *y), total = 0;
	for (int i = 0; i < n * k; i++)
		u[i] = normal();
	for (int i = 0; i < d * k; i++)
		v[i] = normal();
	for (int i = 0; i < n; i++)
		for (int j = 0; j < d; j++) {
			y[i * d + j] = normal();
			for (int t = 0; t < k; t++)
				y[i * d + j] += u[i * k + t] * v[j * k + t];
		}
	struct timespec from, to;
	clock_gettime(CLOCK_MONOTONIC, &from);
	for (int s = 0; s < scans; s++) {
		draw(u, v, y, n, d, k, d, 1, 1);
		draw(v, u, y, d, n, k, 1, d, 1);
		total += squares(u, v, y, n, d, k);
	}
	clock_gettime(CLOCK_MONOTONIC, &to);
	printf("%.17g %.17g\n", ((to.tv_sec - from.tv_sec) * 1e9 + (to.tv_nsec - from.tv_nsec)) / scans, total / scans);
	return 0;
}
