# breadboard kernel check metropolis --toy ising:3x3:0.4 --beta 0,0.25,0.5,0.75,1 --columns finding,value
# only ^(spectral_gap|asymptotic_variance|autocorrelation_time)
# Ours also checks that rows sum to one, invariance, detailed balance, and whether the chain is irreducible.
from targets import *

logf = ising(3, 3, 0.4)
f = np.column_stack([logf, *np.indices((2,) * 9).reshape(9, -1)])
for b in 0, 0.25, 0.5, 0.75, 1:
    k, p = metropolis(b * logf, (2,) * 9), law(b * logf)
    root = np.sqrt(p)
    values, vectors = np.linalg.eigh(root[:, None] * k / root)
    print(1 - values[-2])
    share = (vectors[:, :-1].T @ (root[:, None] * (f - p @ f))) ** 2
    variance = (1 + values[:-1]) / (1 - values[:-1]) @ share
    for v, t in zip(variance, variance / share.sum(0)):
        print(v, t)
