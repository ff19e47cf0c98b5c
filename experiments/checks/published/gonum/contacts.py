# The distribution of the edges of five nodes in a line, each with one contact at a distance d > 1,
# chosen in proportion to 1/d.
import itertools

line, far = {(i, i + 1) for i in range(4)}, [(u, v) for u in range(5) for v in range(u + 2, 5)]
law = {frozenset(line.union(some)): 0.0 for n in range(7) for some in itertools.combinations(far, n)}
weights = [{v: 1 / abs(u - v) for v in range(5) if abs(u - v) > 1} for u in range(5)]
for contacts in itertools.product(*weights):
    p = 1.0
    for u, v in enumerate(contacts):
        p *= weights[u][v] / sum(weights[u].values())
    law[frozenset(line.union((min(e), max(e)) for e in enumerate(contacts)))] += p
print("label,probability")
for edges, p in law.items():
    print(" ".join(f"{u}-{v}" for u, v in sorted(edges)), p, sep=",")
