# breadboard kernel check metropolis --toy ising:3x3:0.4 --columns finding,value
# only ^spectral_gap
from targets import *

logf = ising(3, 3, 0.4)
for b in 0, 0.25, 0.5, 0.75, 1:
    k, p = metropolis(b * logf, (2,) * 9), law(b * logf)
    root = np.sqrt(p)
    print(1 - np.linalg.eigvalsh(root[:, None] * k / root)[-2])
