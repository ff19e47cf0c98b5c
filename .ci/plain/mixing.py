# breadboard samplers times --toy ising:3x3:0.4 --kernel metropolis --kernel heatbath --columns mixing_mi,burn_in_tv
from targets import *

logf = ising(3, 3, 0.4)
p, shape = law(logf), (2,) * 9

for kernel in metropolis, heatbath:
    k = kernel(logf, shape)
    print(least(k, lambda m: p @ (m * np.log(np.where(m > 0, m, 1) / p)).sum(1) <= 0.01))
    v, n = law(0 * logf), 0
    while abs(v - p).sum() / 2 > 0.01:
        v, n = v @ k, n + 1
    print(n)
