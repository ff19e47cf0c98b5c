// Package gap answers: which stages contribute to B - J, and how much? It gives the gap B - J of annealings stage by stage, and checks that
// the stages add up. It never prints, draws or reads flags.
//
// B - J is divided exactly among the stages, in both directions. The table for people sums them over runs of stages;
// csv, json and parquet have every stage. B - J, J and B are its last rows:
//
//	$ breadboard gap --toy barrier -T 5
//	 toy     │ T │ stages │ beta │  forward │   reverse │     both │ so far │ Jeffreys at t
//	─────────┼───┼────────┼──────┼──────────┼───────────┼──────────┼────────┼───────────────
//	 barrier │ 5 │ 2      │ 0.25 │ 0.258658 │  0.116086 │ 0.374745 │ 30.9%  │       2.71673
//	 barrier │ 5 │ 3      │  0.5 │ 0.281323 │ 0.0691468 │  0.35047 │ 59.8%  │       2.53674
//	 barrier │ 5 │ 4      │ 0.75 │ 0.244465 │ 0.0410779 │ 0.285543 │ 83.34% │       2.30821
//	 barrier │ 5 │ 5      │    1 │ 0.178316 │ 0.0237258 │ 0.202042 │ 100%   │       2.10617
//	 barrier │ 5 │ B - J  │      │ 0.962762 │  0.250037 │   1.2128 │        │
//	 barrier │ 5 │ J      │      │  1.21514 │   0.89103 │  2.10617 │        │
//	 barrier │ 5 │ B      │      │   2.1779 │   1.14107 │  3.31897 │        │
package gap
