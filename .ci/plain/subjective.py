# breadboard subjective --toy barrier -T 1000 --reference uniform --moves 0,1,10,100,1000,10000 --columns value,kl_reference
from targets import *

logf, shape, T = barrier(), (7, 7), 1000
beta, q, _ = annealing(logf, shape, T)
mean = sum(q[:-1]) @ logf / (T - 1)
h = 0 * logf  # the mean log weight of a reverse chain from each state
for b in beta[1:]:
    h = metropolis(b * logf, shape) @ (h + logf / (T - 1))
k, p, r = metropolis(logf, shape), law(logf), law(0 * logf)
for s in range(10001):
    if s in (0, 1, 10, 100, 1000, 10000):
        print(r @ h - mean)
        print((r * np.log(r / p)).sum())
    r = r @ k
