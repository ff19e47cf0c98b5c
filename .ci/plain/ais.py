# breadboard ais --toy ising:3x3:0.4 --kernel heatbath-scan -T 1000 --columns quantity,estimate
# only ^mean_log_w
# within 0.004
# Both draw 1e4 chains each way, of their own random numbers: a mean has a standard error of 0.0005, and two are 0.0007 apart, so that 0.004 is
# more than five of them. Ours also computes the exact answer beside it.
from targets import *

g, n, T, chains = ising(3, 3, 0.4), 9, 1000, 10_000
rng, x = np.random.default_rng(1), np.arange(1 << n)
up = [g[x | 1 << b] - g[x & ~(1 << b)] for b in range(n)]


def scanned(state, beta, bits):
    for b in bits:
        p = 1 / (1 + np.exp(-beta * up[b]))
        state = np.where(rng.random(chains) < p[state], state | 1 << b, state & ~(1 << b))
    return state


beta = np.linspace(0, 1, T)
state, forward = rng.integers(0, 1 << n, chains), 0
for b in beta[1:]:
    forward = forward + g[state] / (T - 1)
    state = scanned(state, b, range(n - 1, -1, -1))
state, reverse = rng.choice(1 << n, chains, p=law(g)), 0
for b in beta[:0:-1]:
    state = scanned(state, b, range(n))
    reverse = reverse + g[state] / (T - 1)
print(forward.mean(), reverse.mean())
