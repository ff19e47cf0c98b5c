# Standard errors of the mean by emcee's autocorrelation time: 100 chains of Metropolis, with or without a barrier between two modes.
import sys

import emcee
import numpy as np

STEPS, CHAINS = 5_000, 100
log_f = np.array([0, 0, 0, 0, -float(sys.argv[1]), 0, 0, 0, 0.5])
p = np.exp(log_f) / np.exp(log_f).sum()
if sys.argv[2] == "mean":
    print(p @ np.arange(9))
    raise SystemExit
rng = np.random.default_rng(int(sys.argv[2]))
x, draws = rng.choice(9, CHAINS, p=p), np.empty((STEPS, CHAINS))
for t in range(STEPS):
    y = x + rng.choice([-1, 1], CHAINS)
    accept = (y >= 0) & (y < 9) & (np.log(rng.random(CHAINS)) < log_f[np.clip(y, 0, 8)] - log_f[x])
    x = np.where(accept, y, x)
    draws[t] = x
print("log_z,se")
for chain in draws.T:
    try:
        tau = emcee.autocorr.integrated_time(chain)[0]
    except emcee.autocorr.AutocorrError:  # emcee says itself that the chain is too short
        continue
    print(chain.mean(), np.sqrt(tau / STEPS) * chain.std(), sep=",")
