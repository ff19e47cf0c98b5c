# breadboard success --toy ising:3x4:0.6 --kernel flip -T 300 --levels 0 --columns level,p_end,p_seen
import numpy as np

rows, cols, J, T = 3, 4, 0.6, 300
n = rows * cols
x = np.arange(2**n)
s = 2 * ((x[:, None] >> np.arange(n - 1, -1, -1)) & 1) - 1
g = np.zeros(2**n)
for i in range(rows):
    for j in range(cols):
        if j + 1 < cols:
            g += J * s[:, i * cols + j] * s[:, i * cols + j + 1]
        if i + 1 < rows:
            g += J * s[:, i * cols + j] * s[:, (i + 1) * cols + j]
values, level = np.unique(np.round(g, 9), return_inverse=True)  # from the lowest on
K = len(values)
below = level[:, None] < np.arange(1, K)  # which states have not come to each level
mass = np.full((2**n, K), 2.0**-n)  # of chains that never were at levels 1, 2, ... or above, and of all
seen = (mass[:, : K - 1] * ~below).sum(0)
mass[:, : K - 1] *= below
flips = [x ^ (1 << i) for i in range(n)]
for t in range(2, T + 1):
    beta = (t - 1) / (T - 1)
    new = np.zeros_like(mass)
    for to in flips:
        accept = np.exp(np.minimum(0, beta * (g[to] - g))) / n
        moved = mass * accept[:, None]
        new += mass / n - moved
        new += moved[to]  # a flip is its own inverse
    mass = new
    seen += (mass[:, : K - 1] * ~below).sum(0)
    mass[:, : K - 1] *= below
end = np.bincount(level, mass[:, K - 1], K)[::-1].cumsum()
for i in range(K):
    print(values[K - 1 - i], end[i], 1 if i == K - 1 else seen[K - 2 - i])
