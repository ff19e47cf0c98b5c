package estimators

import (
	"fmt"

	"breadboard/chains"
)

// Data is what one-particle sequential Monte Carlo asks of a model whose data come one after another, each with latent variables of
// its own. A state S holds the latent variables of the first t data; the zero S is the state of no data.
//
// A move is a part of a scan, such as one axis drawn given the others. It leaves the posterior of the first t data invariant.
type Data[C chains.Chooser, S comparable] interface {
	// Data returns the number N of data.
	Data() int
	// Posterior draws the latent variables of the first t data, 1 <= t <= N, from their posterior given these data, exactly.
	Posterior(c C, t int) S
	// Extend draws the latent variables of datum t by a proposal q, given those of the data before it. It also returns the
	// logarithm of the weight p(z_1:t, y_1:t)/(p(z_1:t-1, y_1:t-1) q(z_t)), in nats: -Inf where the state has no mass.
	Extend(c C, t int, q Proposal, s S) (next S, logWeight float64)
	// Drop forgets the latent variables of datum t. It also returns the logarithm of the weight with which Extend comes from there
	// to s: +Inf where it never does, or where the state has no mass.
	Drop(t int, q Proposal, s S) (before S, logWeight float64)
	// Moves returns the number of moves of a scan over the first t data. It is zero for t = 1 where a datum brings all that there is
	// to draw.
	Moves(t int) int
	// Move makes move i of a scan over the first t data, 0 <= i < Moves(t).
	Move(c C, t, i int, s S) S
	// Back makes the time reversal of move i of a scan over the first t data.
	Back(c C, t, i int, s S) S
	// ScanWork returns how many evaluations of the joint density of the first t data a scan takes, on average.
	ScanWork(t int) float64
	// ExtendWork returns how many evaluations of the joint density Extend takes for the weight of datum t, where the value at the state
	// before is known, and DropWork how many Drop takes, where the value at the state with the datum is known.
	ExtendWork(t int, q Proposal) float64
	DropWork(t int, q Proposal) float64
}

// Proposal is the distribution from which the latent variables z_t of a new datum y_t are drawn.
type Proposal int

// The proposals. Under the posterior p(z_t | y_1:t, z_1:t-1) the weight is p(y_t | y_1:t-1, z_1:t-1), and under the prior
// p(z_t | z_1:t-1) it is p(y_t | z_1:t, y_1:t-1).
//
// Source: Grosse, Ghahramani and Adams 2015, Eqs. 16 to 22.
const (
	ProposePosterior Proposal = iota
	ProposePrior
)

// String returns posterior or prior.
func (q Proposal) String() string { return [...]string{"posterior", "prior"}[q] }

// Sweeps is the number M of scans after each datum, or Perfect.
type Sweeps int

// Perfect stands for exact draws from the posterior of the data so far, in place of scans.
//
// Source: Grosse, Ghahramani and Adams 2015, Eqs. 32 and 33.
const Perfect Sweeps = -1

// MaxSweeps is the largest number of scans.
const MaxSweeps = 1_000_000

// String returns the number of scans, or perfect.
func (m Sweeps) String() string {
	if m == Perfect {
		return "perfect"
	}
	return fmt.Sprint(int(m))
}
