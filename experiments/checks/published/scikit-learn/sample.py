# Two of four integers without replacement, by a method of sklearn's, as an ordered pair or as a set.
import itertools
import sys

import breadboard
import numpy as np
from sklearn.utils.random import sample_without_replacement

order = {"ordered": tuple, "set": lambda pair: tuple(sorted(pair))}[sys.argv[2]]


def pair(rng):
    return order(sample_without_replacement(4, 2, method=sys.argv[1], random_state=rng).tolist())


pairs = {order(p) for p in itertools.permutations(range(4), 2)}
print(breadboard.assert_law(pair, {p: 1 / len(pairs) for p in pairs}, rng=np.random.RandomState).branches, "branches")
