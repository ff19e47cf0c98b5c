// Package logweights answers: how are log weights distributed, and what does averaging weights gain? It gives the law
// of the log weight of annealings, its tails and quantiles, and the expected bounds of many samples. It never prints,
// draws or reads flags.
//
// # What averaging gains
//
// With several samples a row has the distances from log R = log(Z_T/Z_1), in expectation and exactly: how far the log
// of the mean of K forward weights lies below it, the harmonic mean of K reverse ones above it, and one reverse with
// K-1 forward ones above it.
//
//	$ breadboard weights --toy barrier -T 100 --samples 1,10,100,1000
//	 toy     │   T │    K │   log R │ forward, below │ reverse, above │ mixed, above │   error
//	─────────┼─────┼──────┼─────────┼────────────────┼────────────────┼──────────────┼─────────
//	 barrier │ 100 │    1 │ 1.44461 │       0.970381 │       0.840052 │     0.840052 │ 3.8e-12
//	 barrier │ 100 │   10 │ 1.44461 │       0.129494 │       0.189728 │     0.110726 │ 2.1e-12
//	 barrier │ 100 │  100 │ 1.44461 │      0.0109616 │       0.017886 │    0.0108061 │   2e-12
//	 barrier │ 100 │ 1000 │ 1.44461 │     0.00107902 │     0.00176571 │   0.00107751 │ 1.9e-12
//
// K = 1 is known for every target. The row of another K, whose log weights may spread too far, is then empty, and its
// note says why.
//
// The law of a single pair of chains says how often it reports less than J (38% on BARRIER at T = 100) or less than
// zero (15%).
package logweights
