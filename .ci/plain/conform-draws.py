# breadboard conform draws {}.npy --toy ising:3x3:0.3 --table states
# Ours averages ten tests. The plain program asks the main ones that it can in NumPy: counts, repeats up to 16 rows back, which states follow on which,
# blocks of 20 rows that come again, and whether blocks of 10 sizes are too even; it prints the counts alone.
import sys
from targets import *

p = law(ising(3, 3, 0.3))
if sys.argv[1] == "input":
    np.save(sys.stdout.buffer, np.random.default_rng(1).choice(512, 1_000_000, p=p))
    sys.exit()
draws = np.load(sys.argv[1])
seen, expected = np.bincount(draws, minlength=512), len(draws) * p
deviation = (seen - expected) / np.sqrt(expected * (1 - p))
n = len(draws)
chi = [np.sum((seen - expected) ** 2 / expected)]
for lag in range(1, 17):
    same = np.bincount(draws[lag:][draws[lag:] == draws[:-lag]], minlength=512)
    chi.append((same.sum() - n * np.sum(p * p)) / np.sqrt(n * np.sum(p * p)))
group = np.minimum(7, (8 * (np.cumsum(p) - p / 2)).astype(int))
g = group[draws]
pairs, share = np.bincount(8 * g[:-1] + g[1:], minlength=64), np.bincount(group, p, minlength=8)
chi.append(np.sum((pairs - n * np.outer(share, share).ravel()) ** 2 / (n * np.outer(share, share).ravel())))
hashes = np.zeros(n - 19, dtype=np.uint64)
for k in range(20):
    hashes = hashes * np.uint64(0x9E3779B97F4A7C15) + draws[k : n - 19 + k].astype(np.uint64)
again = n - 19 - len(np.unique(hashes))
for size in 2 ** np.arange(10, 20):
    blocks = draws[: n // size * size].reshape(-1, size)
    counts = np.stack([np.bincount(b, minlength=512) for b in blocks])
    chi.append(np.sum((counts - size * p) ** 2 / (size * p)) / counts.size)
print(again, chi, file=sys.stderr)
for x in np.argsort(-abs(deviation))[:10]:
    print(x, seen[x], expected[x], deviation[x])
