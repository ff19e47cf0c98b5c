# breadboard sbc --toy barrier --data given --sampler prior,metropolis --thin 1,20 --statistic z,x0 --columns nats_per_run,mean_rank,rank_spread
# within 1e-7
from targets import *

p, k = law(barrier()), metropolis(barrier(), (7, 7))
z, L = np.arange(49), 15
uniform = np.full(49, 1 / 49)


def ranks(step, value):
    """The law of the rank of the value of a state among those of L states of a chain, with ties broken at random."""
    law_of = np.zeros(L + 1)
    for v in set(value):
        at = np.zeros((49, L + 2, L + 2))
        at[:, 0, 0] = uniform  # of the state, the number below and that of ties
        for _ in range(L):
            at = (step.T @ at.reshape(49, -1)).reshape(at.shape)
            at[value < v, 1:] = at[value < v, :-1].copy()
            at[value < v, 0] = 0
            at[value == v, :, 1:] = at[value == v, :, :-1].copy()
            at[value == v, :, 0] = 0
        counts = at.sum(0)
        for below in range(L + 1):
            for ties in range(L + 1 - below):
                law_of[below : below + ties + 1] += p[value == v].sum() * counts[below, ties] / (ties + 1)
    return law_of


r = np.arange(L + 1) / L
for step in np.outer(np.ones(49), uniform), k, np.linalg.matrix_power(k, 20):
    for value in z, z // 7:
        q = ranks(step, value)
        mean = q @ r
        print(q @ np.log(q * (L + 1)), mean, ((q @ r**2 - mean**2) / r.var()) ** 0.5)
