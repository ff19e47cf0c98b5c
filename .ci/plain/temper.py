# breadboard temper --toy barrier:3x3 -T 3 --schedule linear --columns rate,variance,plain
from targets import *

g, shape, n = barrier(3), (3, 3), 9
betas, size = (0, 0.5, 1), 9**3  # states of the replicas, the hottest first
kernels, laws = [metropolis(b * g, shape) for b in betas], [law(b * g) for b in betas]
explore = np.kron(np.kron(kernels[0], kernels[1]), kernels[2])
pi = np.kron(np.kron(laws[0], laws[1]), laws[2])
at = np.array(np.unravel_index(np.arange(size), (n, n, n)))


def swap(i):
    """Where a swap of the replicas i and i + 1 leads from each state, and how probable it is."""
    order = np.arange(3)
    order[[i, i + 1]] = i + 1, i
    accepted = np.exp(np.minimum(0, (betas[i] - betas[i + 1]) * (g[at[i + 1]] - g[at[i]])))
    return np.ravel_multi_index(at[order], (n, n, n)), accepted


def scan(i):
    to, a = swap(i)
    return explore * (1 - a) + (explore * a)[:, to]


one = np.eye(size)
lower, upper = swap(0)[1], swap(1)[1]
# the probability of each state with a replica in the middle that comes from the hottest rung: the even pair is asked first, then the odd one
cycle = explore @ ((1 - lower)[:, None] * explore) * (1 - upper)
fresh = pi * lower @ explore * (1 - upper)
coming = np.linalg.solve((one - cycle).T, fresh)  # before an even scan
rate = ((coming @ explore * (1 - lower) + pi * lower) @ explore) @ upper / 2
print(rate)

h = g - laws[2] @ g
h /= np.sqrt(laws[2] @ (h * h))
f = h[at[2]]
even, odd = scan(0), scan(1)
still = np.linalg.solve(one - odd @ even + pi, odd @ (f + even @ f))  # what comes after an even scan
print(1 + pi @ (f * (still + even @ (f + still))))
print(laws[2] @ (h * (2 * np.linalg.solve(np.eye(n) - kernels[2] + laws[2], h) - h)))
