"""The numbers of reference.json by another route: all partial states as tuples, probabilities in
plain doubles, forward and backward marginals, and KL of paths by the chain rule from the first step.

    python3 reference.py > reference.json
"""
import itertools, json
import numpy as np

def pairs(rows, cols, torus):
    for i, j in itertools.product(range(rows), range(cols)):
        for di, dj in (0, 1), (1, 0):
            a, b = i + di, j + dj
            if torus or a < rows and b < cols:
                yield i * cols + j, a % rows * cols + b % cols

def solve(rows, cols, q, pair, field, torus, c, random_order):
    """pair[u][v] and field[v] are log factors; a state is a tuple with -1 for a masked site."""
    n, edges = rows * cols, list(pairs(rows, cols, torus))
    def policy(x, i):
        logits = np.zeros(q)
        for a, b in edges:
            other = b if a == i else a if b == i else None
            if other is not None and x[other] >= 0:
                logits += c * pair[x[other]]
        logits += c * field
        e = np.exp(logits - logits.max())
        return e / e.sum()
    def logf(x):
        return sum(pair[x[a]][x[b]] for a, b in edges) + sum(field[v] for v in x)
    def steps(x):
        masked = [i for i in range(n) if x[i] < 0]
        chosen = masked if random_order else masked[:1]
        for i in chosen:
            for v, p in enumerate(policy(x, i)):
                back = 1 / (n - len(masked) + 1) if random_order else 1
                yield x[:i] + (v,) + x[i + 1:], p / len(chosen), back
    layers = [{(-1,) * n: 1.0}]
    for _ in range(n):
        after = {}
        for x, p in layers[-1].items():
            for y, forward, _ in steps(x):
                after[y] = after.get(y, 0) + p * forward
        layers.append(after)
    ends = layers[-1]
    f = {x: np.exp(logf(x)) for x in ends}
    z = sum(f.values())
    target = {x: f[x] / z for x in ends}
    reverse = dict(target)
    path_qp = path_pq = 0.0
    for layer in reversed(layers[:-1]):
        for x in layer:
            reverse[x] = sum(reverse[y] * back for y, _, back in steps(x))
        for x, q_x in layer.items():
            for y, forward, back in steps(x):
                backward = reverse[y] * back / reverse[x]
                path_qp += q_x * forward * np.log(forward / backward)
                path_pq += reverse[x] * backward * np.log(backward / forward)
    qp = sum(ends[x] * np.log(ends[x] / target[x]) for x in ends)
    pq = sum(target[x] * np.log(target[x] / ends[x]) for x in ends)
    return {"kl_q_p": qp, "kl_p_q": pq, "path_q_p": path_qp, "path_p_q": path_pq, "log_z": np.log(z)}

ising = lambda j: np.array([[j, -j], [-j, j]])
targets = {
    "ising:3x3:0.6": (3, 3, 2, ising(0.6), np.zeros(2), False),
    "ising:2x3:0.5:0.1": (2, 3, 2, ising(0.5), np.array([-0.1, 0.1]), False),
    "potts:3:2x2:0.7": (2, 2, 3, 0.7 * np.eye(3), np.zeros(3), False),
    "ising:3x3:-0.3:torus": (3, 3, 2, ising(-0.3), np.zeros(2), True),
}
out = []
for toy, target in targets.items():
    for order, random_order in ("masked", True), ("order", False):
        for c in 0.7, 1.3:
            out.append({"toy": toy, "policy": f"{order}:local:{c}", **solve(*target, c, random_order)})
print(json.dumps(out, indent=1, default=float))
