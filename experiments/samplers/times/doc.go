// Package times answers: after how many moves does a chain forget where it began? It gives the mixing time, the least k with
// MI(x_k; x_0) <= bound for x_0 from the target, and the burn-in time, the least k with TV(law of x_k, target) <= bound for x_0 from a
// start. It never prints, draws or reads flags.
//
// Source: Turner and Neal 2017, section 4.4.
package times
