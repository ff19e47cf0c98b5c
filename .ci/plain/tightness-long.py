# breadboard tightness --toy barrier -T 20000 --columns J,B
from targets import *

logf, shape, T = barrier(), (7, 7), 20000
to, beta = np.array(list(steps(shape))), np.linspace(0, 1, T)
up = np.minimum(0, logf[to] - logf)
x = np.arange(49)
q, forward = law(0 * logf), 0
for b in beta[1:]:
    forward += q @ logf
    out = q * np.exp(b * up) / 4
    q = q - out.sum(0) + np.bincount(to.ravel(), out.ravel(), 49)
p = law(logf)
r, reverse = p, 0
for b in beta[:0:-1]:
    out = r * np.exp(b * up) / 4
    r = r - out.sum(0) + np.bincount(to.ravel(), out.ravel(), 49)
    reverse += r @ logf
print(jeffreys(p, q), (reverse - forward) / (T - 1))
