// Package samplers answers: how well does a sampler really work? It is the benchmark of Turner and
// Neal (2017) with exact numbers instead of noisy ones. A problem is a kernel on a target, with the
// distributions from which its chains start and the functions whose averages they estimate. Each
// subpackage answers one question about problems. It never prints, draws or reads flags.
//
// # Errors
//
// Errors answers: how far are the averages of a chain from the truth, and how many independent
// draws would be as good? It gives the exact errors of the mean, the variance and the empirical
// distribution of N samples, and from them the real effective sample size (RESS).
//
// A row has the error from a start and that from the target itself: the latter is due to mixing,
// the difference to burn-in. On BARRIER ten thousand samples of metropolis are worth less than one
// independent draw, because chains stay in the quadrant in which they start:
//
//	$ breadboard samplers errors --toy barrier --kernel metropolis,heatbath --start uniform -N 1,1e4 --columns kernel,N,ress_mean,ress_var
//	 kernel     │     N │ RESS mean │ RESS var
//	────────────┼───────┼───────────┼──────────
//	 metropolis │     1 │     0.287 │
//	 metropolis │ 10000 │    0.2903 │    10.69
//	 heatbath   │     1 │     0.287 │
//	 heatbath   │ 10000 │      2296 │     2159
//
// A constant scores too: the variance estimated as zero has the RESS R/1 = 4.67, the column
// ress_of_constant. In a chain that stays in any one quadrant the variance is about a third of the
// truth. It scores like any constant of that size: a RESS of 10.7 without any information.
//
// Source: Turner and Neal 2017, sections 4.4 and 4.6, Eqs. 4 to 6.
//
// # Laws
//
// Laws answers: how often does a sampler succeed, and how often does R-hat miss an error? It gives
// the exact distribution of the mean of a chain, and of several independent chains, for kernels,
// starts, functions and numbers of samples.
//
// Several chains succeed if their real effective sample size, their number divided by the sum of
// their squared errors, is at least 12; a study of simulated chains can see no more. The mean of
// all samples is wrong if it is off by more than half a standard deviation.
//
//	$ breadboard samplers laws --toy barrier --function "x0<=1,x0" --columns kernel,function,p_success,p_assured_and_wrong_1_01,p_constant
//	 kernel     │ function │ P(success) │ and wrong │  constant
//	────────────┼──────────┼────────────┼───────────┼───────────
//	 metropolis │ x0<=1    │    0.00123 │  5.719e-5 │  0.003821
//	 metropolis │ x0       │   0.001481 │           │
//	 heatbath   │ x0<=1    │     0.7219 │  1.145e-7 │ 5.076e-41
//	 heatbath   │ x0       │     0.4687 │           │
//
// Metropolis stays on one side of the barrier for more than 100 moves. Its nominal intervals always
// cover the truth, because its tau is larger than N. Its eight chains hardly ever succeed. R-hat
// fails to show it 6 times in 100,000 with values below 1.01, and 4 times in a thousand because no
// chain ever changes.
//
// Source: Turner and Neal 2017, sections 4.6 and 5, Eqs. 4, 8 and 9; Gelman and Rubin 1992; Vehtari
// et al. 2021 for the limit 1.01.
//
// # Times
//
// Times answers: after how many moves does a chain forget its start? It gives the mixing time, the
// least k with MI(x_k; x_0) <= bound for x_0 from the target, and the burn-in time, the least k
// with TV(distribution of x_k, target) <= bound for x_0 from a start.
//
//	$ breadboard samplers times --kernel metropolis,heatbath
//	 toy     │ kernel     │ start   │ MI <= 0.01 nats after (moves) │ TV <= 0.01 after (moves)
//	─────────┼────────────┼─────────┼───────────────────────────────┼──────────────────────────
//	 easy    │ metropolis │ uniform │                           627 │                      563
//	 easy    │ heatbath   │ uniform │                            20 │                       29
//	 hard    │ metropolis │ uniform │                   10231690122 │              18286009869
//	 hard    │ heatbath   │ uniform │                          1109 │                     2819
//	 barrier │ metropolis │ uniform │                       1329588 │                  2931593
//	 barrier │ heatbath   │ uniform │                             6 │                       14
//
// Source: Turner and Neal 2017, section 4.4.
package samplers
