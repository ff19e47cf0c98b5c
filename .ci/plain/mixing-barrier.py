# breadboard samplers times --toy barrier --kernel metropolis --kernel heatbath --columns mixing_mi,burn_in_tv
from targets import *

logf = barrier()
p, shape = law(logf), (7, 7)


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
    u = law(0 * logf)
    print(least(k, lambda m: abs(u @ m - p).sum() / 2 <= 0.01))
