// Package placement answers: where on a path should the distributions of an annealing sit? It places them by families of
// schedules, some of which look at the path and the kernel, and finds the best of all schedules. It never simulates: every
// quantity that a schedule is made from is exact.
//
// Optimize finds where B, J or a one-sided divergence is smallest, over all schedules that never decrease. It descends from
// several starts on the exact gradient by every beta, which the adjoint of the propagation gives at the price of about five
// solves (package gradient).
package placement
