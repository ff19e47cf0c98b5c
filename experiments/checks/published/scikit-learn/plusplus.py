# The indices of two centers that kmeans_plusplus chooses among four points, with a number of trials for each center.
import sys

import breadboard
import numpy as np
from sklearn.cluster import kmeans_plusplus

X = np.array([[0.0], [1.0], [3.0], [3.0]])
far = (X - X.T) ** 2  # the second center is drawn in proportion to the squared distance from the first


def indices(rng):
    return kmeans_plusplus(X, 2, n_local_trials=int(sys.argv[1]), random_state=rng)[1]


want = {(i, j): far[i, j] / far[i].sum() / 4 for i in range(4) for j in range(4) if far[i, j] > 0}
print(breadboard.assert_law(indices, want, rng=np.random.RandomState).branches, "branches")
