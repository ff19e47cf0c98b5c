# breadboard temper compare --toy barrier:3x3 -T 3 --schedule linear --scans 1,4,16,64,256,1024 --columns tv_distance,ais_tv_distance,plain_tv_distance,J
# within 1e-8
from targets import *

g, shape, n, T = barrier(3), (3, 3), 9, 3
betas = np.linspace(0, 1, T)
kernels, p = [metropolis(b * g, shape) for b in betas], law(g)
explore = np.kron(np.kron(kernels[0], kernels[1]), kernels[2])
at = np.array(np.unravel_index(np.arange(n**3), (n, n, n)))
scans = []
for i in 0, 1:  # the even pair and the odd one in turn
    order = [1, 0, 2] if i == 0 else [0, 2, 1]
    a = np.exp(np.minimum(0, (betas[i] - betas[i + 1]) * (g[at[i + 1]] - g[at[i]])))
    scans.append(explore * (1 - a) + (explore * a)[:, np.ravel_multi_index(at[order], (n, n, n))])
joint, plain, done = np.full(n**3, 1 / n**3), law(0 * g), 0
for s in 1, 4, 16, 64, 256, 1024:
    while done < s:
        joint, done = joint @ scans[done % 2], done + 1
    cold = joint.reshape(-1, n).sum(0)
    annealed = annealing(g, shape, T * s + 1)[1][-1]
    far = lambda q: abs(q - p).sum() / 2
    print(far(cold), far(annealed), far(plain @ np.linalg.matrix_power(kernels[-1], T * s)), jeffreys(p, cold))
