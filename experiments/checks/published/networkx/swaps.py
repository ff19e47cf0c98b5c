# Graphs with the degrees 2, 2, 2, 1, 1 after 30 swaps of two edges, one graph per line; "stay"
# tries each swap once, and keeps the graph if it fails.
import random
import sys

import networkx as nx

rng = random.Random(int(sys.argv[2]))


def swap_or_stay(G):
    (u, v), (x, y) = ((e if rng.random() < 0.5 else e[::-1]) for e in rng.sample(list(G.edges), 2))
    if len({u, v, x, y}) == 4 and not G.has_edge(u, x) and not G.has_edge(v, y):
        G.remove_edges_from([(u, v), (x, y)])
        G.add_edges_from([(u, x), (v, y)])


swap = swap_or_stay if sys.argv[1] == "stay" else lambda G: nx.double_edge_swap(G, max_tries=1000, seed=rng)
while True:
    G = nx.path_graph(5)
    for _ in range(30):
        swap(G)
    print("-".join(sorted("%d%d" % tuple(sorted(e)) for e in G.edges)), flush=True)
