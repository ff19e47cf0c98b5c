# breadboard evidence --toy hmm:weather --estimator pf:20,pf:200 --columns log_z_ratio,mean,bias,sd,rmse,log_mean_z
import numpy as np
from scipy.stats import binom

pi, A = np.array([0.5, 0.5]), np.array([[0.9, 0.1], [0.2, 0.8]])
E = np.array([[0.6, 0.3, 0.1], [0.1, 0.3, 0.6]])
y = [0, 0, 1, 2, 2, 0, 2, 2, 1, 0]
at = pi * E[:, y[0]]
for s in y[1:]:
    at = at @ A * E[:, s]
log_z = np.log(at.sum())
for particles in 20, 200:
    n = np.arange(particles + 1)  # in state 1
    v = np.stack([binom.pmf(n, particles, pi[1]), 0 * n, 0 * n, binom.pmf(n, particles, pi[1])])
    for t, s in enumerate(y):
        w = np.stack([(particles - n) * E[0, s], n * E[1, s]])
        m = w.sum(0) / particles
        log = np.log(m)
        v = np.stack([v[0], v[1] + log * v[0], v[2] + 2 * log * v[1] + log**2 * v[0], v[3] * m])
        if t + 1 < len(y):
            v = v @ binom.pmf(n, particles, (w / w.sum(0)).T @ A[:, 1:])
    _, mean, square, z = v.sum(1)
    bias, variance = mean - log_z, square - mean**2
    print(log_z, mean, bias, variance**0.5, (bias**2 + variance) ** 0.5, np.log(z))
