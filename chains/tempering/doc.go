// Package tempering answers: how does parallel tempering move? Replicas stand on a ladder, which is the path and the schedule of an annealing:
// one at each of its T distributions, all at once. A scan explores, by one move of the kernel at every rung, and then offers swaps to pairs of
// neighbours. It is written against a chains.Chooser, so that the same code is sampled and enumerated. It never tunes a ladder, and it never says
// how fast replicas travel or how good the cold chain is: package exact/replicas does.
//
// # Conventions
//
// Rung i = 0..N stands at b_(i+1) of the annealing, so b = 0 at rung 0 and b = 1 at rung N. The state x has at x[i] what stands at rung i: a swap
// exchanges contents, and whoever is tagged travels with the content. The even pairs are (0,1), (2,3), ..., the odd ones (1,2), (3,4), ...
// The stationary law of x is the product of the distributions of the rungs.
//
// Sources: Swendsen and Wang 1986; Geyer 1991; Okabe et al. 2001 for DEO; Syed, Bouchard-Cote, Deligiannidis and Doucet 2022.
package tempering
