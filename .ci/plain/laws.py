# breadboard samplers laws --toy barrier --kernel heatbath --function mode -N 1000 --chains 8 --columns ress_mean,tau,coverage_95
from targets import *

logf, N = barrier(), 1000
k, p = heatbath(logf, (7, 7)), law(logf)
f = (np.arange(49) // 7 < 3) & (np.arange(49) % 7 > 3)
mean = p @ f
c = f - mean
tau = p @ (c * (2 * np.linalg.solve(np.eye(49) - k + p, c) - c)) / (p @ c**2)
at = np.zeros((49, N + 1))  # the law of the state and of how many samples were in the mode
at[:, 0] = 1 / 49
at[f] = np.roll(at[f], 1, 1)
for _ in range(N - 1):
    at = k.T @ at
    at[f] = np.roll(at[f], 1, 1)
total, off = at.sum(0), np.arange(N + 1) / N - mean
print(p @ c**2 / (total @ off**2), tau, total @ (abs(off) <= 1.96 * np.sqrt(tau / N * (p @ c**2))))
