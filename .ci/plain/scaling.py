# breadboard scaling --toy curie-weiss:{50,100,200}:1 -T 1000 --most 0 --columns J,B
# Ours also finds the variance of weights and the fits.
from targets import *
from scipy.special import gammaln

T = 1000
for n in 50, 100, 200:
    k = np.arange(n + 1)  # how many spins are up
    g = ((2 * k - n) ** 2 - n) / (2 * n)
    many = gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)
    rise = np.diff(g)
    beta = np.linspace(0, 1, T)

    def moved(v, b):
        """A law after a single spin flip of Metropolis."""
        up = v[:-1] * (n - k[:-1]) / n * np.exp(np.minimum(0, b * rise))
        down = v[1:] * k[1:] / n * np.exp(np.minimum(0, -b * rise))
        v = v.copy()
        v[:-1] += down - up
        v[1:] += up - down
        return v

    q, B = law(many), 0
    for b in beta[1:]:
        B -= q @ g / (T - 1)
        q = moved(q, b)
    r = law(many + g)
    p = r
    for b in beta[:0:-1]:
        r = moved(r, b)
        B += r @ g / (T - 1)
    print(jeffreys(p, q), B)
