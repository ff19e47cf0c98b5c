# breadboard tightness --toy ising:4x4:0.3 -T 100 --kernel heatbath-scan --columns J,B
from targets import *

n, T = 16, 100
logf = ising(4, 4, 0.3)


def scan(v, b, axes, transposed):
    for a in axes:
        w = v.reshape(1 << a, 2, -1)
        l = b * logf.reshape(1 << a, 2, -1)
        up = 1 / (1 + np.exp(l[:, 0] - l[:, 1]))
        if transposed:  # of laws
            both = w[:, 0] + w[:, 1]
            v = np.stack([both * (1 - up), both * up], 1).ravel()
        else:
            both = w[:, 0] * (1 - up) + w[:, 1] * up
            v = np.stack([both, both], 1).ravel()
    return v


beta = np.linspace(0, 1, T)
q, forward = law(0 * logf), 0
for b in beta[1:]:
    forward += q @ logf / (T - 1)
    q = scan(q, b, range(n), True)
p = law(logf)
r, reverse = p, 0
for b in beta[:0:-1]:
    r = scan(r, b, range(n - 1, -1, -1), True)
    reverse += r @ logf / (T - 1)
print(jeffreys(p, q))
print(reverse - forward)
