# breadboard samplers errors --toy ising:3x3:0.4 --kernel heatbath-scan -N 1e4 --estimate mean --start uniform --columns mse_mean
from targets import *

N, n = 10_000, 9
x, p = np.arange(1 << n), law(ising(3, 3, 0.4))
pairs = [p.reshape(-1, 2, 1 << b) for b in range(n)]
up = [pair[:, 1:] / pair.sum(1, keepdims=True) for pair in pairs]


def moved(v):
    """What is expected of functions after a scan, which begins with the first axis, the most significant bit."""
    for b in range(n):
        v = v.reshape(len(v), -1, 2, 1 << b)
        to = np.empty_like(v)
        to[:] = v[:, :, :1] + up[b] * (v[:, :, 1:] - v[:, :, :1])
        v = to
    return v.reshape(len(v), -1)


h = (x >> n - 1).astype(float)
h = (h - p @ h) / np.sqrt(p @ h - (p @ h) ** 2)
v = np.zeros((2, 1 << n))  # the mean of the sum from each state, and half that of its square
for _ in range(N):
    s, s2 = moved(v)
    v = np.array([s + h, s2 + h * s + h * h / 2])
print(2 * v[1].mean() / N**2)
