# breadboard samplers errors --toy barrier:3x3 --kernel heatbath -N 200 --start uniform --estimate distribution --columns ks2,R_ks
from targets import *
from scipy.stats import poisson

p, N = law(barrier(3)), 200
k, level = heatbath(barrier(3), (3, 3)), np.arange(9) // 3
masses, s = p.reshape(3, 3).sum(1), np.arange(N + 1)
F = np.cumsum(masses)[:-1]
v = np.zeros((N + 2, N + 2, 9))  # by the numbers of samples at the first two levels, and the state
v[0, 0] = 1 / 9
for t in range(N):
    if t:
        v[: t + 1, : t + 1] = v[: t + 1, : t + 1] @ k
    v[1 : t + 2, : t + 1, :3] = v[: t + 1, : t + 1, :3]
    v[0, :, :3] = 0
    v[: t + 1, 1 : t + 2, 3:6] = v[: t + 1, : t + 1, 3:6]
    v[:, 0, 3:6] = 0
far = np.maximum(abs(s[:, None] / N - F[0]), abs((s[:, None] + s) / N - F[1]))
print((v.sum(2)[: N + 1, : N + 1] * far**2).sum())

values = np.unique(np.concatenate([[0.0]] + [abs(s / N - f) for f in F]))
shares = [poisson.pmf(s, N * m) for m in masses]
total = 0.0
for low, high in zip(values, values[1:]):  # P(KS <= d) of independent draws, by Poisson variables, given that they sum up to N
    d, q = (low + high) / 2, np.eye(N + 1)[0]
    for f, share in zip(F, shares):
        q = np.convolve(q, share)[: N + 1] * (abs(s / N - f) <= d)
    total += (1 - q @ shares[-1][::-1] / poisson.pmf(N, N)) * (high * high - low * low)
print(N * total)
