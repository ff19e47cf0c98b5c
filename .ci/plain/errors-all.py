# breadboard samplers errors --toy ising:3x3:0.4 --kernel heatbath-scan -N 1e4 --start uniform --columns mse_mean,mse_var,cvm
# Ours also has the Kolmogorov-Smirnov distance, which for two values takes nothing more.
from targets import *

N, n = 10_000, 9
x, p = np.arange(1 << n), law(ising(3, 3, 0.4))
moved = scan(p, n)
one = (x >> n - 1).astype(float)
mean = p @ one
h = (one - mean) / np.sqrt(mean - mean**2)
r, d = h * h - 1, (one == 0) - (1 - mean)
v = np.zeros((10, 1 << n))  # moments of the sums of h, r and d from each state, over the factorials of their powers
for _ in range(N):
    s, s2, q, s3, sq, s4, s2q, q2, e, e2 = moved(v)
    v = np.array([
        s + h, s2 + h * s + h**2 / 2, q + r, s3 + h * s2 + h**2 / 2 * s + h**3 / 6, sq + h * q + r * s + h * r,
        s4 + h * s3 + h**2 / 2 * s2 + h**3 / 6 * s + h**4 / 24, s2q + h * sq + h**2 / 2 * q + r * s2 + h * r * s + h**2 * r / 2,
        q2 + r * q + r**2 / 2, e + d, e2 + d * e + d**2 / 2,
    ])  # fmt: skip
_, s2, q, _, _, s4, s2q, q2, _, e2 = v.mean(1)
variance = (2 * q2 + 1 + 24 * s4 / N**2 + 2 * q - 4 * s2q / N - 4 * s2 / N) / (N - 1) ** 2
print(2 * s2 / N**2, variance, 2 * (1 - mean) * e2 / N**2)
