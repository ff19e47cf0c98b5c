# The exact distribution of the best cut, from the temperatures that R's help page gives: sann.py
# TMAX > law.csv
import math
import sys
from collections import defaultdict

edges = [(0, 1, 3), (1, 2, 1), (2, 3, 2), (3, 4, 4), (4, 5, 1), (5, 0, 2), (0, 3, 1), (1, 4, 2)]
cut = [sum(w for i, j, w in edges if (x >> i ^ x >> j) & 1) for x in range(64)]
tmax, law = int(sys.argv[1]), {(0, 0): 1.0}
for t in range(1, 40):  # the first of 40 evaluations is that of the start
    temperature = 4 / math.log((t - 1) // tmax * tmax + math.e)
    after = defaultdict(float)
    for (x, best), p in law.items():
        for y in (x ^ 1 << i for i in range(6)):
            accept = math.exp(min(0, cut[y] - cut[x]) / temperature)
            after[y, max(best, cut[y])] += p * accept / 6
            after[x, best] += p * (1 - accept) / 6
    law = after
print("label,probability")
for b in sorted(set(cut)):
    print(f"{b},{sum(p for (_, best), p in law.items() if best == b):.17g}")
