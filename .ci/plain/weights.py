# breadboard weights --toy barrier -T 10 --columns mean_log_w_forward,sd_forward,mean_log_w_reverse,sd_reverse,ess_fraction
from targets import *

logf, shape, T = barrier(), (7, 7), 10
kernels = [metropolis(b * logf, shape) for b in np.linspace(0, 1, T)[1:]]
g = logf / (T - 1)



def through(start, kernels, grows_first):
    """The law of the state, the first two moments of the sum of g along the chain at each state, and E exp of it and of twice it."""
    v, m, s = start, 0 * start, 0 * start
    e, e2 = start, start
    for k in kernels:
        if grows_first:
            m, s, e, e2 = m + g * v, s + 2 * g * m + g * g * v, e * np.exp(g), e2 * np.exp(2 * g)
        v, m, s, e, e2 = v @ k, m @ k, s @ k, e @ k, e2 @ k
        if not grows_first:
            m, s = m + g * v, s + 2 * g * m + g * g * v
    return m.sum(), np.sqrt(s.sum() - m.sum() ** 2), e.sum() ** 2 / e2.sum()


mean, sd, ess = through(law(0 * logf), kernels, True)
print(mean, sd, *through(law(logf), kernels[::-1], False)[:2], ess)
