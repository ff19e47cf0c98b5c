# Random spanning trees of a weighted square, drawn in one way and claimed to be drawn in another: by the product or the sum of their weights, or uniformly.
import itertools
import math
import random
import sys

import breadboard
import networkx as nx

G = nx.Graph()
G.add_weighted_edges_from([(0, 1, 1), (1, 2, 2), (2, 3, 3), (0, 3, 5)])
drawn, claimed = sys.argv[1:]


def tree(rng):
    weight = None if drawn == "uniform" else "weight"
    return frozenset(map(frozenset, nx.random_spanning_tree(G, weight, multiplicative=drawn != "sum", seed=rng).edges))


total = {"product": math.prod, "sum": sum}[claimed]
want = {frozenset(map(frozenset, t)): total(G.edges[e]["weight"] for e in t) for t in itertools.combinations(G.edges, 3)}
want = {t: w / sum(want.values()) for t, w in want.items()}
print(breadboard.assert_law(tree, want, rng=random.Random).branches, "branches")
