# breadboard samplers times --toy barrier --kernel metropolis --kernel heatbath --columns mixing_mi,burn_in_tv
from targets import *

logf = barrier()
p, shape = law(logf), (7, 7)

for kernel in metropolis, heatbath:
    k = kernel(logf, shape)
    print(least(k, lambda m: p @ (m * np.log(np.where(m > 0, m, 1) / p)).sum(1) <= 0.01))
    u = law(0 * logf)
    print(least(k, lambda m: abs(u @ m - p).sum() / 2 <= 0.01))
