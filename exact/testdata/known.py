#!/usr/bin/env python3
"""Numbers that the tests of this project compare with, by the plainest ways there are to compute them, in Python alone.

    python3 known.py        prints each number with its name; takes about ten seconds

It shares no code with the project. Laws of log weights are carried value by value, kernels are full matrices, limits are
integrals of covariances by Gauss's rule, and expectations of the logarithm of a mean of weights come from sums over the
law, by log x = integral over t > 0 of (exp(-t) - exp(-t x))/t dt.
"""
from math import cos, exp, expm1, fsum, inf, log, log1p, pi, sqrt

SIDE = 7
N = SIDE * SIDE


def barrier():
    """A middle row and a middle column of e^-10, the upper right quadrant e^3, the others 1."""
    g = []
    for r in range(SIDE):
        for c in range(SIDE):
            g.append(-10.0 if r == 3 or c == 3 else 3.0 if r < 3 and c > 3 else 0.0)
    return g


def easy():
    """Twice the first standard normals of NumPy's RandomState(0): MT19937 and Marsaglia's polar method."""
    mt = [0]
    for i in range(1, 624):
        mt.append((1812433253 * (mt[-1] ^ mt[-1] >> 30) + i) & 0xFFFFFFFF)

    def words():
        while True:
            for i in range(624):
                y = mt[i] & 0x80000000 | mt[(i + 1) % 624] & 0x7FFFFFFF
                mt[i] = mt[(i + 397) % 624] ^ y >> 1 ^ (0x9908B0DF if y & 1 else 0)
            for y in mt:
                y ^= y >> 11
                y ^= y << 7 & 0x9D2C5680
                y ^= y << 15 & 0xEFC60000
                yield y ^ y >> 18

    word = words()

    def uniform():
        a, b = next(word) >> 5, next(word) >> 6
        return (a * 67108864.0 + b) / 9007199254740992.0

    z = []
    while len(z) < N:
        x, y = 2 * uniform() - 1, 2 * uniform() - 1
        square = x * x + y * y
        if 0 < square < 1:
            f = sqrt(-2 * log(square) / square)
            z += [f * y, f * x]
    return [2 * v for v in z[:N]]


def neighbours(x):
    r, c = divmod(x, SIDE)
    for i, j in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)):
        if 0 <= i < SIDE and 0 <= j < SIDE:
            yield i * SIDE + j


def rows(g, b):
    """The paper's kernel: one of four directions, accepted with min(1, f(y)/f(x)), refused off the grid."""
    out = []
    for x in range(N):
        row = [(y, 0.25 * min(1.0, exp(b * (g[y] - g[x])))) for y in neighbours(x)]
        out.append(row + [(x, 1 - fsum(p for _, p in row))])
    return out


def distribution(g, b):
    top = max(b * v for v in g)
    f = [exp(b * v - top) for v in g]
    z = fsum(f)
    return [v / z for v in f], top + log(z)


def push(q, t):
    out = [0.0] * N
    for x, row in enumerate(t):
        for y, p in row:
            out[y] += q[x] * p
    return out


def kl(p, q):
    return fsum(a * log(a / b) for a, b in zip(p, q) if a > 0)


def law(g, T, reverse):
    """The distribution of log w on the lattice of 1/(T-1): a list of (value, probability). The kernel is reversible."""
    steps = [round(v) for v in g]
    low, high = min(steps), max(steps)
    width = (T - 1) * (high - low) + 1
    p, _ = distribution(g, 1.0)
    start = p if reverse else [1 / N] * N
    at = [{0: start[x]} for x in range(N)]

    def shift(d, k):
        return {i + k: v for i, v in d.items()}

    for t in range(T, 1, -1) if reverse else range(2, T + 1):
        if not reverse:
            at = [shift(d, steps[x] - low) for x, d in enumerate(at)]
        new = [{} for _ in range(N)]
        for x, row in enumerate(rows(g, (t - 1) / (T - 1))):
            for y, q in row:
                if q > 0:
                    to = new[y]
                    for k, v in at[x].items():
                        to[k] = to.get(k, 0.0) + q * v
        at = new
        if reverse:
            at = [shift(d, steps[x] - low) for x, d in enumerate(at)]
    total = [0.0] * width
    for d in at:
        for k, v in d.items():
            total[k] += v
    return [(low + k / (T - 1), v) for k, v in enumerate(total) if v > 1e-30]


def mean(law):
    return fsum(l * p for l, p in law)


def log_of_mean(laws, k):
    """E log(1/k sum of the weights): laws holds (law of log of a weight, how many of them)."""
    step, total = 0.1, []
    for i in range(-600, 401):
        tau = i * step
        t = exp(tau)
        inside = 0.0
        for l, times in laws:
            rise = fsum(-p * expm1(-exp(min(tau + v, 700.0))) for v, p in l)
            inside += times * (log1p(-rise) if rise < 1 else -inf)
        total.append(step * (expm1(-t) - expm1(inside)))  # dt/t is dtau
    return fsum(total) - log(k)


