// Package evidence answers: which way is an estimator of the marginal likelihood wrong on a target, by how much, how often, and what
// does it cost? It gives every estimator the largest setting that a given work pays for, and finds the exact law of what it returns.
// It never prints, draws or reads flags.
//
// # What is computed
//
// An estimator returns Z-hat, an estimate of Z = Z_T/Z_1: of the marginal likelihood of the data where the annealing starts from the
// prior of a model. Its bias is E log Z-hat - log Z, and its RMSE the root of E (log Z-hat - log Z)^2, all in nats. Unbiased estimates
// of Z are too low on average after the logarithm, and unbiased estimates of 1/Z too high (Jensen's inequality): AIS and its
// reverse enclose log Z.
//
//	$ breadboard evidence --toy clu8 --estimator lw,hme,ais,rais,cms,ns,vb --work 100
//
// A work is a number of evaluations of log f, asked as of a black box, and of exact draws. Every estimator takes the largest setting
// that costs no more, or its smallest one where that costs more; the column work says what it costs on average.
//
// # What a spread does not show
//
// The two clusters of clu8 are alike, so that a state and the one with the clusters renamed have the same probability. The
// Chib-Murray-Salakhutdinov estimator, from a chain that stays near one of the two, finds half of Z. Its spread is small, and does not
// betray it.
//
//	$ breadboard evidence --toy clu8 --estimator cms --work 48,1000
//
// # Nested sampling and ties
//
// Particles of the same likelihood, which a continuous model never has, must be told apart. With a label they are, and the volumes
// 1 - 1/K make the estimate unbiased. Where draws are strictly above the level instead, the volume shrinks faster than the estimator
// thinks, and more particles do not mend it.
//
//	$ breadboard evidence --toy barrier --estimator ns:2,ns:100,ns:2:label:unbiased,ns:2:strict,ns:100:strict
//
// # What combining gains
//
// Several estimates are combined as footnote 5 of the paper does: by the mean of Z-hat where that is unbiased, by the harmonic mean where
// 1/Z-hat is, by the largest of lower bounds, and by the mean of log Z-hat for nested sampling.
//
//	$ breadboard evidence --toy clu4 --estimator ais,rais,vb --work 10 --trials 1,25
//
// # Where there is no exact route
//
// A number that is not known is NaN, and a note says what would have to be smaller; where a law cannot be computed at all the row has an
// error instead, and the others still come. The probability of an overestimate by more than a nat lies in a bracket; the row has its
// middle, and a note its half width where that is above 1e-9. Runs of the estimators are there for any of them:
//
//	breadboard evidence --toy clu4 --estimator ns:3:together --work 100 --chains 1e4
//
// Source: Grosse, Ghahramani and Adams 2015, sections 3 to 6.
package evidence

// paper is the source of the estimators.
const paper = "Grosse, Ghahramani and Adams 2015"
