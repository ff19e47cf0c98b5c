# What DummyClassifier(strategy="stratified") predicts for one sample after two labels, one of each class: dense or sparse.
import sys

import breadboard
import numpy as np
from scipy.sparse import csc_matrix
from sklearn.dummy import DummyClassifier

y = np.array([[0, 0], [1, 1]])
if sys.argv[1] == "sparse":
    y = csc_matrix(y)


def predicted(rng):
    p = DummyClassifier(strategy="stratified", random_state=rng).fit([[0], [0]], y).predict([[0]])
    return (p if sys.argv[1] == "dense" else p.toarray())[0]


want = {(i, j): 1 / 4 for i in (0, 1) for j in (0, 1)}
print(breadboard.assert_law(predicted, want, rng=np.random.RandomState).branches, "branches")
