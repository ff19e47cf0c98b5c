# breadboard aide --toy barrier -T 1000 --meta 1 --columns J,mean,sd
from targets import *

logf, shape, T = barrier(), (7, 7), 1000
kernels = [metropolis(b * logf, shape) for b in np.linspace(0, 1, T)[1:]]
g = logf / (T - 1)


def through(start, kernels, grows_first):
    """The law of the last state, and mean and variance of log w."""
    v, m, s = start, 0 * start, 0 * start
    for k in kernels:
        if grows_first:
            m, s = m + g * v, s + 2 * g * m + g * g * v
        v, m, s = v @ k, m @ k, s @ k
        if not grows_first:
            m, s = m + g * v, s + 2 * g * m + g * g * v
    return v, m.sum(), s.sum() - m.sum() ** 2


q, forward, one = through(law(0 * logf), kernels, True)
_, reverse, other = through(law(logf), kernels[::-1], False)
print(jeffreys(law(logf), q), reverse - forward, np.sqrt(one + other))
