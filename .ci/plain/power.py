# breadboard power --toy barrier --fault prior,bug:redraw --statistic z,x0 --thin 1,20 --columns fault,test,statistic,nats_per_run
# only SBC|draws|Gandy|moves
# within 1e-7
from targets import *

p, right, L = law(barrier()), metropolis(barrier(), (7, 7)), 15
z, uniform = np.arange(49), np.full(49, 1 / 49)
redraw = np.zeros((49, 49))
for x in range(49):
    near = [x + d for d, inside in ((-7, x > 6), (7, x < 42), (-1, x % 7 > 0), (1, x % 7 < 6)) if inside]
    for y in near:
        redraw[x, y] = min(1, p[y] / p[x]) / len(near)
    redraw[x, x] = 1 - redraw[x].sum()


def counted(step, value, v):
    """By the number of draws and the state before them, the law of how many of their values are below v and how many are v."""
    at = np.zeros((L + 1, 49, L + 1, L + 1))
    at[0, :, 0, 0] = 1
    for k in range(L):
        seen = at[k].copy()
        low, tie = value < v, value == v
        seen[low, 1:], seen[low, 0] = at[k, low, :-1], 0
        seen[tie, :, 1:], seen[tie, :, 0] = at[k, tie, :, :-1], 0
        at[k + 1] = (step @ seen.reshape(49, -1)).reshape(seen.shape)
    return at


def spread(counts):
    """The law of the rank of a value, with ties broken at random."""
    ranks = np.zeros(L + 1)
    for below in range(L + 1):
        for ties in range(L + 1 - below):
            ranks[below : below + ties + 1] += counts[below, ties] / (ties + 1)
    return ranks


def nats(ranks):
    return ranks @ np.log(ranks * (L + 1))


for fault, step in ("prior", None), ("redraw", redraw):
    steps = [np.outer(np.ones(49), uniform)] if step is None else [step, np.linalg.matrix_power(step, 20)]
    posterior, gandy = [], []
    for one in steps:
        for value in z, z // 7:
            ranks, both = np.zeros(L + 1), np.zeros(L + 1)
            for v in set(value):
                at, own = counted(one, value, v), value == v
                ranks += p[own].sum() * spread(np.tensordot(uniform, at[L], 1))
                if step is not None:
                    sides = np.fft.rfft2(at[:, own], (2 * L + 2, 2 * L + 2))
                    pairs = np.einsum("mxab,mxab,x->ab", sides, sides[::-1], p[own]) / (L + 1)
                    both += spread(np.fft.irfft2(pairs, (2 * L + 2, 2 * L + 2))[: L + 1, : L + 1])
            posterior.append(nats(ranks))
            gandy.append(both)
    moved = uniform if step is None else uniform @ np.linalg.matrix_power(step, 20 * L)
    print(*posterior, moved @ np.log(moved / p))
    if step is not None:
        print(*map(nats, gandy))
        here, chain = uniform, 0
        for _ in range(1000):
            chain += here @ np.where(step > 0, step * np.log(np.where(step > 0, step, 1) / np.where(step > 0, right, 1)), 0).sum(1) / 1000
            here = here @ step
        print(chain)
