# Random tables with given sums of rows and columns, one a line: scipy.stats.random_table, whose first row may be empty.
import sys

import numpy as np
from scipy import stats

rows, method, rng = [int(n) for n in sys.argv[1].split(",")], sys.argv[2], np.random.default_rng(int(sys.argv[3]))
tables = stats.random_table(rows, [3, 2, 1])
while True:
    print("-".join(map(str, tables.rvs(1, method=method, random_state=rng)[0].ravel())), flush=True)
