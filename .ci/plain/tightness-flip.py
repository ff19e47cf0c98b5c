# breadboard tightness --toy ising:3x6:0.4 -T 60 --kernel flip --columns J,B
from targets import *

n, T = 18, 60
logf = ising(3, 6, 0.4)


def flip(q, b):
    g = b * logf
    out = np.zeros_like(q)
    for a in range(n):
        cut = (1 << a, 2, -1)
        up = g.reshape(cut)[:, 1] - g.reshape(cut)[:, 0]
        low, high = q.reshape(cut)[:, 0], q.reshape(cut)[:, 1]
        flow = high * np.exp(np.minimum(0, -up)) - low * np.exp(np.minimum(0, up))
        out.reshape(cut)[:, 0] += flow
        out.reshape(cut)[:, 1] -= flow
    return q + out / n


beta = np.linspace(0, 1, T)
q, forward = law(0 * logf), 0
for b in beta[1:]:
    forward += q @ logf / (T - 1)
    q = flip(q, b)
p = law(logf)
r, reverse = p, 0
for b in beta[:0:-1]:
    r = flip(r, b)
    reverse += r @ logf / (T - 1)
print(jeffreys(p, q))
print(reverse - forward)
