# The pseudo-likelihood of one sample by BernoulliRBM.score_samples: its mean should be the exact sum over the units.
import sys

import breadboard
import numpy as np
from sklearn.neural_network import BernoulliRBM

W, b, c = np.array([[1, -0.5, 0.3], [0.2, 0.7, -1]]), np.array([0.3, 0, -0.4]), np.array([0.1, -0.2])
v = np.array([1.0, 0.0, 1.0])


def log_f(v):
    return v @ b + np.logaddexp(0, W @ v + c).sum()


def score(rng):
    rbm = BernoulliRBM(n_components=2, random_state=rng)
    rbm.components_, rbm.intercept_visible_, rbm.intercept_hidden_ = W, b, c
    return float(np.ravel(rbm.score_samples(v[None]))[0])


flipped = [np.where(np.arange(3) == k, 1 - v, v) for k in range(3)]
want = sum(-np.logaddexp(0, log_f(u) - log_f(v)) for u in flipped)
print(breadboard.assert_unbiased(score, value=want if sys.argv[1] == "right" else log_f(v), rng=np.random.RandomState).branches, "branches")
