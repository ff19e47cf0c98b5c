# Two of the letters abc by dask's sampling without replacement, with their weights or with inverse ones.
import sys

import breadboard
from dask.bag.random import _weighted_sampling_without_replacement as sample

weights = {"a": 1, "b": 2, "c": 3}
given = {"right": list(weights.values()), "inverse": [1 / w for w in weights.values()]}[sys.argv[1]]
one_by_one = {(x, y): w / 6 * v / (6 - w) for x, w in weights.items() for y, v in weights.items() if x != y}

print(breadboard.assert_law(lambda: sample("abc", given, 2), one_by_one, rng=None).branches, "branches")
