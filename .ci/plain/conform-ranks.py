# breadboard conform ranks {}.csv --draws 99 --verbose --columns runs,draws
# Ours has an e-value of each variable and names causes. The plain program asks chi-square tests of the ranks and of twenty bins, a mean and a
# variance; it prints the sizes alone.
import sys
import numpy as np
from scipy.stats import chi2, norm

if sys.argv[1] == "input":
    print("a,b,c")
    for row in np.random.default_rng(1).integers(0, 100, (100000, 3)):
        print(*row, sep=",")
    sys.exit()
ranks = np.loadtxt(sys.argv[1], delimiter=",", skiprows=1, dtype=int)
for column in ranks.T:
    n, counts = len(column), np.bincount(column, minlength=100)
    fits = [chi2.sf(((c - n / len(c)) ** 2 / (n / len(c))).sum(), len(c) - 1) for c in (counts, counts.reshape(20, 5).sum(1))]
    u = (column + 0.5) / 100
    z = norm.ppf(u)
    print(fits, 2 * norm.sf(abs(z.mean()) * n**0.5), 2 * norm.sf(abs(z.var() - 1) * (n / 2) ** 0.5), file=sys.stderr)
    print(n, 99)
