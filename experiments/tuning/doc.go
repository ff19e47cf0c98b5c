// Package tuning answers: which schedule is best, and how much worse are others? It finds the best schedules of
// annealings by exact gradients and sets families of schedules beside them. It never prints, draws or reads flags.
//
// # What it finds
//
// On BARRIER at T = 100 the schedule of constant friction speed, which nothing beats as T grows, is far worse than
// the linear one:
//
//	$ breadboard schedule compare --toy barrier -T 100 --schedule linear,sigmoid,fisher,friction,optimal:B,optimal:J
//	 toy     │   T │ schedule  │ B (nats) │ J (nats) │ B/best │ J/best │ T B, T large
//	─────────┼─────┼───────────┼──────────┼──────────┼────────┼────────┼──────────────
//	 barrier │ 100 │ linear    │  1.81043 │  1.64786 │ 1.1497 │ 1.1447 │    165973.13
//	 barrier │ 100 │ sigmoid:4 │  1.79677 │  1.66284 │  1.141 │ 1.1551 │   136234.139
//	 barrier │ 100 │ fisher    │  1.70608 │  1.58971 │ 1.0834 │ 1.1043 │   286693.735
//	 barrier │ 100 │ friction  │  2.61272 │  1.83382 │ 1.6591 │ 1.2739 │   69972.6709
//	 barrier │ 100 │ optimal:B │  1.57475 │  1.46886 │      1 │ 1.0204 │   69972.6709
//	 barrier │ 100 │ optimal:J │  1.77362 │  1.43956 │ 1.1263 │      1 │
//
// The last column is the limit of T B as T grows: the integral of s2 (db/du)^2, s2 the asymptotic variance of the
// kernel; the least of all schedules is (integral of sqrt(s2))^2.
//
// The best schedule for J may stand still, so that the kernel moves again and again under one distribution, and make
// its way in a few leaps: on EASY at T = 1000, J falls from 0.00518 to 6.2e-6, by cancelling one slow mode after
// another:
//
//	breadboard schedule optimize --toy easy -T 1000 --objective J
package tuning
