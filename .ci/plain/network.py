# breadboard network {}.uai --columns posterior,log_z
import sys
import numpy as np


def made(n=60, values=3, window=30, parents=2):
    """Text of a network in which each variable depends on two of the 30 before it."""
    r = np.random.default_rng(1)
    scopes = [sorted(r.choice(np.arange(max(0, v - window), v), min(parents, v), replace=False)) + [v] for v in range(n)]
    print("BAYES", n, *[values] * n, n)
    for s in scopes:
        print(len(s), *s)
    for s in scopes:
        table = r.dirichlet(np.ones(values), values ** (len(s) - 1)).ravel()
        print(len(table), *map(float, table))


if sys.argv[1] == "input":
    sys.exit(made())
words = iter(open(sys.argv[1]).read().split()[1:])
number = lambda: int(next(words))
cards = [number() for _ in range(number())]
scopes = [[number() for _ in range(number())] for _ in range(number())]
tables = [(s, np.array([float(next(words)) for _ in range(number())]).reshape([cards[v] for v in s])) for s in scopes]


def aligned(scope, table, over):
    """The table over other variables too, as a view that broadcasts."""
    table = table.transpose(np.argsort([over.index(v) for v in scope]))
    return table.reshape([cards[v] if v in scope else 1 for v in over])


near = {v: set().union(*(s for s, _ in tables if v in s)) - {v} for v in range(len(cards))}
cliques = []  # variable, its neighbours, their conditional law
total = 1.0
while near:
    v = min(near, key=lambda v: (sum(b not in near[a] for a in near[v] for b in near[v] if a < b), len(near[v])))
    around = sorted(near.pop(v))
    over = around + [v]
    for a in around:
        near[a] = (near[a] | set(around)) - {a, v}
    product = np.ones([cards[a] for a in over])
    for s, t in tables:
        if v in s:
            product *= aligned(s, t, over)
    tables = [(s, t) for s, t in tables if v not in s]
    message = product.sum(-1)
    if around:
        tables.append((around, message))
    else:
        total *= message
    product /= np.where(message > 0, message, 1)[..., None]
    cliques.append((v, around, product))
law, marginal = {}, {}
for i, (v, around, p) in reversed(list(enumerate(cliques))):
    if around:
        later = next(k for k in range(i + 1, len(cliques)) if cliques[k][0] in around)
        w, others, above = cliques[later][0], cliques[later][1] + [cliques[later][0]], law[later]
        message = above.sum(tuple(k for k, a in enumerate(others) if a not in around))
        p = p * aligned([a for a in others if a in around], message, around)[..., None]
    law[i] = p
    marginal[v] = p.sum(tuple(range(len(around))))
for v in range(len(cards)):
    for value in marginal[v]:
        print(value, np.log(total))
