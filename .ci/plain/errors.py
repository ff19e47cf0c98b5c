# breadboard samplers errors --toy ising:3x3:0.4 --kernel heatbath-scan -N 1e4 --estimate mean --start uniform --columns mse_mean
from targets import *

N, n = 10_000, 9
x, p = np.arange(1 << n), law(ising(3, 3, 0.4))
moved = scan(p, n)
h = (x >> n - 1).astype(float)
h = (h - p @ h) / np.sqrt(p @ h - (p @ h) ** 2)
v = np.zeros((2, 1 << n))  # the mean of the sum from each state, and half that of its square
for _ in range(N):
    s, s2 = moved(v)
    v = np.array([s + h, s2 + h * s + h * h / 2])
print(2 * v[1].mean() / N**2)
