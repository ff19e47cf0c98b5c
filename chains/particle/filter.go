package particle

// Filter is a flow of particles that keep their whole past: the data come one at a time, and the state of a particle at stage t is all that
// it has drawn up to the t-th of them. So its states are the nodes of a tree, which is what exact laws of filters are computed on.
type Filter interface {
	Flow
	// States returns the number of states at stage t = 1..n+1.
	States(t int) int
	// Parent returns the state at stage t-1 >= 1 of which a state at stage t is a continuation.
	Parent(t, x int) int
	// Types returns the number of types of states at stage t. States of one type weigh the same at stage t, and move to states of
	// the same types with the same probabilities.
	Types(t int) int
	// Type returns the type of a state at stage t, as a number from 0.
	Type(t, x int) int
}

// Proposal says how a filter proposes what belongs to the next datum.
type Proposal int

const (
	// Prior proposes by the model without the datum, and weighs by the likelihood of the datum.
	Prior Proposal = iota
	// Optimal proposes by the conditional law given the past and the datum, and weighs by the probability that the past gives
	// to the datum. Of all proposals it has the least variance of the weight given the past.
	//
	// Source: Doucet, Godsill and Andrieu 2000, proposition 2.
	Optimal
)

// String returns the name of a proposal.
func (p Proposal) String() string {
	if p == Optimal {
		return "optimal"
	}
	return "prior"
}
