# Two of the letters abcd in two partitions. Of each, at most two letters are drawn uniformly,
# and dask chooses two of all these.
import itertools
import random
import sys

import breadboard
from dask.bag.random import _sample_reduce

partitions = sys.argv[1:]


def pair():
    drawn = [(random.sample(letters, min(2, len(letters))), len(letters)) for letters in partitions]
    return "".join(sorted(_sample_reduce(drawn, 2, replace=False)[0]))


pairs = list(map("".join, itertools.combinations("abcd", 2)))
print(breadboard.assert_law(pair, {p: 1 / len(pairs) for p in pairs}, rng=None).branches, "branches")
