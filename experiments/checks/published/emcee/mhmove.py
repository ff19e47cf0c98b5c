# A chain of emcee's MHMove on five states in a ring, with a proposal that goes up with probability 0.7: one state a line.
import sys

import emcee
import numpy as np

log_f, up = np.array([0.0, 1.0, -0.5, 0.5, 2.0]), 0.7
sign = {"right": 1, "wrong": -1}.get(sys.argv[1])
if sign is None:  # write the target and the exact kernel into a folder
    P = np.zeros((5, 5))
    for x in range(5):
        for y, q, back in (((x + 1) % 5, up, 1 - up), ((x - 1) % 5, 1 - up, up)):
            P[x, y] = q * min(1, back / q * np.exp(log_f[y] - log_f[x]))
        P[x, x] = 1 - P[x].sum()
    np.save(sys.argv[1] + "/kernel.npy", P)
    np.save(sys.argv[1] + "/target.npy", log_f)
    raise SystemExit


def propose(x, rng):
    goes_up = rng.rand(len(x), 1) < up
    ratio = np.log((1 - up) / up) * np.where(goes_up, 1, -1)
    return (x + np.where(goes_up, 1, -1)) % 5, sign * ratio[:, 0]


np.random.seed(int(sys.argv[2]))
sampler = emcee.EnsembleSampler(2, 1, lambda x: log_f[int(x[0])], moves=emcee.moves.MHMove(propose, ndim=1))
for state in sampler.sample(np.array([[0.0], [1.0]]), iterations=10**9, store=False, skip_initial_state_check=True):
    print(int(state.coords[0, 0]), flush=True)
