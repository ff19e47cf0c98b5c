// Package representations answers: in which representation of a model is annealing best at sizes at which nothing can be enumerated, by
// the number of steps and by the time on the clock? It never prints, draws or reads flags.
//
// The representations of a model differ in the variables that are integrated out. They have the same data, the same p(y) and the same exact
// draw from the posterior, so that their bounds B = upper - lower can be compared with one another. As p(y) is the same, no lower end may be
// above any upper end by more than chance, which is tested.
//
// Package represent does the same exactly, for models whose states can be enumerated.
//
// Source: Grosse, Ancha and Roy 2016, section 5.2.1 and figure 2.
package representations
