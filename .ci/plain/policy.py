# breadboard policy --toy ising:3x4:0.3 --policy masked:local:0.8,masked:local:1.2 --columns J,B,kl_q_p,kl_p_q,log_z,ess
from targets import *

rows, cols, j = 3, 4, 0.3
n = rows * cols
near = np.zeros((n, n))
for a in range(n):
    for b in range(n):
        near[a, b] = abs(a // cols - b // cols) + abs(a % cols - b % cols) == 1
place = 3 ** np.arange(n)[::-1]  # a digit of each partial state for a site: hidden, down or up
states = np.arange(3**n)
spins = np.array([0, -1, 1], np.int8)[states[:, None] // place % 3]
shown = (spins != 0).sum(1)
field = j * (spins @ near)
logf = ising(rows, cols, j)
p, log_z = law(logf), log_total(logf)
ends = states[shown == n]
back = np.zeros(3**n)  # the probabilities of the partial states, the last ones first
back[ends] = p
for k in range(n, 0, -1):
    at = states[shown == k]
    for i in range(n):
        from_ = at[spins[at, i] != 0]
        np.add.at(back, from_ - from_ // place[i] % 3 * place[i], back[from_] / k)
for c in 0.8, 1.2:
    forward, square = np.zeros(3**n), np.zeros(3**n)
    forward[0] = square[0] = 1
    mean = {0: 0.0, 1: 0.0}  # the sum of the logs of P_F along paths, forward and backward
    for k in range(n):
        at = states[shown == k]
        for i in range(n):
            here = at[spins[at, i] == 0]
            for v in 1, 2:
                chance, to = 1 / (1 + np.exp(-2 * (2 * v - 3) * c * field[here, i])), here + v * place[i]
                forward[to] += forward[here] * chance / (n - k)
                square[to] += square[here] / chance / (n - k)
                mean[0] += (forward[here] * chance / (n - k) * np.log(chance)).sum()
                mean[1] += (back[to] / (k + 1) * np.log(chance)).sum()
    q = forward[ends]
    lower, upper = q @ logf - mean[0], p @ logf - mean[1]
    left, right = q @ np.log(q / p), p @ np.log(p / q)
    print(left + right, upper - lower, left, right, log_z, np.exp(2 * log_z) / (square[ends] @ np.exp(2 * logf)))
