package couplings

import (
	"errors"
	"math"

	"breadboard/chains"
)

// Density is the probability of each state of a law.
type Density func(x int) float64

// Rejection draws two states that are alike with the largest probability, and needs no rows: only draws of both laws and the probabilities of
// what was drawn (Johnson 1996; Thorisson 2000). The first is a draw x of p, which is also the second with probability min(1, q(x)/p(x)); else
// draws y of q are made until one is kept, with probability 1 - min(1, p(y)/q(y)). It returns how many draws were made.
//
// The states have the law of the coupling rows. That of the number of draws is RejectionCost: there is no bound on it, so that no program that
// draws so can be enumerated to its end.
func Rejection(c chains.Chooser, drawP func() int, p Density, drawQ func() int, q Density) (x, y, draws int) {
	x = drawP()
	if c.Flip(min(1, q(x)/p(x))) {
		return x, x, 1
	}
	for draws = 2; ; draws++ {
		if y = drawQ(); !c.Flip(min(1, p(y)/q(y))) {
			return x, y, draws
		}
	}
}

// NewRejection returns the coupling that draws from the two rows of a kernel by Rejection. It can be sampled and not enumerated, so that it is
// none of those of New; rows has the same law. It fails where the kernel has no rows in closed form, in which the probabilities stand.
func NewRejection(k chains.Kernel) (Coupling, error) {
	rower, has := k.(chains.Rower)
	if !has {
		return nil, errNoRows
	}
	return faithful{k, Func(func(c chains.Chooser, logf []float64, x, y int) (x2, y2 int) {
		of := func(from int) (func() int, Density) {
			row := map[int]float64{}
			for _, e := range rower.AppendRow(nil, logf, from) {
				row[e.To] += e.P
			}
			return func() int { return k.Move(c, logf, from) }, func(to int) float64 { return row[to] }
		}
		drawP, p := of(x)
		drawQ, q := of(y)
		x2, y2, _ = Rejection(c, drawP, p, drawQ, q)
		return x2, y2
	})}, nil
}

// errNoRows says why a kernel has no coupling that needs its rows.
var errNoRows = errors.New("it has no rows in closed form (AppendRow); take common or independent, which only need its moves")

// RejectionCost is the law of the number of draws of Rejection. The mean is 2 whatever the two laws are, and the variance, 2(1-TV)/TV, grows
// without bound as they come together.
type RejectionCost struct {
	TV float64 // the total variation distance of the two laws, above 0
}

// Over returns the probability of more than m draws: TV (1-TV)^(m-1) for m of 1 or more.
func (r RejectionCost) Over(m int) float64 {
	if m < 1 {
		return 1
	}
	return r.TV * math.Exp(float64(m-1)*math.Log1p(-r.TV))
}

// Mean returns the mean number of draws.
func (RejectionCost) Mean() float64 { return 2 }

// Variance returns the variance of the number of draws.
func (r RejectionCost) Variance() float64 { return 2 * (1 - r.TV) / r.TV }
