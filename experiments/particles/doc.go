// Package particles answers: how much better does sequential Monte Carlo become with more particles? For sequential Monte Carlo on an annealing it says, exactly where
// that can be done, how far the output is from the target and how far the estimate of log Z is off, for each number of
// particles and each way to resample. It never prints, draws or reads flags.
//
// P particles go through the annealing side by side. Stage t = 2..T weighs each by f_t/f_{t-1} at its state, resamples, and
// moves every particle by the kernel T_t. The output x is the state of one of them, drawn by the weights that are left, and
//
//	Zhat = product, over the stages at which they are resampled and the end, of the mean weight
//
// estimates Z_T/Z_1. A conditional run starts from an output: it draws a path back by the reversed kernels, and then the
// other particles with that path kept in place. With one particle this is annealed importance sampling, and the numbers are
// those of package tightness. With q the law of the output and p the target, all in nats,
//
//	J, kl_q_p, kl_p_q       KL(q||p) + KL(p||q), and its two parts
//	mean_log_z_forward      the mean of log Zhat in runs, at most log(Z_T/Z_1)
//	mean_log_z_conditional  the same in conditional runs to draws of the target, at least log(Z_T/Z_1)
//	B                       the second less the first: at least J; what AIDE expects with one run of meta-inference and
//	                        an exact gold standard
//	relative_variance       E[Zhat^2]/Z^2 - 1
//	limit_P_relative_variance, limit_P2_J
//	                        what P times that, and P^2 J, tend to as P grows
//	extinct                 how often all weights become zero, so that there is no output; J is that of the other runs
//
// The study checks the identities between these: J <= B, each divergence is at most its half of B, and the mean of conditional
// runs is at most log(Z_T/Z_1) + log(1 + relative_variance), by Jensen's inequality.
//
// # Resampling
//
// The schemes are multinomial, stratified, systematic and residual (particle.ParseScheme). A threshold of 1 resamples at
// every stage, 0 never, and C where the effective sample size (sum w)^2/sum w^2 is below C P. On BARRIER resampling at every
// stage is what hurts: its weights vary little from stage to stage, and each resampling merges lineages for nothing.
//
//	$ breadboard smc --toy barrier --particles 1,2 --resample multinomial,systematic --threshold 1,0
//	 toy     │   T │ particles │ resample    │ threshold │ J (nats) │ E log Z fwd (nats) │ E log Z cond. (nats) │ B (nats) │ rel. variance │ method
//	─────────┼─────┼───────────┼─────────────┼───────────┼──────────┼────────────────────┼──────────────────────┼──────────┼───────────────┼───────────
//	 barrier │ 100 │         1 │ multinomial │         1 │  1.64786 │           0.474233 │              2.28467 │  1.81043 │       2.15434 │ annealing
//	 barrier │ 100 │         2 │ multinomial │         1 │  1.61289 │           0.514315 │              2.24189 │  1.72758 │       1.96235 │ pairs
//	 barrier │ 100 │         1 │ systematic  │         1 │  1.64786 │           0.474233 │              2.28467 │  1.81043 │       2.15434 │ annealing
//	 barrier │ 100 │         2 │ systematic  │         1 │ 0.974158 │             0.7471 │              2.02407 │  1.27697 │       1.33883 │ pairs
//	 barrier │ 100 │         1 │ never       │         0 │  1.64786 │           0.474233 │              2.28467 │  1.81043 │       2.15434 │ annealing
//	 barrier │ 100 │         2 │ never       │         0 │ 0.844014 │           0.802206 │              1.95013 │  1.14792 │       1.07717 │ integral
//
// # More particles can be worse
//
// J need not fall with the number of particles. Here the state that is likely on the way has little mass in the end: f is
// (1, 1), then (1, e^5.5), then (1, e^-6). More particles fill the wrong state better, and only many more keep one in the
// right one. The kernel independence proposes either state with probability 1/2.
//
//	$ breadboard smc --toy file:experiments/particles/examples/two.csv --path via:0.5:experiments/particles/examples/way.csv -T 3 --kernel independence --particles 1,2,10,30,100
//	 toy                                         │ T │ particles │ resample    │ threshold │ J (nats) │ E log Z fwd (nats) │ E log Z cond. (nats) │ B (nats) │ rel. variance │ method
//	─────────────────────────────────────────────┼───┼───────────┼─────────────┼───────────┼──────────┼────────────────────┼──────────────────────┼──────────┼───────────────┼───────────
//	 file:experiments/particles/examples/two.csv │ 3 │         1 │ multinomial │         1 │  2.04345 │           -5.86325 │              2.72834 │  8.59159 │       243.478 │ annealing
//	 file:experiments/particles/examples/two.csv │ 3 │         2 │ multinomial │         1 │  2.25266 │           -5.59499 │              3.15228 │  8.74727 │       121.739 │ pairs
//	 file:experiments/particles/examples/two.csv │ 3 │        10 │ multinomial │         1 │  2.80307 │           -6.32286 │              2.45578 │  8.77864 │       24.3478 │ counts
//	 file:experiments/particles/examples/two.csv │ 3 │        30 │ multinomial │         1 │  2.52525 │           -5.73857 │              1.45751 │  7.19608 │       8.11595 │ counts
//	 file:experiments/particles/examples/two.csv │ 3 │       100 │ multinomial │         1 │  1.74694 │            -4.3211 │             0.449771 │  4.77087 │       2.43478 │ counts
//
// # Where there is no exact route
//
// The law of the particles together has as many entries as there are multisets of P states: 1,225 of two particles on 49
// states, 20,825 of three. Particles on two or three states need only be counted, and those that are never resampled are
// independent; any number of them is exact. Beyond a stated size the numbers are NaN, and a note says what would have to
// be smaller. The relative variance is exact for any P all the same where the multinomial scheme resamples at every stage,
// and simulation adds estimates, the same numbers for any number of workers.
//
//	breadboard smc --toy barrier --particles 10,100,1000
//	breadboard smc --toy easy -T 20 --particles 10 --resample systematic --threshold 0.5 --chains 1e4
//
// A sweep runs the study as study = "smc", with the parameters particles, resample and threshold.
//
// Sources: Del Moral, Doucet and Jasra 2006; Andrieu, Doucet and Holenstein 2010; Cusumano-Towner and Mansinghka 2017,
// supplement, section A.
package particles
