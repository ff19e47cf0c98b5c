# P-values, in twentieths, of a permutation test of six numbers that are dealt to two groups at random: exactly uniform but for ties.
import collections
import itertools
import random
import sys

import breadboard
import numpy as np
from scipy import stats

TENTHS = [1, 2, 3, 4, 5, 6]
deals = list(itertools.combinations(range(6), 3))


def difference(x, y, axis=0):
    return np.mean(x, axis=axis) - np.mean(y, axis=axis)


def dealt(deal):
    return [TENTHS[i] / 10 for i in deal], [TENTHS[i] / 10 for i in range(6) if i not in deal]


def p_value(rng):
    x, y = dealt(rng.choice(deals))
    if sys.argv[1] == "naive":  # counts with >= alone, so that ties are lost to rounding
        return sum(difference(*dealt(d)) >= difference(x, y) for d in deals)
    test = stats.permutation_test((x, y), difference, vectorized=True, n_resamples=np.inf, alternative="greater")
    return round(test.pvalue * len(deals))


sums = [sum(TENTHS[i] for i in deal) for deal in deals]
want = collections.Counter(sum(s >= t for s in sums) for t in sums)
print(breadboard.assert_law(p_value, {p: n / len(deals) for p, n in want.items()}, rng=random.Random).branches, "branches")
