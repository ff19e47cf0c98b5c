package geweke

import (
	"fmt"
	"slices"

	"breadboard/chains"
	"breadboard/toys/latent"
)

// sampledMutants returns the mutants of models of any size, at sizes at which few chains find them.
func sampledMutants() []Mutant {
	return slices.Concat(
		mutantsOf[*latent.LowRank]("lowrank:2", Size{6, 4}, loudGiven[*latent.LowRank](lowRankNoise)),
		mutantsOf[*latent.LowRank]("lowrank:"+inferred+":2", Size{6, 4}, loudDrawn[*latent.LowRank](lowRankNoise)),
	)
}

// lowRankNoise returns where a state has the variance of the noise.
func lowRankNoise(s *latent.LowRankState) *float64 { return &s.Hyper.NoiseVariance }

// sampledBug is a bug in a model of any size, or a change that does no harm.
type sampledBug[M scannable[M, S], S any] struct {
	name     string
	harmless bool
	plant    func(*sampler[M, S])
}

// mutantsOf returns the mutants of a model. The function loud makes a scan one whose noise is too large.
func mutantsOf[M scannable[M, S], S any](name string, size Size, loud func(transition[M, S]) transition[M, S]) []Mutant {
	var out []Mutant
	for _, b := range []sampledBug[M, S]{
		{"none", true, func(*sampler[M, S]) {}},
		{"the scan and its reversal have changed places", true, func(s *sampler[M, S]) { s.move, s.back = s.back, s.move }},
		{"the reversal in the order of the scan", false, func(s *sampler[M, S]) { s.back = s.move }},
		{"noise 5% too large", false, func(s *sampler[M, S]) { s.move = loud(s.move) }},
		{"late variables drawn given other early ones", false, func(s *sampler[M, S]) { s.move = stale(s.move, s.cuts[len(s.cuts)-1].early) }},
	} {
		out = append(out, Mutant{b.name, b.harmless, fmt.Sprintf("%s of %d by %d", name, size.Rows, size.Columns), func(bug string) (tested, error) {
			m, err := Models().Parse(name, size)
			if err != nil {
				return nil, err
			}
			s := m.tested.(*sampler[M, S])
			s.bug = bug
			b.plant(s)
			return s, nil
		}})
	}
	return out
}

// transition moves a state given the data of a model.
type transition[M, S any] = func(m M, c chains.RealChooser, s S) S

// tooLoud is by how much the variance of the noise is too large in a planted bug.
const tooLoud = 1.05

// loudGiven plants known noise that is too large in all conditionals of a scan. The function noise returns where a state has its variance.
func loudGiven[M scannable[M, S], S any](noise func(S) *float64) func(transition[M, S]) transition[M, S] {
	return func(move transition[M, S]) transition[M, S] {
		return func(m M, c chains.RealChooser, s S) S {
			before := *noise(s)
			*noise(s) *= tooLoud
			m.Refresh(s)
			s = move(m, c, s)
			*noise(s) = before
			m.Refresh(s)
			return s
		}
	}
}

// loudDrawn plants unknown noise that is drawn too large.
func loudDrawn[M scannable[M, S], S any](noise func(S) *float64) func(transition[M, S]) transition[M, S] {
	return func(move transition[M, S]) transition[M, S] {
		return func(m M, c chains.RealChooser, s S) S {
			s = move(m, c, s)
			*noise(s) *= tooLoud
			m.Refresh(s)
			return s
		}
	}
}

// stale plants values that are kept from elsewhere: a move has drawn the late variables given other early ones than those that it leaves.
// It is the bug of a sum that is not updated, or of a centre that is not drawn anew.
func stale[M scannable[M, S], S any](move transition[M, S], early func(to, from S)) transition[M, S] {
	return func(m M, c chains.RealChooser, s S) S {
		other := move(m, c, m.Clone(s))
		s = move(m, c, s)
		early(s, other)
		m.Refresh(s)
		return s
	}
}
