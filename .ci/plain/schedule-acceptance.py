# breadboard schedule compare --toy barrier --schedule acceptance -T 1000 --columns B,J
# within 1e-8
from targets import *

g, T = barrier(), 1000
fall = np.minimum(0, g[:, None] - g)
beta = np.linspace(0, 1, T)
while True:
    p = np.exp(beta[:, None] * g)
    p /= p.sum(1, keepdims=True)
    refused = np.array([-p[t] @ np.expm1((beta[t + 1] - beta[t]) * fall) @ p[t + 1] for t in range(T - 1)])
    if np.ptp(refused) < 1e-11 * refused.mean():
        break
    total = np.r_[0, np.cumsum(refused)]
    beta = np.interp(np.linspace(0, total[-1], T), total, beta)
kernels = [metropolis(b * g, (7, 7)) for b in beta[1:]]
q, r, B = p[0], p[-1], 0
for t in range(1, T):
    B -= (beta[t] - beta[t - 1]) * (q @ g)
    q = q @ kernels[t - 1]
for t in range(T - 1, 0, -1):
    r = p[t] * (kernels[t - 1] @ (r / p[t]))
    B += (beta[t] - beta[t - 1]) * (r @ g)
print(B, jeffreys(p[-1], q))
