# breadboard weights --toy barrier -T 100 --columns p_bhat_below_J,p_bhat_below_0
from targets import *

logf, shape, T = barrier(), (7, 7), 100
step, least = logf.astype(int), -10 * (T - 1)  # log w is a whole number of 1/(T-1)
size = 13 * (T - 1) + 1
kernels = [metropolis(b * logf, shape) for b in np.linspace(0, 1, T)[1:]]


def shifted(v):
    """The law of state and sum, with the step of the state added; what goes over the end is zero."""
    to = np.empty_like(v)
    for s in np.unique(step):
        to[:, step == s] = np.roll(v[:, step == s], s + 10, 0)
    return to


def sums(start, kernels, first):
    v = np.zeros((size, 49))
    v[0] = start
    for k in kernels:
        v = shifted(v) @ k if first else shifted(v @ k)
    return v.sum(1)


forward, reverse = sums(law(0 * logf), kernels, True), sums(law(logf), kernels[::-1], False)
q = law(0 * logf)
for k in kernels:
    q = q @ k
j = jeffreys(law(logf), q)
below = np.concatenate([[0], np.cumsum(reverse)])  # P(reverse < i)
for limit in j * (T - 1), 0:
    at = np.clip(np.ceil(np.arange(size) + limit - 1e-9).astype(int), 0, size)
    print(forward @ below[at])
