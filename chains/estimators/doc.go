// Package estimators answers: what does an estimator of the marginal likelihood do? Each estimator is in a file of its own, and
// is written once, against a chains.Chooser: it is then sampled, enumerated, or run with given outcomes. The exact laws of
// what they return are in package exact/laws. The package never says how good an estimate is.
//
// # The estimators
//
// Z is the sum over all states of prior times likelihood. What an estimator asks of a model is in Model; Finite is the Model of the
// annealings of this library. Data, of which Growing is the one on lattices, is for those that take the data one after another.
//
//	NewLikelihoodWeighting   K draws from the prior                            E Z-hat = Z
//	NewHarmonicMean          K exact draws                                     E 1/Z-hat = 1/Z where L > 0
//	NewHarmonicChain         a chain of K places from an exact draw            E 1/Z-hat = 1/Z where L > 0
//	NewAnnealed              one chain over T distributions                    E Z-hat = Z
//	NewReverseAnnealed       the same back, from an exact draw                 E 1/Z-hat = 1/Z
//	NewSequential            one particle along the data                       E Z-hat = Z
//	NewReverseSequential     the same back, from an exact draw                 E 1/Z-hat = 1/Z
//	NewChib                  K exact draws, and a state z*                     E 1/Z-hat = 1/Z
//	NewChibChain             a chain of K places from the prior                no such claim
//	NewMurraySalakhutdinov   a chain of K places with one drawn back from z*   E Z-hat = Z for StartUniform
//	NewNested                K particles from the prior                        E Z-hat = Z for VolumeUnbiased and TiesLabel
//	NewNestedClimb           the same by copies, for all volumes and stops     no such claim
//	NewRestarts              the best of several ascents of a Climber          Z-hat <= Z for NewMeanField and NewVariationalBayes
//	Best                     the best of several ascents of an Ascender        as the ascents
//
// An ascent of NewBIC gives no bound, and one with LogFactorial adds log K! to its bound, which may then be above log Z. The claims of
// means are for priors and posteriors that are zero at the same states; each estimator says what is missing elsewhere. By Jensen's
// inequality E log Z-hat is at most log Z where E Z-hat = Z, and at least log Z where E 1/Z-hat = 1/Z.
//
// Work counts evaluations of log f as of a black box, and exact draws.
//
// Source: Grosse, Ghahramani and Adams 2015, sections 3 to 5.
package estimators
