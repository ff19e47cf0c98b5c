# breadboard temper --toy ising:4x4:0.4 -T 25 --kernel flip --schedule linear --columns sum_of_rejections,barrier,formula
import numpy as np

side, J, T = 4, 0.4, 25
n = side * side
x = np.arange(2**n)
s = (2 * ((x[:, None] >> np.arange(n)) & 1) - 1).astype(float)
g = np.zeros(2**n)
for i in range(side):
    for j in range(side):
        if j + 1 < side:
            g += J * s[:, i * side + j] * s[:, i * side + j + 1]
        if i + 1 < side:
            g += J * s[:, i * side + j] * s[:, (i + 1) * side + j]
order = np.argsort(g)
g = g[order]
gaps = np.diff(g)


def law(b):
    p = np.exp(b * (g - g[-1]))
    return p / p.sum()


def rate(b):  # half the mean of |g - g'|
    F = np.cumsum(law(b))[:-1]
    return (F * (1 - F) * gaps).sum()


betas = np.linspace(0, 1, T)
rejections = []
for a, b in zip(betas[:-1], betas[1:]):
    p, q = law(a), law(b)
    below = np.cumsum(p)
    # the sum of q(y) exp(-(b - a)(g(y) - g(x))) over y above x, in units in which it does not overflow
    w = np.exp(-(b - a) * (g - g[-1]))
    above = np.cumsum((q * w)[::-1])[::-1]
    rejections.append(((1 - np.exp(-(b - a) * gaps)) * below[:-1] * above[1:] / w[1:]).sum())
r = np.array(rejections)
nodes, weights = np.polynomial.legendre.leggauss(40)
barrier = sum(w * rate((1 + u) / 2) / 2 for u, w in zip(nodes, weights))
print(r.sum(), barrier, 1 / (2 + 2 * (r / (1 - r)).sum()))
