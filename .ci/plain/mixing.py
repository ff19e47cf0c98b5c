# breadboard samplers times --toy ising:3x3:0.4 --kernel metropolis --kernel heatbath --columns mixing_mi,burn_in_tv
from targets import *

logf = ising(3, 3, 0.4)
p, shape = law(logf), (2,) * 9


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


for kernel in metropolis, heatbath:
    k = kernel(logf, shape)
    print(least(k, lambda m: p @ (m * np.log(np.where(m > 0, m, 1) / p)).sum(1) <= 0.01))
    v, n = law(0 * logf), 0
    while abs(v - p).sum() / 2 > 0.01:
        v, n = v @ k, n + 1
    print(n)
