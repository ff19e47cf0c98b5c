# breadboard samplers diagnose {}.npy --columns ess_basic,ess_mean,ess_bulk,ess_tail,rhat_basic,rhat_split,rhat_rank
import sys
from targets import *

if sys.argv[1] == "input":
    np.save(sys.stdout.buffer, autoregressive(8, 200000))
    sys.exit()
from scipy.fft import irfft, next_fast_len, rfft
from scipy.special import ndtri
from scipy.stats import rankdata


def ess(c):
    k, n = c.shape
    size = next_fast_len(2 * n)
    cov = irfft((abs(rfft(c - c.mean(1, keepdims=True), size)) ** 2).mean(0), size)[:n] / n
    rho = 1 - (cov[0] * n / (n - 1) - cov) / (cov[0] + c.mean(1).var(ddof=1))
    rho[0] = 1
    pairs = rho[: n // 2 * 2].reshape(-1, 2).sum(1)
    end = np.argmax(pairs <= 0)  # Geyer's initial monotone sequence, as Stan ends it
    return k * n / (2 * np.minimum.accumulate(pairs[:end]).sum() - 1 + max(rho[2 * end], 0))


def rhat(c):
    n = c.shape[1]
    return np.sqrt((n - 1) / n + c.mean(1).var(ddof=1) / c.var(1, ddof=1).mean())


def split(c):
    return np.concatenate([c[:, : c.shape[1] // 2], c[:, -(c.shape[1] // 2) :]])


def normal(c):
    return ndtri((rankdata(c).reshape(c.shape) - 0.375) / (c.size + 0.25))


x = np.load(sys.argv[1])
s = split(x)
bulk, folded = normal(s), normal(abs(s - np.median(s)))
tails = [split((x <= q).astype(float)) for q in np.quantile(x, (0.05, 0.95))]
print(ess(x), ess(s), ess(bulk), min(map(ess, tails)), rhat(x), rhat(s), max(rhat(bulk), rhat(folded)))
