// Package records answers: do records of somebody's program follow the exact law of what it should do, and if not, which known
// mistake do they follow? A record is a row of whole numbers and of real ones that come from a list of values. It knows no
// algorithm: the kinds of records come with their laws, as those of particles and of tempering do.
//
// Tests are e-processes, so that one may look as often as one likes. It never draws, and never runs a program.
package records
