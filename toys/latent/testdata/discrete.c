/* Scans of a clustering and of binary attributes, as one writes them in plain C. Usage: discrete clustering|binary N D K SCANS. It writes the
   nanoseconds a scan takes, and the share of rows in the largest cluster, or of attributes that are set. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAXN = 512, MAXD = 128, MAXK = 32 };
static int n, d, k;
static double y[MAXN][MAXD];
static unsigned long long state = 88172645463325252ULL;

static double uniform(void) {
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (state >> 11) * 0x1p-53;
}

static double normal(void) { return sqrt(-2 * log(1 - uniform())) * cos(6.283185307179586 * uniform()); }

static int z[MAXN], count[MAXK];
static double sum[MAXK][MAXD];

static void clustering(double b) {
	static double gain[MAXN], scale[MAXN], logs[MAXN];
	for (int c = 0; c < n; c++) {
		double u = 1 + b * c, more = b / u;
		gain[c] = more;
		scale[c] = b / (2 * (1 + more));
		logs[c] = -d / 2.0 * log1p(more);
	}
	for (int i = 0; i < n; i++) {
		double w[MAXK], top = -INFINITY, total = 0;
		count[z[i]]--;
		for (int j = 0; j < d; j++) sum[z[i]][j] -= y[i][j];
		for (int c = 0; c < k; c++) {
			double square = 0, g = gain[count[c]];
			for (int j = 0; j < d; j++) {
				double e = y[i][j] - g * sum[c][j];
				square += e * e;
			}
			w[c] = logs[count[c]] - scale[count[c]] * square;
			if (w[c] > top) top = w[c];
		}
		for (int c = 0; c < k; c++) total += w[c] = exp(w[c] - top);
		double r = uniform() * total;
		int c = 0;
		while (c < k - 1 && r >= w[c]) r -= w[c++];
		z[i] = c;
		count[c]++;
		for (int j = 0; j < d; j++) sum[c][j] += y[i][j];
	}
}

static int bits[MAXN][MAXK];
static double gram[MAXK][MAXK], cross[MAXK][MAXD];

static void put(int i, double sign) {
	for (int a = 0; a < k; a++) {
		if (!bits[i][a]) continue;
		for (int c = 0; c < k; c++) gram[a][c] += sign * bits[i][c];
		for (int j = 0; j < d; j++) cross[a][j] += sign * y[i][j];
	}
}

static double l[MAXK][MAXK], q[MAXK][MAXK], mean[MAXK][MAXD];

/* The covariance q and the mean of the features: Cholesky of I/b + gram, its inverse, and the product with cross. */
static void features(double b) {
	static double inverse[MAXK][MAXK];
	for (int i = 0; i < k; i++)
		for (int j = 0; j <= i; j++) {
			double s = gram[i][j] + (i == j ? 1 / b : 0);
			for (int c = 0; c < j; c++) s -= l[i][c] * l[j][c];
			l[i][j] = i == j ? sqrt(s) : s / l[j][j];
		}
	for (int c = 0; c < k; c++)
		for (int i = c; i < k; i++) {
			double s = i == c;
			for (int j = c; j < i; j++) s -= l[i][j] * inverse[j][c];
			inverse[i][c] = s / l[i][i];
		}
	for (int i = 0; i < k; i++)
		for (int j = 0; j <= i; j++) {
			double s = 0;
			for (int c = i; c < k; c++) s += inverse[c][i] * inverse[c][j];
			q[i][j] = q[j][i] = s;
		}
	for (int i = 0; i < k; i++) {
		memset(mean[i], 0, sizeof mean[i]);
		for (int c = 0; c < k; c++)
			for (int j = 0; j < d; j++) mean[i][j] += q[i][c] * cross[c][j];
	}
}

static double logdensity(double b, double s, double square) { return -d / 2.0 * log1p(s) - b * square / (2 * (1 + s)); }

static void binary(double b) {
	for (int i = 0; i < n; i++) {
		double rest[MAXD], along[MAXK] = {0}, s = 0, square = 0;
		put(i, -1);
		features(b);
		memcpy(rest, y[i], sizeof rest);
		for (int c = 0; c < k; c++) {
			if (!bits[i][c]) continue;
			for (int j = 0; j < d; j++) rest[j] -= mean[c][j];
			for (int a = 0; a < k; a++) along[a] += q[c][a];
		}
		for (int c = 0; c < k; c++) s += bits[i][c] * along[c];
		for (int j = 0; j < d; j++) square += rest[j] * rest[j];
		double here = logdensity(b, s, square);
		for (int c = 0; c < k; c++) {
			int sign = bits[i][c] ? -1 : 1;
			double s1 = s + sign * 2 * along[c] + q[c][c], square1 = 0;
			for (int j = 0; j < d; j++) {
				double e = rest[j] - sign * mean[c][j];
				square1 += e * e;
			}
			double there = logdensity(b, s1, square1);
			if (uniform() >= 1 / (1 + exp(here - there))) continue;
			bits[i][c] = !bits[i][c];
			for (int j = 0; j < d; j++) rest[j] -= sign * mean[c][j];
			for (int a = 0; a < k; a++) along[a] += sign * q[c][a];
			s = s1;
			here = there;
		}
		put(i, 1);
	}
}

int main(int argc, char **argv) {
	if (argc != 6) return 2;
	int both = strcmp(argv[1], "binary") == 0, scans = atoi(argv[5]);
	n = atoi(argv[2]), d = atoi(argv[3]), k = atoi(argv[4]);
	if (n > MAXN || d > MAXD || k > MAXK) return 2;
	double parameters[MAXK][MAXD];
	for (int c = 0; c < k; c++)
		for (int j = 0; j < d; j++) parameters[c][j] = normal();
	for (int i = 0; i < n; i++) {
		z[i] = uniform() * k;
		for (int j = 0; j < d; j++) y[i][j] = normal() + (both ? 0 : parameters[z[i]][j]);
		for (int c = 0; c < k; c++) {
			bits[i][c] = uniform() < 0.5;
			for (int j = 0; both && bits[i][c] && j < d; j++) y[i][j] += parameters[c][j];
		}
		count[z[i]]++;
		for (int j = 0; j < d; j++) sum[z[i]][j] += y[i][j];
		put(i, 1);
	}
	struct timespec from, to;
	clock_gettime(CLOCK_MONOTONIC, &from);
	for (int t = 0; t < scans; t++) {
		double b = 0.5 + 0.5 * t / scans;
		if (both)
			binary(b);
		else
			clustering(b);
	}
	clock_gettime(CLOCK_MONOTONIC, &to);
	double share = 0;
	for (int i = 0; i < n; i++)
		for (int c = 0; c < k; c++) share += bits[i][c] / (double)(n * k);
	for (int c = 0; !both && c < k; c++)
		if (c == 0 || count[c] > share * n) share = count[c] / (double)n;
	printf("%.0f %.6f\n", ((to.tv_sec - from.tv_sec) * 1e9 + (to.tv_nsec - from.tv_nsec)) / scans, share);
	return 0;
}
