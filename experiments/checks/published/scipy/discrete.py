# A value of scipy.stats.rv_discrete with the given probabilities of 0, 1, 2, 3.
import sys

import breadboard
import numpy as np
from scipy import stats

pk = [float(p) for p in sys.argv[1:]]
values = stats.rv_discrete(values=(range(len(pk)), pk))


def draw(rng):
    return int(values.rvs(random_state=rng))


want = {k: p / sum(pk) for k, p in enumerate(pk)}
print(breadboard.assert_law(draw, want, tolerance=4e-6, rng=np.random.RandomState).branches, "branches")
