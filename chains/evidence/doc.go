// Package evidence answers: what does an estimator of the marginal likelihood do? Each estimator is in a file of its own, and
// is written once, against a chains.Chooser: it is then sampled, enumerated, or run with given outcomes. The exact laws of
// what they return are in package exact/evidence. The package never says how good an estimate is.
//
// Source: Grosse, Ghahramani and Adams 2015, sections 3 to 5.
package evidence
