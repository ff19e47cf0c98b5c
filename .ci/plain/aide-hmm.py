# breadboard reproduce aide hmm --proposal prior --particles 10,100 --meta 1 --columns J,mean,lml_error
from itertools import product

import numpy as np
from scipy.stats import binom

pi, A = np.array([0.5, 0.5]), np.array([[0.9, 0.1], [0.2, 0.8]])
E = np.array([[0.6, 0.3, 0.1], [0.1, 0.3, 0.6]])
y = [0, 0, 1, 2, 2, 0, 2, 2, 1, 0]
paths = list(product((0, 1), repeat=len(y)))
joint = np.array([pi[x[0]] * np.prod([A[a, b] for a, b in zip(x, x[1:])]) * np.prod([E[k, s] for k, s in zip(x, y)]) for x in paths])
z = joint.sum()
for particles in 10, 100:
    others = particles - 1
    n = np.arange(others + 1)  # of the others in state 1
    mean, move = {}, {}
    for k, s in product((0, 1), set(y)):
        w = np.stack([(others - n + (k == 0)) * E[0, s], (n + (k == 1)) * E[1, s]])
        mean[k, s] = w.sum(0) / particles
        move[k, s] = binom.pmf(n, others, (w / w.sum(0)).T @ A[:, 1:])

    def along(x):
        """E[1], E[log Zhat], E[1/Zhat] and E[log Zhat/Zhat] of conditional runs along a path."""
        v = np.stack([binom.pmf(n, others, pi[1]), 0 * n, binom.pmf(n, others, pi[1]), 0 * n])
        for t, at in enumerate(zip(x, y)):
            if t:
                v = v @ move[x[t - 1], y[t - 1]]
            m = mean[at]
            v = np.stack([v[0], v[1] + np.log(m) * v[0], v[2] / m, (v[3] + np.log(m) * v[2]) / m])
        return v.sum(1)

    _, log, inverse, both = np.array([along(x) for x in paths]).T
    p, q, forward = joint / z, joint * inverse, (joint * both).sum()
    print(((q - p) * np.log(q / p)).sum(), (p * log).sum() - forward, forward - np.log(z))
