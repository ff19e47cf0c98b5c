# breadboard policy twist --toy ising:1x8:0.8 --base-chain markov:0:0 --twist none,lookahead:1,lookahead:4 --columns J,B,lower_bound,log_z,upper_bound
from targets import *

n, j = 8, 0.8
phi = np.exp(ising(1, n, j))
p = phi / phi.sum()
for ahead in None, 1, 4:
    psi = [np.ones(1 << t) for t in range(n)] + [phi]
    for t in range(n - (ahead or 0), n):
        psi[t] = phi.reshape(1 << t, -1).mean(1)
    move, weight = [], []  # of the token that makes a prefix of t + 1 tokens
    for t in range(n):
        mean = psi[t + 1].reshape(-1, 2).mean(1)
        if ahead is None:
            move.append(np.full(2 << t, 0.5))
            weight.append(psi[t + 1])
        else:
            move.append(psi[t + 1] / 2 / np.repeat(mean, 2))
            weight.append(np.repeat(mean / psi[t], 2))
    for particles in 1, 2:
        if particles == 1:
            q, log = np.ones(1), np.zeros(1)
            for t in range(n):
                q, log = np.repeat(q, 2) * move[t], np.repeat(log, 2) + np.log(weight[t])
            lower, upper = q @ log, p @ log
        else:
            both, beside, lower, upper = np.ones((1, 1)), np.ones((1, 1)), 0, 0
            for t in range(n):
                w = weight[t]
                mean = np.log((w[:, None] + w) / 2)
                first = w[:, None] / (w[:, None] + w)
                both = np.repeat(np.repeat(both, 2, 0) * move[t][:, None], 2, 1) * move[t]
                lower += (both * mean).sum()
                marginal = p.reshape(2 << t, -1).sum(1)
                given = marginal / np.repeat(marginal.reshape(-1, 2).sum(1), 2)
                beside = np.repeat(np.repeat(beside, 2, 0) * given[:, None], 2, 1) * move[t]
                upper += (beside * mean).sum()
                q = (both * first).sum(1) + (both * (1 - first)).sum(0)
                twice = (both * first**2).sum(1) + (both * (1 - first) ** 2).sum(0)
                mixed = both * first * (1 - first)
                both = mixed + mixed.T + np.diag(twice)
                beside = beside * (1 - first) + np.diag((beside * first).sum(1))
        print(((q - p) * np.log(q / p)).sum(), upper - lower, lower, np.log(phi.mean()), upper)
