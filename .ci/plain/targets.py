"""What the plain programs share: two targets on grids, the kernels on them as matrices whose rows are laws of the next state, and chains of draws."""
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


def least(k, holds):
    """The least power of the kernel for which what decreases holds: doubled, and then bisected from stored squares."""
    squares = [k]
    while not holds(squares[-1]):
        squares.append(squares[-1] @ squares[-1])
    at, m = 0, None
    for i in range(len(squares) - 2, -1, -1):
        tried = squares[i] if m is None else m @ squares[i]
        if not holds(tried):
            at, m = at + (1 << i), tried
    return at + 1


def scan(p, n):
    """The function that takes functions of n spins, one a row, to what is expected of them after a scan by heat bath, which begins with the most
    significant bit."""
    pairs = [p.reshape(-1, 2, 1 << b) for b in range(n)]
    up = [pair[:, 1:] / pair.sum(1, keepdims=True) for pair in pairs]

    def moved(v):
        for b in range(n):
            v = v.reshape(len(v), -1, 2, 1 << b)
            to = np.empty_like(v)
            to[:] = v[:, :, :1] + up[b] * (v[:, :, 1:] - v[:, :, :1])
            v = to
        return v.reshape(len(v), -1)

    return moved


def autoregressive(chains, draws):
    """Chains of normal draws whose correlation is 0.9 from one to the next."""
    x = np.random.default_rng(1).normal(size=(chains, draws))
    for t in range(1, draws):
        x[:, t] += 0.9 * x[:, t - 1]
    return x