def barrier_numbers():
    g, T = barrier(), 100
    forward, backward = law(g, T, False), law(g, T, True)
    _, logz = distribution(g, 1.0)
    logr = logz - log(N)
    m = mean(forward)
    yield "BARRIER T=100: standard deviation of forward log w", sqrt(fsum((l - m) ** 2 * p for l, p in forward))
    yield "BARRIER T=100: log R - E_fwd[log w]", logr - m
    yield "BARRIER T=100: E_rev[log w] - log R", mean(backward) - logr
    q = [1 / N] * N
    for t in range(2, T + 1):
        q = push(q, rows(g, (t - 1) / (T - 1)))
    p, _ = distribution(g, 1.0)
    yield "BARRIER T=100: KL(q||p)", kl(q, p)
    yield "BARRIER T=100: log R - E_fwd[log w] - KL(q||p)", logr - m - kl(q, p)
    j = kl(q, p) + kl(p, q)
    for name, b in (("J", j), ("0", 0.0)):
        below = fsum(pr * pf for r, pr in backward for f, pf in forward if r - f < b - 1e-9)
        yield "BARRIER T=100: P(B-hat < %s)" % name, below
    w = [(l - logr, p) for l, p in forward]
    inverse = [(logr - l, p) for l, p in backward]
    v = [(l - logr, p) for l, p in backward]
    for k in (10, 100):
        yield "BARRIER T=100, K=%d: log R - forward bound" % k, -log_of_mean([(w, k)], k)
        yield "BARRIER T=100, K=%d: reverse bound - log R" % k, -log_of_mean([(inverse, k)], k)
        yield "BARRIER T=100, K=%d: mixed bound - log R" % k, log_of_mean([(v, 1), (w, k - 1)], k)


def subjective():
    """B with the uniform law in place of the target at the start of the reverse chains."""
    g, T = barrier(), 10_000
    q = r = [1 / N] * N
    forward = backward = 0.0
    for t in range(2, T + 1):
        forward += fsum(q[x] * g[x] for x in range(N)) / (T - 1)
        q = push(q, rows(g, (t - 1) / (T - 1)))
    for t in range(T, 1, -1):
        r = push(r, rows(g, (t - 1) / (T - 1)))
        backward += fsum(r[x] * g[x] for x in range(N)) / (T - 1)
    return backward - forward


def solve(a, right):
    """Gauss's elimination with pivots, right a list of right sides."""
    n = len(a)
    a = [row[:] + [b[i] for b in right] for i, row in enumerate(a)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda k: abs(a[k][i]))
        a[i], a[pivot] = a[pivot], a[i]
        for k in range(i + 1, n):
            f = a[k][i] / a[i][i]
            if f:
                for c in range(i, n + len(right)):
                    a[k][c] -= f * a[i][c]
    out = []
    for s in range(len(right)):
        x = [0.0] * n
        for i in reversed(range(n)):
            x[i] = (a[i][n + s] - fsum(a[i][c] * x[c] for c in range(i + 1, n))) / a[i][i]
        out.append(x)
    return out


def summed(g, b):
    """p, g less its mean, and H = sum over k >= 0 of T^k applied to it, from (I - T + 1 p) H = g."""
    p, _ = distribution(g, b)
    m = fsum(p[x] * g[x] for x in range(N))
    centred = [v - m for v in g]
    a = [[p[y] + (x == y) for y in range(N)] for x in range(N)]
    for x, row in enumerate(rows(g, b)):
        for y, q in row:
            a[x][y] -= q
    return p, centred, a, solve(a, [centred])[0]


def gauss(n):
    """Nodes and weights of Gauss and Legendre on [0, 1]."""
    for i in range(n):
        x = cos(pi * (i + 0.75) / (n + 0.5))
        for _ in range(100):
            a, b = 1.0, x
            for k in range(2, n + 1):
                a, b = b, ((2 * k - 1) * x * b - (k - 1) * a) / k
            d = n * (x * b - a) / (x * x - 1)
            x -= b / d
        yield (1 + x) / 2, 1 / ((1 - x * x) * d * d)


def limits():
    g = easy()
    total = []
    for b, weight in gauss(40):
        p, c, _, h = summed(g, b)
        total.append(weight * fsum(p[x] * c[x] * (2 * h[x] - c[x]) for x in range(N)))
    yield "EASY: T B tends to", fsum(total)
    p, c, a, h = summed(g, 1.0)
    later = [u - v for u, v in zip(h, c)]  # the sum over k >= 1
    # The sum over k, l >= 1 of C(k+l) is that of <T^k c, T^l c>, as the kernel is reversible.
    yield "EASY: T^2 J tends to", fsum(p[x] * later[x] ** 2 for x in range(N))


if __name__ == "__main__":
    for numbers in (barrier_numbers, limits):
        for name, value in numbers():
            print("%.12g  %s" % (value, name), flush=True)
    print("%.12g  BARRIER T=10000: B with uniform starts in reverse" % subjective())
