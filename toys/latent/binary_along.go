package latent

import (
	"fmt"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/chains/number"
)

// BinaryAlong is a model of binary attributes along its data. It implements estimators.Data. A state of no data is nil; what draws the first
// row draws the hyperparameters from their prior first, where they are unknown.
//
// A move draws the attributes of a row in turn. Exact draws from the posterior are known for all data alone, so that sequential Monte
// Carlo makes scans, and no perfect moves.
type BinaryAlong struct {
	*Binary
	patterns *Categorical // the attributes of a new row: z_0 counts 2^(K-1), and z_(K-1) counts 1
	rows     []rowState   // with the first k attributes of a pattern, for k = 0..K
}

// maxPatterned is the most attributes of which a proposal weighs all patterns.
const maxPatterned = 16

// Along returns the model along its data. It shares the memory of m, so that only one goroutine may use both. A proposal weighs all 2^K
// patterns of attributes of a row: it panics for more than 16 attributes.
func (m *Binary) Along() *BinaryAlong {
	if m.k > maxPatterned {
		panic(fmt.Sprintf("latent: %d attributes along the data, of which all patterns are weighed; take at most %d", m.k, maxPatterned))
	}
	a := &BinaryAlong{m, NewCategorical(1 << m.k), make([]rowState, m.k+1)}
	for k := range a.rows {
		a.rows[k] = newRowState(m.k, len(m.y[0]))
	}
	return a
}

// Data implements estimators.Data.
func (a *BinaryAlong) Data() int { return len(a.y) }

// Posterior implements estimators.Data for all data: a clone of the start. It panics for fewer.
func (a *BinaryAlong) Posterior(c chains.RealChooser, t int) *BinaryState {
	if t != len(a.y) {
		panic("latent: Posterior of the first data of binary attributes, of which there are no exact draws; make scans in place of perfect moves")
	}
	return a.Binary.Posterior(c)
}

// Extend implements estimators.Data.
func (a *BinaryAlong) Extend(c chains.RealChooser, t int, q estimators.Proposal, s *BinaryState) (*BinaryState, float64) {
	if t == 1 {
		s = a.begin(c)
	}
	return s, a.ExtendBy(c, t, q, s)
}

// ExtendBy is Extend for any Chooser, on a state that is not nil. It returns the log weight.
func (a *BinaryAlong) ExtendBy(c chains.Chooser, t int, q estimators.Proposal, s *BinaryState) (logWeight float64) {
	a.weigh(t, s)
	s.Z = append(s.Z, a.row.bits...)
	z := a.attributes(t-1, s)
	if q == estimators.ProposePrior {
		for k, p := range s.Hyper.Pi {
			z[k] = flip(c, p)
		}
	} else {
		pattern := a.patterns.Sample(c)
		for k := range z {
			z[k] = pattern >> (a.k - 1 - k) & 1
		}
	}
	logWeight = a.weight(q, z, s)
	a.put(t-1, s)
	return logWeight
}

// Drop implements estimators.Data.
func (a *BinaryAlong) Drop(t int, q estimators.Proposal, s *BinaryState) (*BinaryState, float64) {
	a.take(t-1, s)
	z := a.attributes(t-1, s)
	s.Z = s.Z[:(t-1)*a.k]
	a.weigh(t, s)
	logWeight := a.weight(q, z, s)
	if t == 1 {
		return nil, logWeight
	}
	return s, logWeight
}

// weigh makes patterns the law of the attributes of row t, whose logarithms are those of the joint density with the row over that without,
// apart from the constant of the density.
func (a *BinaryAlong) weigh(t int, s *BinaryState) {
	a.expect(1, s)
	a.rows[0].set(a.y[t-1], nil, a.features)
	a.branch(0, 0, 0, s)
}

// branch weighs the patterns that begin with the first k attributes of a pattern, which have this log prior probability.
func (a *BinaryAlong) branch(k, pattern int, logPrior float64, s *BinaryState) {
	row := &a.rows[k]
	if k == a.k {
		row.law = a.row.law
		a.patterns.Logs[pattern] = logPrior + row.logDensity()
		return
	}
	for z := range 2 {
		next := &a.rows[k+1]
		copy(next.rest, row.rest)
		copy(next.along, row.along)
		if z == 1 {
			next.turn(k, 1, a.features)
		}
		a.branch(k+1, 2*pattern+z, logPrior+logBit(s.Hyper.Pi[k], z), s)
	}
}

// weight returns the log weight of a new row with attributes z: the log predictive density of the row with these, or under the posterior
// with any. It is for the row of the last call of weigh.
func (a *BinaryAlong) weight(q estimators.Proposal, z []int, s *BinaryState) float64 {
	constant := logNormal(len(a.y[0]), 0, s.Hyper.NoiseVariance)
	if q == estimators.ProposePosterior {
		return constant + number.LogSumExp(a.patterns.Logs)
	}
	pattern, logPrior := 0, 0.0
	for k, set := range z {
		pattern = 2*pattern + set
		logPrior += logBit(s.Hyper.Pi[k], set)
	}
	return constant + a.patterns.Logs[pattern] - logPrior
}

// Moves implements estimators.Data: a move draws the attributes of a row. There are none over the first row alone, whose attributes a
// proposal draws from their posterior.
func (a *BinaryAlong) Moves(t int) int { return movesAlong(t, a.inferred) }

// Move implements estimators.Data. Where the hyperparameters are unknown the first move draws these.
func (a *BinaryAlong) Move(c chains.RealChooser, t, i int, s *BinaryState) *BinaryState {
	if a.inferred {
		if i == 0 {
			a.renew(c, 1, s)
			return s
		}
		i--
	}
	a.MoveBy(c, i, s)
	return s
}

// MoveBy draws the attributes of row i for any Chooser.
func (a *BinaryAlong) MoveBy(c chains.Chooser, i int, s *BinaryState) {
	a.drawn.c = c
	if i == 0 {
		a.Refresh(s)
	}
	a.update(&a.drawn, 1, i, s)
}

// Back implements estimators.Data.
func (a *BinaryAlong) Back(c chains.RealChooser, t, i int, s *BinaryState) *BinaryState {
	if a.inferred {
		if i == 0 {
			a.renew(c, 1, s)
			return s
		}
		i--
	}
	a.BackBy(c, i, s)
	return s
}

// BackBy is the time reversal of MoveBy.
func (a *BinaryAlong) BackBy(c chains.Chooser, i int, s *BinaryState) {
	a.drawn.c = c
	if i == a.rowsOf(s)-1 {
		a.Refresh(s)
	}
	a.updateBack(&a.drawn, 1, i, s)
}

// ScanWork implements estimators.Data.
func (a *BinaryAlong) ScanWork(t int) float64 {
	if a.Moves(t) == 0 {
		return 0
	}
	return a.scanWork(t)
}

// ExtendWork implements estimators.Data: the posterior asks for every pattern of attributes of the new row, and the prior for the one drawn.
func (a *BinaryAlong) ExtendWork(t int, q estimators.Proposal) float64 { return extendWork(q, 1<<a.k) }

// DropWork implements estimators.Data: the value of the state before, which is one where there are no data, and under the posterior those
// of the other patterns of the row.
func (a *BinaryAlong) DropWork(t int, q estimators.Proposal) float64 { return dropWork(t, q, 1<<a.k) }
