// Package rank answers: which sampler is best, and where? It sets kernels on the same targets side by side at equal work, counted in
// evaluations of log f, by the exact real effective sample sizes (RESS) of what they estimate. It never prints, draws or reads flags.
//
// An example is a target with a start and a function. NESS is RESS over the median number of samples of the competitors on the same
// example, so that examples of different cost can be averaged. Work says nothing of the time that one evaluation or one move takes.
//
//	$ breadboard samplers rank --toy easy,hard,barrier --kernel metropolis,jump:0.1,heatbath-scan
//	 kernel        │ examples │ mean rank │ wins │ NESS mean │ its median │ NESS variance │ NESS CvM │ P(success) │  RESS/N │ warm-up pays
//	───────────────┼──────────┼───────────┼──────┼───────────┼────────────┼───────────────┼──────────┼────────────┼─────────┼──────────────
//	 heatbath-scan │        3 │      1.33 │    2 │    0.0285 │     0.0232 │        0.0289 │   0.0348 │      0.679 │   0.278 │        0.333
//	 jump:0.1      │        3 │      1.67 │    1 │    0.0116 │     0.0122 │         0.012 │   0.0209 │      0.971 │  0.0122 │            0
//	 metropolis    │        3 │         3 │    0 │  0.000658 │    3.18e-5 │       0.00174 │ 0.000835 │      0.293 │ 3.18e-5 │            0
//	 toy     │ best kernel   │     N │  RESS │     NESS │ P(success) │ by       │ best dropped │ its gain │ next best     │ its RESS
//	─────────┼───────────────┼───────┼───────┼──────────┼────────────┼──────────┼──────────────┼──────────┼───────────────┼──────────
//	 easy    │ heatbath-scan │   834 │   232 │   0.0232 │          1 │ Gaussian │            0 │        1 │ jump:0.1      │      122
//	 hard    │ jump:0.1      │ 10000 │ 20.72 │ 0.002072 │     0.9133 │ Gaussian │            0 │        1 │ heatbath-scan │    3.715
//	 barrier │ heatbath-scan │   834 │   620 │    0.062 │          1 │ Gaussian │            0 │        1 │ jump:0.1      │    206.8
//
// Source: Turner and Neal 2017, sections 4.6 and 5, Eqs. 4 to 7, Table 1 and Figure 2.
package rank
