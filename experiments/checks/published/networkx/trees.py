# Random spanning trees of a weighted square with a diagonal, in proportion to the product or the sum of their weights.
import itertools
import math
import random
import sys

import breadboard
import networkx as nx

G = nx.Graph()
G.add_weighted_edges_from([(0, 1, 1), (1, 2, 2), (2, 3, 3), (0, 3, 4), (0, 2, 5)])
total = {"product": math.prod, "sum": sum}[sys.argv[1]]
weight = sys.argv[2] if len(sys.argv) > 2 else None


def tree(rng):
    return frozenset(map(frozenset, nx.random_spanning_tree(G, weight, multiplicative=total is math.prod, seed=rng).edges))


trees = [t for t in itertools.combinations(G.edges, 3) if nx.is_tree(nx.Graph(t)) and len(nx.Graph(t)) == 4]
want = {frozenset(map(frozenset, t)): total(G.edges[e]["weight"] for e in t) for t in trees}
want = {t: w / sum(want.values()) for t, w in want.items()}
print(breadboard.assert_law(tree, want, rng=random.Random, seconds=15).branches, "branches")
