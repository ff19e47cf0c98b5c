# breadboard smc --toy barrier -T 10 --particles 2 --columns mean_log_z_forward,relative_variance
from targets import *

logf, shape, T = barrier(), (7, 7), 10
g, beta = logf / (T - 1), np.linspace(0, 1, T)
w = np.exp(g)
pair = np.full((49, 49), 1 / 49**2)  # the law of both particles
square = pair  # the same, weighted by Zhat squared
mean = 0
for b in beta[1:]:
    k = metropolis(b * logf, shape)
    a = (w[:, None] + w) / 2
    mean += (pair * np.log(a)).sum()

    def resampled(m):  # each particle is one of the two, by its weight
        first = w[:, None] / (2 * a)
        one, other = m * first, m * (1 - first)
        v = np.diag((one * first).sum(1) + (other * (1 - first)).sum(0))
        return v + one * (1 - first) + (other * first).T

    pair, square = k.T @ resampled(pair) @ k, k.T @ resampled(square * a * a) @ k
z = np.exp(log_total(logf)) / 49
print(mean, square.sum() / z**2 - 1)
