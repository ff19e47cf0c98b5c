# The exact distribution of two of four without replacement: by successive draws, or with
# probabilities in proportion to products.
import itertools
import sys

w = [0.5, 0.3, 0.15, 0.05]
weight = lambda i, j: w[i] * w[j] * (1 / (1 - w[i]) + 1 / (1 - w[j]) if sys.argv[1] == "successive" else 1)
pairs = list(itertools.combinations(range(4), 2))
total = sum(weight(*p) for p in pairs)
print("label,probability")
for i, j in pairs:
    print(f"{i + 1}-{j + 1},{weight(i, j) / total!r}")
