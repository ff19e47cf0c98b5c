# breadboard frontier --budget 1e3,1e4 --kernel metropolis,barker --repeats 1,2 --schedule linear --best 0 --columns J,B
from targets import *

shape, x = (7, 7), np.arange(49)
to = np.array(list(steps(shape)))
z = np.random.RandomState(0).randn(49)
rules = [lambda up: np.exp(np.minimum(0, up)), lambda up: 1 / (1 + np.exp(-up))]
for logf in 2 * z, 10 * z, barrier():
    rise, p = logf[to] - logf, law(logf)
    for work in 1000, 10000:
        rows = []
        for accept in rules:
            for repeat in 1, 2:
                T = (work - 1) // repeat + 1
                beta = np.linspace(0, 1, T)

                def moved(v, b):
                    go = accept(b * rise) / 4
                    for _ in range(repeat):
                        out = v * go
                        v = v - out.sum(0) + np.bincount(to.ravel(), out.ravel(), 49)
                    return v

                q, B = law(0 * logf), 0
                for b in beta[1:]:
                    B -= q @ logf
                    q = moved(q, b)
                r = p
                for b in beta[:0:-1]:  # both kernels are reversible
                    r = moved(r, b)
                    B += r @ logf
                rows.append((jeffreys(p, q), B / (T - 1)))
        for J, B in sorted(rows):
            print(J, B)
