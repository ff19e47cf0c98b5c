# The distribution of the states of two particles on four states of log f 0.71, 0, 0.71, -2 after
# residual resampling.
import itertools
import math

weight = [math.exp(v) for v in (0.71, 0, 0.71, -2)]
law = {f"{x}-{y}": 0.0 for x, y in itertools.combinations_with_replacement(range(4), 2)}
for x, y in itertools.product(range(4), repeat=2):
    share = 2 * weight[x] / (weight[x] + weight[y])  # the expected number of copies of x
    if weight[x] == weight[y]:
        law[f"{min(x, y)}-{max(x, y)}"] += 1 / 16  # each is kept
    else:
        sure, p = (x, share - 1) if share > 1 else (y, share)  # one copy is certain, the other is x with probability p
        for other, q in (x, p), (y, 1 - p):
            law[f"{min(sure, other)}-{max(sure, other)}"] += q / 16
print("label,probability", *(f"{pair},{p}" for pair, p in law.items()), sep="\n")
