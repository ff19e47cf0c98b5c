# One step of BernoulliRBM.gibbs on three visible units, with given weights, as a kernel for the
# distribution exp(-free energy).
import itertools
import sys

import breadboard
import numpy as np
from sklearn.neural_network import BernoulliRBM

W, b, c = np.array([[1, -0.5, 0.3], [0.2, 0.7, -1]]), np.array([0.3, 0, -0.4]), np.array([0.1, -0.2])
states = np.array(list(itertools.product([0.0, 1.0], repeat=3)))
log_f = states @ b + np.logaddexp(0, states @ W.T + c).sum(axis=1)


def gibbs(x, rng):
    rbm = BernoulliRBM(n_components=2)
    rbm.components_, rbm.intercept_visible_, rbm.intercept_hidden_, rbm.random_state_ = W, b, c, rng
    return int(rbm.gibbs(states[[x]])[0] @ [4, 2, 1])


P = breadboard.transition(gibbs, range(8), rng=np.random.RandomState)
np.save(sys.argv[1] + "/kernel.npy", P)
np.save(sys.argv[1] + "/target.npy", log_f if sys.argv[2] == "right" else states @ b)
