# breadboard schedule optimize --toy barrier -T 100 --columns value,linear
# within 1e-7
from targets import *
from scipy.optimize import minimize

g, shape, T = barrier(), (7, 7), 100
near = np.array(list(steps(shape)))
rise = g[near] - g


def objective(z):
    """The logarithm of B and its gradient in z, of whose softmax the schedule has the increments."""
    h = np.exp(z - z.max())
    h /= h.sum()
    b = np.concatenate([[0], np.cumsum(h)])
    accept = np.exp(np.minimum(0, b[:, None, None] * rise)) / len(near)
    slope = np.where(rise < 0, rise, 0) * accept
    p = np.exp(b[:, None] * (g - g.max()))
    p /= p.sum(1, keepdims=True)
    moved = lambda t, v: v + (accept[t] * (v[near] - v)).sum(0)
    q, before, r = np.ones((T, g.size)), np.ones((T, g.size)), np.ones((T, g.size))  # laws over p
    for t in range(1, T):
        before[t] = q[t - 1] * p[t - 1] / p[t]
        q[t] = moved(t, before[t])
    for t in range(T - 1, 0, -1):
        r[t - 1] = moved(t, r[t]) * p[t] / p[t - 1]
    gap = (r[:-1] * p[:-1] - q[:-1] * p[:-1]) @ g
    by, v = np.zeros(T), np.zeros(g.size)
    for t in range(T - 1, 0, -1):
        by[t] -= p[t] * before[t] @ (slope[t] * (v[near] - v)).sum(0)
        v = moved(t, v) + h[t - 1] * g
    v = np.zeros(g.size)
    for t in range(1, T):
        v = v + h[t - 1] * g
        by[t] += p[t] * r[t] @ (slope[t] * (v[near] - v)).sum(0)
        v = moved(t, v)
    by[-1] = 0  # the last distribution stays
    d = gap + np.cumsum(by[::-1])[::-1][1:]
    B = h @ gap
    return np.log(B), h * (d - h @ d) / B


best = minimize(objective, np.zeros(T - 1), jac=True, method="L-BFGS-B", options=dict(maxcor=30, maxiter=2000, ftol=1e-15, gtol=1e-9))
print(np.exp(best.fun), np.exp(objective(np.zeros(T - 1))[0]))
