# breadboard samplers diagnose {}.npy --columns ess_basic,rhat_basic
# within 1e-4
# Ours finds these two alone, since others are not asked for; diagnose-all has all.
import sys
from targets import *

if sys.argv[1] == "input":
    np.save(sys.stdout.buffer, autoregressive(4, 100000))
    sys.exit()
x = np.load(sys.argv[1])
m, n = x.shape
f = np.fft.rfft(x - x.mean(1, keepdims=True), 2 * n)
cov = np.fft.irfft(abs(f) ** 2)[:, :n] / n
within = cov[:, 0].mean() * n / (n - 1)
total = within * (n - 1) / n + x.mean(1).var(ddof=1)
rho = 1 - (within - cov.mean(0) * n / (n - 1)) / total
pairs = rho[: n // 2 * 2].reshape(-1, 2).sum(1)
end = np.argmax(pairs < 0)  # Geyer's initial monotone sequence, as Stan ends it
pairs = np.minimum.accumulate(pairs[:end])
print(m * n / (2 * pairs.sum() - 1 + max(0, rho[2 * end])), np.sqrt(total / within))
