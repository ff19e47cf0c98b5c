# breadboard temper --toy ising:10x10:0.4 -T 25 --schedule linear --columns sum_of_rejections,barrier,formula
import numpy as np

side, J, T = 10, 0.4, 25
# How many states of the spins so far have so many equal pairs, by the spins of the border, of which axis 0 is the oldest.
counts = np.ones((2, 1))
for v in range(1, side * side):
    row, col = divmod(v, side)
    shape = counts.shape[:-1]
    new = np.zeros(shape + (2, counts.shape[-1] + (row > 0) + (col > 0)))
    for s in (0, 1):
        part = counts
        for there, axis in ((row > 0, 0), (col > 0, len(shape) - 1)):  # the spins above and to the left
            if there:
                equal = np.moveaxis(np.zeros(shape + (part.shape[-1] + 1,)), axis, 0)
                from_ = np.moveaxis(part, axis, 0)
                equal[s, ..., 1:] = from_[s]
                equal[1 - s, ..., :-1] = from_[1 - s]
                part = np.moveaxis(equal, 0, axis)
        new[..., s, :] = part
    counts = new.sum(axis=0) if len(shape) == side else new
counts = counts.reshape(-1, counts.shape[-1]).sum(axis=0)
bonds = len(counts) - 1
there = counts > 0
g, log = J * (2.0 * np.arange(bonds + 1) - bonds)[there], np.log(counts[there])
gaps = np.diff(g)


def law(b):
    p = np.exp(b * (g - g[-1]) + log - log.max())
    return p / p.sum()


def rate(b):  # half the mean of |g - g'|
    F = np.cumsum(law(b))[:-1]
    return (F * (1 - F) * gaps).sum()


betas = np.linspace(0, 1, T)
rejections = []
for a, b in zip(betas[:-1], betas[1:]):
    p, q = law(a), law(b)
    below = np.cumsum(p)
    w = np.exp(-(b - a) * (g - g[-1]))
    above = np.cumsum((q * w)[::-1])[::-1]
    rejections.append(((1 - np.exp(-(b - a) * gaps)) * below[:-1] * above[1:] / w[1:]).sum())
r = np.array(rejections)
nodes, weights = np.polynomial.legendre.leggauss(40)
barrier = sum(w * rate((1 + u) / 2) / 2 for u, w in zip(nodes, weights))
print(r.sum(), barrier, 1 / (2 + 2 * (r / (1 - r)).sum()))
