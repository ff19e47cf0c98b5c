# Whether a number of nx.utils.powerlaw_sequence with exponent 3 is below 1, from 1 to 2, or 2 and above.
import random
import sys

import breadboard
import networkx as nx
import numpy as np

KINDS = {"python": random.Random, "numpy": np.random.RandomState}


def where(rng):
    (x,) = nx.utils.powerlaw_sequence(1, 3.0, seed=rng)
    return "below 1" if x < 1 else "1 to 2" if x < 2 else "2 and above"


print(breadboard.assert_law(where, {"1 to 2": 3 / 4, "2 and above": 1 / 4}, rng=KINDS[sys.argv[1]]).branches, "branches")
