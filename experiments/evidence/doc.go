// Package evidence answers: which way is an estimator of the marginal likelihood wrong on a target, by how much, how often, and what
// does it cost? It gives every estimator the largest setting that a given work pays for, and finds the exact law of what it returns.
// It never prints, draws or reads flags.
//
// # What is computed
//
// An estimator returns Z-hat, an estimate of Z = Z_T/Z_1: of the marginal likelihood of the data where the annealing starts from the
// prior of a model. Its bias is E log Z-hat - log Z, and its RMSE the root of E (log Z-hat - log Z)^2, all in nats. Unbiased estimates
// of Z are too low on average after the logarithm, and unbiased estimates of 1/Z too high (Jensen's inequality): AIS and its
// reverse enclose log Z.
//
//	$ breadboard evidence --toy clu8 --estimator lw,hme,ais,rais,cms,ns,vb --work 100
//	 toy  │ estimator │ settings   │  work │ needs exact draw │ bound │ log Z (nats) │ E log Zhat (nats) │ bias (nats) │ sd (nats) │ RMSE (nats) │ log E Zhat (nats) │ P(> +1) │ method
//	──────┼───────────┼────────────┼───────┼──────────────────┼───────┼──────────────┼───────────────────┼─────────────┼───────────┼─────────────┼───────────────────┼─────────┼───────────
//	 clu8 │ lw        │ K=100      │   100 │ no               │ lower │     -19.0106 │          -19.7795 │     -0.7689 │     1.733 │       1.896 │          -19.0106 │ 0.03378 │ transform
//	 clu8 │ hme       │ K=50       │   100 │ yes              │ upper │     -19.0106 │          -16.1251 │       2.885 │     1.293 │       3.162 │          -15.6037 │ 0.94    │ transform
//	 clu8 │ ais       │ T=13       │    97 │ no               │ lower │     -19.0106 │          -20.2232 │      -1.213 │     1.741 │       2.122 │          -19.0106 │ 0.09    │ annealing
//	 clu8 │ rais      │ T=13       │    98 │ yes              │ upper │     -19.0106 │          -18.0584 │      0.9522 │     1.216 │       1.544 │          -17.4573 │ 0.52    │ annealing
//	 clu8 │ cms       │ K=6        │    96 │ no               │ lower │     -19.0106 │          -19.7037 │     -0.6931 │   0.01025 │      0.6932 │          -19.0106 │ 3.56e-6 │ transform
//	 clu8 │ ns        │ K=9        │ 96.34 │ yes              │ none  │     -19.0106 │          -18.7764 │      0.2342 │    0.6443 │      0.6855 │          -18.5755 │ 0.12    │ transform
//	 clu8 │ vb        │ restarts=1 │ 300.1 │ no               │ lower │     -19.0106 │          -20.0215 │      -1.011 │    0.9596 │       1.394 │          -19.9442 │ 0       │ starts
//
// A work is a number of evaluations of log f, asked as of a black box, and of exact draws. Every estimator takes the largest setting
// that costs no more, or its smallest one where that costs more; the column work says what it costs on average.
//
// # What a spread does not show
//
// The two clusters of clu8 are alike, so that a state and the one with the clusters renamed have the same probability. The
// Chib-Murray-Salakhutdinov estimator, from a chain that stays near one of the two, finds half of Z. Its spread is small, and does not
// betray it.
//
//	$ breadboard evidence --toy clu8 --estimator cms --work 48,1000
//	 toy  │ estimator │ settings │ work │ needs exact draw │ bound │ log Z (nats) │ E log Zhat (nats) │ bias (nats) │ sd (nats) │ RMSE (nats) │ log E Zhat (nats) │ P(> +1)  │ method
//	──────┼───────────┼──────────┼──────┼──────────────────┼───────┼──────────────┼───────────────────┼─────────────┼───────────┼─────────────┼───────────────────┼──────────┼───────────
//	 clu8 │ cms       │ K=3      │   48 │ no               │ lower │     -19.0106 │          -19.7037 │     -0.6931 │  0.009543 │      0.6932 │          -19.0106 │ 1.418e-6 │ transform
//	 clu8 │ cms       │ K=62     │  992 │ no               │ lower │     -19.0106 │          -19.7035 │     -0.6929 │   0.01923 │      0.6931 │          -19.0106 │ < 2.4e-5 │ transform
//
// # Nested sampling and ties
//
// Particles of the same likelihood, which a continuous model never has, must be told apart. With a label they are, and the volumes
// 1 - 1/K make the estimate unbiased. Where draws are strictly above the level instead, the volume shrinks faster than the estimator
// thinks, and more particles do not mend it.
//
//	$ breadboard evidence --toy barrier --estimator ns:2,ns:100,ns:2:label:unbiased,ns:2:strict,ns:100:strict
//	 toy     │ estimator           │ settings │  work │ needs exact draw │ bound │ log Z (nats) │ E log Zhat (nats) │ bias (nats) │ sd (nats) │ RMSE (nats) │ log E Zhat (nats) │ P(> +1)   │ method
//	─────────┼─────────────────────┼──────────┼───────┼──────────────────┼───────┼──────────────┼───────────────────┼─────────────┼───────────┼─────────────┼───────────────────┼───────────┼───────────
//	 barrier │ ns:2                │ K=2      │ 8.778 │ yes              │ none  │      1.44461 │           1.75455 │      0.3099 │    0.6378 │      0.7091 │           1.94321 │ 0.1481    │ transform
//	 barrier │ ns:100              │ K=100    │ 438.9 │ yes              │ none  │      1.44461 │           1.45282 │    0.008208 │    0.1115 │      0.1118 │           1.45903 │ 4.508e-23 │ transform
//	 barrier │ ns:2:label:unbiased │ K=2      │ 8.778 │ yes              │ none  │      1.44461 │           1.03381 │     -0.4108 │    0.9327 │       1.019 │           1.44461 │ 0.03374   │ transform
//	 barrier │ ns:2:strict         │ K=2      │ 6.061 │ yes              │ none  │      1.44461 │           2.21984 │      0.7752 │    0.3408 │      0.8468 │           2.27744 │ 0.2605    │ transform
//	 barrier │ ns:100:strict       │ K=100    │ 303.1 │ yes              │ none  │      1.44461 │           2.04357 │       0.599 │   0.05861 │      0.6018 │           2.04529 │ 1.818e-12 │ transform
//
// # What combining gains
//
// Several estimates are combined as footnote 5 of the paper does: by the mean of Z-hat where that is unbiased, by the harmonic mean where
// 1/Z-hat is, by the largest of lower bounds, and by the mean of log Z-hat for nested sampling.
//
//	$ breadboard evidence --toy clu4 --estimator ais,rais,vb --work 10 --trials 1,25
//	 toy  │ estimator │ settings   │ combined      │  work │ needs exact draw │ bound │ log Z (nats) │ E log Zhat (nats) │ bias (nats) │ sd (nats) │ RMSE (nats) │ log E Zhat (nats) │   P(> +1) │ method
//	──────┼───────────┼────────────┼───────────────┼───────┼──────────────────┼───────┼──────────────┼───────────────────┼─────────────┼───────────┼─────────────┼───────────────────┼───────────┼───────────
//	 clu4 │ ais       │ T=3        │               │     9 │ no               │ lower │     -4.50106 │          -4.50116 │  -0.0001034 │   0.01435 │     0.01435 │          -4.50106 │ < 1.6e-11 │ annealing
//	 clu4 │ ais       │ T=3        │ 25 arithmetic │   225 │ no               │ lower │     -4.50106 │          -4.50106 │   -4.167e-6 │  0.002886 │    0.002886 │          -4.50106 │           │ annealing
//	 clu4 │ rais      │ T=3        │               │    10 │ yes              │ upper │     -4.50106 │          -4.50096 │   0.0001038 │   0.01444 │     0.01444 │          -4.50085 │ < 1.6e-11 │ annealing
//	 clu4 │ rais      │ T=3        │ 25 harmonic   │   250 │ yes              │ upper │     -4.50106 │          -4.50106 │    4.119e-6 │   0.00287 │     0.00287 │          -4.50105 │           │ annealing
//	 clu4 │ vb        │ restarts=1 │               │  39.5 │ no               │ lower │     -4.50106 │          -4.51925 │    -0.01819 │         0 │     0.01819 │          -4.51925 │         0 │ starts
//	 clu4 │ vb        │ restarts=1 │ 25 maximum    │ 987.5 │ no               │ lower │     -4.50106 │          -4.51925 │    -0.01819 │         0 │     0.01819 │          -4.51925 │         0 │ starts
//
// # Where there is no exact route
//
// A number that is not known is NaN, and a note says what would have to be smaller; where a law cannot be computed at all the row has an
// error instead, and the others still come. The probability of an overestimate by more than a nat lies in a bracket; the row has its
// middle, and a note its half width where that is above 1e-9. Runs of the estimators are there for any of them:
//
//	breadboard evidence --toy clu4 --estimator lw,cms:first,ns:2:together --work 30 --chains 1e4
//
// Source: Grosse, Ghahramani and Adams 2015, sections 3 to 6.
package evidence

// paper is the source of the estimators.
const paper = "Grosse, Ghahramani and Adams 2015"
