# breadboard gap --toy barrier -T 1000 --columns kind,forward,reverse
from targets import *

logf, shape, T = barrier(), (7, 7), 1000
beta, q, r = annealing(logf, shape, T)
p = [law(b * logf) for b in beta]


def kl(a, b):
    return (a * np.log(a / b)).sum()


for t in range(1, T):
    print(kl(q[t - 1], p[t]) - kl(q[t], p[t]))
    print(r[t] @ np.log(q[t] / p[t]) - r[t - 1] @ np.log(q[t - 1] / p[t]))
print(kl(q[-1], p[-1]))
print(kl(p[-1], q[-1]))
