// Package rank answers: which sampler is best, and where? It sets kernels on the same targets side by side at equal work, counted in
// evaluations of log f, by the exact real effective sample sizes (RESS) of what they estimate. It never prints, draws or reads flags.
//
// Source: Turner and Neal 2017, sections 4.6 and 5, Eqs. 4 to 7, Table 1 and Figure 2.
package rank
