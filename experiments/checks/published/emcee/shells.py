# Which of four equally likely shells the first of 16 walkers is in, after 10 moves from independent
# draws of a normal distribution in eight dimensions.
import sys

import emcee
import numpy as np

EDGES = [5.0706404, 7.3441215, 10.2188548]  # the quartiles of chi squared with eight degrees of freedom
move = {"snooker": emcee.moves.DESnookerMove, "stretch": emcee.moves.StretchMove}[sys.argv[1]]()
anew = sys.argv[2] == "anew"  # a sampler for each run, or one for all
rng = np.random.default_rng(int(sys.argv[3]))
np.random.seed(int(sys.argv[3]))  # the global generator is what emcee starts from


def sampler():
    return emcee.EnsembleSampler(16, 8, lambda x: -np.sum(x**2, axis=1) / 2, moves=move, vectorize=True)


one = sampler()
while True:
    one = sampler() if anew else one
    one.reset()
    x = one.run_mcmc(rng.normal(size=(16, 8)), 10).coords[0]
    print(np.searchsorted(EDGES, np.sum(x**2)), flush=True)
