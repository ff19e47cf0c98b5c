// Package aide answers: what does AIDE say of two inference algorithms, and how far is that from the truth? AIDE estimates
// the symmetric Kullback-Leibler divergence between their outputs, and is an upper bound in expectation (Cusumano-Towner and
// Mansinghka 2017). On a finite space its mean, its standard deviation and the divergence are exact. It never prints, draws or
// reads flags.
//
// # What is computed
//
// An algorithm draws a trace u and an output x from q(u, x); meta-inference draws a trace from r(u; x) for a given output. AIDE
// runs both algorithms, the target a and the gold standard b, and adds up
//
//	log q_a(x)/q_b(x) + log S_a - log S_b at the output x of the target, and
//	log q_b(y)/q_a(y) + log S_b - log S_a at the output y of the gold standard,
//
// where S is the mean of q(u_k | x)/r(u_k; x) over M traces. In each half the output's own algorithm uses the trace with which
// it came to the output as the first of its M; all other traces come from meta-inference. A density has no trace, and S is one.
//
//	$ breadboard aide --target ais --gold exact --toy barrier -T 100
//	 toy     │   T │ target │ gold  │ meta │ J (nats) │ AIDE (nats) │ sd (nats) │ bias (nats) │ method
//	─────────┼─────┼────────┼───────┼──────┼──────────┼─────────────┼───────────┼─────────────┼───────────
//	 barrier │ 100 │ ais    │ exact │    1 │  1.64786 │     1.81043 │   1.66932 │      0.1626 │ annealing
//	 barrier │ 100 │ ais    │ exact │   10 │  1.64786 │      1.6713 │   1.59996 │     0.02344 │ annealing
//	 barrier │ 100 │ ais    │ exact │  100 │  1.64786 │     1.65041 │   1.58873 │    0.002544 │ annealing
//
// The mean falls with M and reaches J. With M = 1 and an exact gold standard it is the bound B of tightness. One half is then
// enclosed on both sides: kl_q_p_lower <= KL(target||gold) <= kl_q_p_upper.
//
// A Markov chain under its target is not seen at all with M = 1: its AIDE is the divergence of the initial distribution from the
// target, whatever the number of its moves.
//
//	$ breadboard aide --target mh:100 --toy easy --meta 1,100
//	 toy  │   T │ target │ gold  │ meta │ J (nats) │ AIDE (nats) │ sd (nats) │ bias (nats) │ method
//	──────┼─────┼────────┼───────┼──────┼──────────┼─────────────┼───────────┼─────────────┼────────
//	 easy │ 100 │ mh:100 │ exact │    1 │ 0.129071 │     3.22238 │   2.55276 │       3.093 │ moves
//	 easy │ 100 │ mh:100 │ exact │  100 │ 0.129071 │    0.430959 │  0.971311 │      0.3019 │ moves
//
// # The first trace
//
// Some programs leave the trace of the run out and take all M from meta-inference. What they compute can be below J, and bounds
// nothing; WithoutFirstTrace says what they find.
//
// Two algorithms are compared output by output, so that both must have the same outputs. Where one of them never returns an
// output that the other does, J is infinite, and a note says which and with what mass.
//
// # An algorithm of one's own
//
// Anything that implements chains/particle.Algorithm can be enumerated by exact/smc.Enumerate, whose findings say whether its
// meta-inference is right and for which output it is not (an example of exact/smc does it); Check asks this of the algorithms that have a selector.
//
// With annealed kernels that mix perfectly, Eq. 46 of the paper's supplement gives the divergence between the traces of a run and
// those of meta-inference as a sum of KL(p_{t-1}||p_t). Enumeration finds the sum over t = 1..T-1; the range 2..T that is printed
// there misses the first term.
//
// # Comparisons
//
// Comparisons answers: how do the algorithms that AIDE was shown with compare on problems of those kinds, exactly? It has
// four studies, after figures 2 to 5 of Cusumano-Towner and Mansinghka 2017: regression, a hidden Markov model, a bimodal
// target and a mixture. What has no exact route is sampled where chains are asked for, and is then marked so. It never prints,
// draws or reads flags.
//
// # What an error of the log marginal likelihood hides
//
// Importance resampling from a proposal that misses one of two modes has a log marginal likelihood that is off by little, since
// half the mass is half the mass: E log Zhat - log Z is about -log 2. J sees that the other mode is missing, and so does AIDE.
//
//	$ breadboard aide study bimodal --meta 1
//	 study   │ algorithm │ particles │ meta │          J │       AIDE │        sd │    lml error │     probe │ method
//	─────────┼───────────┼───────────┼──────┼────────────┼────────────┼───────────┼──────────────┼───────────┼──────────
//	 bimodal │ broad     │         1 │    1 │    1.78869 │    1.78869 │   2.15791 │     -1.20188 │   0.52381 │ integral
//	 bimodal │ broad     │        10 │    1 │  0.0100819 │   0.119343 │  0.493013 │   -0.0627958 │  0.500357 │ integral
//	 bimodal │ broad     │       100 │    1 │ 7.01017e-5 │  0.0110282 │  0.148522 │   -0.0055381 │  0.500278 │ integral
//	 bimodal │ broad     │      1000 │    1 │ 6.80707e-7 │ 0.00109541 │ 0.0468063 │ -0.000547942 │  0.500273 │ integral
//	 bimodal │ offset    │         1 │    1 │    6.46558 │    6.46558 │    6.7676 │    -0.814366 │ 0.0115236 │ integral
//	 bimodal │ offset    │        10 │    1 │    5.13669 │     5.1545 │   5.71459 │    -0.681706 │ 0.0104056 │ integral
//	 bimodal │ offset    │       100 │    1 │    3.97737 │    3.99929 │   4.68291 │    -0.641773 │ 0.0306157 │ integral
//	 bimodal │ offset    │      1000 │    1 │    2.83027 │    2.87727 │   3.68535 │    -0.567972 │ 0.0789265 │ integral
//
// # Rejuvenation
//
// A Gibbs scan over the points that are assigned, after each step of the filter of a mixture, makes its output all but exact with
// a single particle. AIDE with one meta-inference run does not see it, as it does not see the moves of a Markov chain; the
// column rejuvenate says which rows have the scans.
package aide
