"""What the plain programs share: two targets on grids, and the kernels on them as matrices whose rows are laws of the next state."""
import numpy as np


def barrier(n=7):
    g = np.zeros((n, n))
    g[: n // 2, n // 2 + 1 :] = 3
    g[n // 2] = g[:, n // 2] = -10
    return g.ravel()


def ising(rows, cols, j):
    n = rows * cols
    spin = 2 * ((np.arange(1 << n)[:, None] >> np.arange(n - 1, -1, -1)) & 1) - 1
    s = spin.reshape(-1, rows, cols)
    return j * ((s[:, 1:] * s[:, :-1]).sum((1, 2)) + (s[:, :, 1:] * s[:, :, :-1]).sum((1, 2)))


def law(logf):
    f = np.exp(logf - logf.max())
    return f / f.sum()


def log_total(logf):
    return logf.max() + np.log(np.exp(logf - logf.max()).sum())


def steps(shape):
    """For each direction along an axis the states that it leads to, the state itself at the border."""
    at = np.indices(shape).reshape(len(shape), -1)
    for axis, side in enumerate(shape):
        for by in -1, 1:
            to = at.copy()
            to[axis] = np.clip(to[axis] + by, 0, side - 1)
            yield np.ravel_multi_index(to, shape)


def metropolis(logf, shape):
    n, k = len(logf), np.zeros((len(logf), len(logf)))
    x, to = np.arange(n), list(steps(shape))
    for y in to:
        np.add.at(k, (x, y), np.where(y != x, np.exp(np.minimum(0, logf[y] - logf)), 0) / len(to))
    k[x, x] += 1 - k.sum(1)
    return k


def heatbath(logf, shape):
    """A draw of the value of an axis, which is chosen at random, given the others."""
    n, k = len(logf), np.zeros((len(logf), len(logf)))
    f = np.exp(logf - logf.max())
    at = np.indices(shape).reshape(len(shape), -1)
    for axis in range(len(shape)):
        total = f.reshape(shape).sum(axis, keepdims=True)
        given = (f.reshape(shape) / total).ravel()
        for value in range(shape[axis]):
            to = at.copy()
            to[axis] = value
            y = np.ravel_multi_index(to, shape)
            k[np.arange(n), y] += given[y] / len(shape)
    return k


def jeffreys(p, q):
    return ((p - q) * np.log(p / q)).sum()


def annealing(logf, shape, T, kernel=metropolis):
    """The laws before each stage from 2 on, forward and in reverse, and the output: of log w the increment of stage t is logf(x)/(T-1) at both."""
    beta = np.linspace(0, 1, T)
    kernels = [kernel(b * logf, shape) for b in beta[1:]]
    forward = [law(0 * logf)]
    for k in kernels:
        forward.append(forward[-1] @ k)
    reverse = [law(logf)]
    for k, b in zip(kernels[::-1], beta[:0:-1]):
        p = law(b * logf)
        reverse.append(p * (k @ (reverse[-1] / p)))  # the reversal of the kernel, which is reversible
    return beta, forward, reverse[::-1]
