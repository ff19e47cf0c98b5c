package geweke

import (
	"fmt"
	"slices"

	"breadboard/chains"
	"breadboard/toys/latent"
)

// sampledMutants returns the mutants of models of any size, at sizes at which few chains find them.
func sampledMutants() []mutant {
	return slices.Concat(
		mutantsOf("clustering", Size{8, 6}, rowsAtOnce, nil),
		mutantsOf("clustering:"+inferred+":2", Size{8, 6}, nil, loudDrawn[*latent.Clustering](clusteringNoise)),
		mutantsOf("lowrank:2", Size{6, 4}, vGivenOldU, nil),
		mutantsOf("lowrank:"+inferred+":2", Size{6, 4}, hyperGivenOldFactors, loudDrawn[*latent.LowRank](lowRankNoise)),
		mutantsOf("binary:3", Size{8, 6}, attributesAtOnce, nil),
		mutantsOf("binary:"+inferred+":2", Size{8, 6}, nil, loudDrawn[*latent.Binary](binaryNoise)),
	)
}

func clusteringNoise(s *latent.ClusteringState) *float64 { return &s.Hyper.NoiseVariance }
func lowRankNoise(s *latent.LowRankState) *float64       { return &s.Hyper.NoiseVariance }
func binaryNoise(s *latent.BinaryState) *float64         { return &s.Hyper.NoiseVariance }

// rowsAtOnce draws the cluster of each row given the old clusters of all others, as if sums were not updated when a row has moved.
func rowsAtOnce(m *latent.Clustering, c chains.RealChooser, s *latent.ClusteringState) *latent.ClusteringState {
	next := make([]int, len(s.Z))
	for i := range next {
		next[i] = m.Conditional(1, i, s).Sample(c)
	}
	copy(s.Z, next)
	m.Refresh(s)
	return s
}

// attributesAtOnce draws each attribute given the old values of all others.
func attributesAtOnce(m *latent.Binary, c chains.RealChooser, s *latent.BinaryState) *latent.BinaryState {
	next, k := make([]int, len(s.Z)), m.Attributes()
	for i := range next {
		next[i] = m.Conditional(1, i/k, i%k, s).Sample(c)
	}
	copy(s.Z, next)
	m.Refresh(s)
	return s
}

// vGivenOldU draws U and V, each given the other as it was, as if U were resampled after V has been.
func vGivenOldU(m *latent.LowRank, c chains.RealChooser, s *latent.LowRankState) *latent.LowRankState {
	old := m.Clone(s)
	m.UGivenV(1, old).Sample(c, s.U)
	m.VGivenU(1, old).Sample(c, s.V)
	m.Refresh(s)
	return s
}

// hyperGivenOldFactors draws the variances given U and V as they were before the scan.
func hyperGivenOldFactors(m *latent.LowRank, c chains.RealChooser, s *latent.LowRankState) *latent.LowRankState {
	h := m.HyperGiven(1, s)
	s = m.Move(c, chains.At(1), s)
	s.Hyper = latent.LowRankHyper{UVariance: h[0].Sample(c), VVariance: h[1].Sample(c), NoiseVariance: h[2].Sample(c)}
	m.Refresh(s)
	return s
}

// sampledBug is a bug in a model of any size, or a change that does no harm.
type sampledBug[M scannable[M, S], S any] struct {
	name     string
	harmless bool
	draws    int // the largest number of chains
	plant    func(*sampler[M, S])
}

// mutantsOf returns the mutants of a model. In the transition stale a value that should have been drawn anew is used as it was, and the
// function loud makes a scan one whose noise is too large; both may be nil.
func mutantsOf[M scannable[M, S], S any](name string, size Size, stale transition[M, S], loud func(transition[M, S]) transition[M, S]) []mutant {
	bugs := []sampledBug[M, S]{
		{"none", true, 512, func(*sampler[M, S]) {}},
		{"the scan and its reversal have changed places", true, 512, func(s *sampler[M, S]) { s.move, s.back = s.back, s.move }},
		{"the reversal in the order of the scan", false, 1024, func(s *sampler[M, S]) { s.back = s.move }},
	}
	if loud != nil {
		bugs = append(bugs, sampledBug[M, S]{"noise drawn 5% too large", false, 4096, func(s *sampler[M, S]) { s.move = loud(s.move) }})
	}
	if stale != nil {
		bugs = append(bugs, sampledBug[M, S]{"drawn given values that are not drawn anew", false, 1024, func(s *sampler[M, S]) { s.move = stale }})
	}
	var out []mutant
	for _, b := range bugs {
		out = append(out, mutant{b.name, b.harmless, fmt.Sprintf("%s of %d by %d", name, size.Rows, size.Columns), func(bug string) (tested, error) {
			m, err := Models().Parse(name, size)
			if err != nil {
				return nil, err
			}
			s := m.tested.(*sampler[M, S])
			s.bug = bug
			b.plant(s)
			return s, nil
		}, b.draws})
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
