# breadboard conform policy {}.csv --toy ising:3x3:0.6 --policy order:local:1 --table states
# The plain program computes what log w each state may have, compares the draws with that, and asks a chi-square test of the states and repeats up to
# 16 rows back; it prints the counts alone.
import sys
from targets import *

j, n = 0.6, 100_000
logf = ising(3, 3, j)
spins = 2 * (np.arange(512)[:, None] >> np.arange(8, -1, -1) & 1) - 1
logq = np.zeros(512)
for i in range(9):
    h = j * ((spins[:, i - 3] if i > 2 else 0) + (spins[:, i - 1] if i % 3 else 0))
    logq -= np.log1p(np.exp(-2 * h * spins[:, i]))
q = np.exp(logq)
if sys.argv[1] == "input":
    print("state,log_w")
    for x in np.random.default_rng(1).choice(512, n, p=q / q.sum()):
        print(x, logf[x] - logq[x], sep=",")
    sys.exit()
draws = np.loadtxt(sys.argv[1], delimiter=",", skiprows=1)
x = draws[:, 0].astype(int)
assert abs(draws[:, 1] - (logf - logq)[x]).max() < 1e-9
seen, expected = np.bincount(x, minlength=512), n * q
found = [((seen - expected) ** 2 / expected).sum()]
for lag in range(1, 17):
    found.append(((x[lag:] == x[:-lag]).sum() - n * (q @ q)) / np.sqrt(n * (q @ q)))
print(found, file=sys.stderr)
deviation = (seen - expected) / np.sqrt(expected * (1 - q))
for s in np.argsort(-abs(deviation).round(9), kind="stable")[:20]:
    print(s, seen[s], expected[s], deviation[s])
