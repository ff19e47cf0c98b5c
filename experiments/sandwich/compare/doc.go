// Package compare answers: how wrong is each estimator of the marginal likelihood of data of any size, and how long does it take? It never
// prints, draws or reads flags, and runs nothing itself: a comparison is a sweep of the study of package sandwich, whose results it sums up.
//
// Each estimator has one knob, which goes up a ladder as far as the budget of the estimator on a data set allows, with some independent
// trials at each step. The ground truth is the middle of annealing forward and in reverse with the largest T of both. The trials that it
// comes from have no error against it.
//
// The budget is in seconds of the machine on which the README's times were measured, by an estimate, so that the same question always has the same
// trials. What trials took on the clock is measured.
//
// Source: Grosse, Ghahramani and Adams 2015, sections 6.2 to 6.4.
package compare
