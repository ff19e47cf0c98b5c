package geweke

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/chains/number"
	"breadboard/experiments/columns"
	"breadboard/experiments/study/check"
	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
	"breadboard/toys"
	"breadboard/toys/latent"
	"breadboard/toys/models"
)

// TestPlanted: every planted bug is caught, and no change that does no harm. The latter fails with
// a probability of 1e-6 at most; the bugs are caught with this seed. Without -long it leaves out
// what takes many chains, and looks once at what does no harm.
func TestPlanted(t *testing.T) {
	longtest.Only(t)
	type judgement = check.Judgement[Finding]
	list := mutants()
	if !longtest.More() {
		list = slices.DeleteFunc(list, takesLong)
		for i := range list {
			if list[i].harmless {
				list[i].draws = firstLook
			}
		}
	}
	judged := longtest.Must(check.RunMutants(t.Context(), planted(t, list), 1, nil))(t)
	check.ReportPlanted(t, check.MutantColumns[Finding](
		columns.List{columns.Of("model", "", "", func(j *judgement) string { return j.Setting })},
		columns.List{chainsColumn(func(j *judgement) int { return j.Worst.Chains }), check.CaughtBy[Finding](), check.CaughtWhere[Finding]()}), judged)
}

// planted returns mutants with their tests, for all of which together a false alarm has a
// probability of at most 1e-6.
func planted(t *testing.T, list []mutant) (all []check.Mutant[Finding]) {
	var subjects []tested
	tests := 0
	for i, m := range list {
		s := longtest.Must(m.planted(fmt.Sprintf("mutant %d ", i)))(t)
		subjects, tests = append(subjects, s), tests+s.tests()
	}
	for i, m := range list {
		all = append(all, check.Mutant[Finding]{Name: m.name, Harmless: m.harmless, Setting: m.model, Examine: func(ctx context.Context) ([]Finding, error) {
			r, err := subjects[i].examine(ctx, &runOptions{Options: Options{Rounds: 5, Draws: m.draws, Seed: 1}}, number.Log(float64(tests)/check.DefaultAlpha))
			if err != nil {
				return nil, err
			}
			return r.Findings, nil
		}})
	}
	return all
}

// mutant is a model with a planted bug, or with a change that does no harm.
type mutant struct {
	name     string
	harmless bool
	model    string                           // what it is planted in
	planted  func(bug string) (tested, error) // with the bug's name for the random numbers
	draws    int                              // the largest number of chains
}

// mutants returns planted bugs, each on a model in which it shows, and beside them changes that do
// no harm.
func mutants() []mutant {
	clusters := modelOf("three data of clu6", models.Clu6().First(3))
	attributes := modelOf("two data of bin4", models.Bin4().First(2))
	distinct := models.Clu6().First(3).(*models.Clustering)
	distinct.NoiseVariance /= 10
	apart := modelOf("three data of clu6 with a tenth of the noise", distinct)
	return slices.Concat(onLattices([]latticeMutant{
		{"none", true, clusters, func(*setting) {}},
		{"none", true, attributes, func(*setting) {}},
		{"the first axis is never drawn", true, clusters, func(s *setting) { s.move = s.scan(1, s.heatBath) }},
		{"p(z|y) with twice the noise", false, clusters, likelihoodOf(changed(func(m *models.Clustering) { m.NoiseVariance *= 2 }))},
		{"p(z|y) with twice the variance of the centres", false, clusters, likelihoodOf(changed(func(m *models.Clustering) { m.CentreVariance *= 2 }))},
		{"p(z|y) without the prior of z", false, clusters, func(s *setting) {
			s.posterior = func(m models.Generative) []float64 { return m.LogLikelihood(1) }
		}},
		{"p(z|y) without the determinant", false, clusters, withoutDeterminant},
		{"y given z with a centre for each datum", false, clusters, ownCentres},
		{"y given z with the clusters of the next datum", false, clusters, nextCluster},
		{"z drawn axis by axis, each given the old others", false, apart, func(s *setting) { s.move = s.atOnce }},
		{"z drawn axis by axis, never as it was", false, clusters, func(s *setting) { s.move = s.scan(0, s.other) }},
		{"p(z|y) with twice the noise", false, attributes, likelihoodOf(changed(func(m *models.Binary) { m.NoiseVariance *= 2 }))},
		{"p(z|y) with the prior of the other attribute", false, attributes, otherAttribute},
		{"y given z with the variance for the standard deviation of the noise", false, attributes, func(s *setting) {
			change := changed(func(m *models.Binary) { m.NoiseVariance *= m.NoiseVariance })
			s.redraw = func(m models.Generative, z int, normals models.Normals) [][]float64 {
				return change(m).Simulate(z, normals)
			}
		}},
	}), sampledMutants())
}

// latticeMutant is a mutant of a model on a lattice.
type latticeMutant struct {
	name     string
	harmless bool
	model    *toys.Toy
	plant    func(*setting)
}

// onLattices returns mutants of models on lattices, with the default kernel.
func onLattices(list []latticeMutant) []mutant {
	var out []mutant
	for _, m := range list {
		draws := mutantDraws
		if m.harmless {
			draws = harmlessDraws
		}
		out = append(out, mutant{m.name, m.harmless, m.model.Name, func(bug string) (tested, error) {
			moves, err := subject.ParseKernel(context.Background(), DefaultKernel, m.model, nil)
			if err != nil {
				return nil, err
			}
			s := newSetting(m.model, m.model.Model.(models.Generative), DefaultKernel, moves.Kernel())
			s.bug = bug
			m.plant(s)
			return s, nil
		}, draws})
	}
	return out
}

// modelOf returns a small model as a toy.
func modelOf(name string, m models.Model) *toys.Toy { return toys.OfModel(name, "", m) }

// changed returns the function that changes a copy of a model.
func changed[M any, P interface {
	*M
	models.Generative
}](change func(P)) func(models.Generative) models.Generative {
	return func(m models.Generative) models.Generative {
		other := *m.(P)
		change(&other)
		return P(&other)
	}
}

// likelihoodOf plants the likelihood of another model into p(z|y).
func likelihoodOf(other func(models.Generative) models.Generative) func(*setting) {
	return func(s *setting) { s.posterior = func(m models.Generative) []float64 { return s.joint(other(m)) } }
}

// otherAttribute plants the prior of the attributes in their opposite order into p(z|y).
func otherAttribute(s *setting) {
	turned := changed(func(m *models.Binary) { m.Pi = []float64{m.Pi[1], m.Pi[0]} })(s.model).LogPrior()
	s.posterior = func(m models.Generative) []float64 {
		logf := m.LogLikelihood(1)
		for x, p := range turned {
			logf[x] += p
		}
		return logf
	}
}

// withoutDeterminant leaves the sum of D/2 log(1 + n st2/sn2) over the clusters out of the
// likelihood, which integrates the centres out.
func withoutDeterminant(s *setting) {
	s.posterior = func(m models.Generative) []float64 {
		c, space := m.(*models.Clustering), m.Space()
		logf := s.joint(m)
		for x := range logf {
			sizes := make([]float64, len(c.Pi))
			for i := range space.Dims() {
				sizes[space.Coord(x, i)]++
			}
			for _, n := range sizes {
				logf[x] += float64(len(c.Y[0])) / 2 * math.Log1p(n*c.CentreVariance/c.NoiseVariance)
			}
		}
		return logf
	}
}

// ownCentres draws the centre of a cluster anew for every datum.
func ownCentres(s *setting) {
	s.redraw = func(m models.Generative, _ int, normals models.Normals) [][]float64 {
		c := m.(*models.Clustering)
		y := make([][]float64, len(c.Y))
		for i, row := range c.Y {
			for range row {
				y[i] = append(y[i], math.Sqrt(c.CentreVariance+c.NoiseVariance)*normals.NormFloat64())
			}
		}
		return y
	}
}

// nextCluster gives each datum the cluster of the next one.
func nextCluster(s *setting) {
	s.redraw = func(m models.Generative, z int, normals models.Normals) [][]float64 {
		y := m.Simulate(z, normals)
		return append(y[1:], y[0])
	}
}

// scan returns the transition that moves along the axes in turn, from a first one on.
func (s *setting) scan(first int, along func(c chains.Chooser, logf []float64, z, axis int) int) func(chains.Chooser, []float64, int) int {
	return func(c chains.Chooser, logf []float64, z int) int {
		for axis := first; axis < s.toy.Lattice().Dims(); axis++ {
			z = along(c, logf, z, axis)
		}
		return z
	}
}

// line returns the states along an axis, and the probability of each given the coordinates of the
// other axes.
func (s *setting) line(logf []float64, z, axis int) (states []int, p []float64) {
	space := s.toy.Lattice()
	stride := space.Stride(axis)
	first := z - space.Coord(z, axis)*stride
	var logs []float64
	for i := range space.Side(axis) {
		states, logs = append(states, first+i*stride), append(logs, logf[first+i*stride])
	}
	return states, normalized(logs)
}

// heatBath draws the coordinate of an axis given the others.
func (s *setting) heatBath(c chains.Chooser, logf []float64, z, axis int) int {
	states, p := s.line(logf, z, axis)
	return states[c.Choose(p)]
}

// other draws the coordinate of an axis given the others, among the values that it does not have.
func (s *setting) other(c chains.Chooser, logf []float64, z, axis int) int {
	states, p := s.line(logf, z, axis)
	total := 0.0
	for i, x := range states {
		if x == z {
			p[i] = 0
		}
		total += p[i]
	}
	for i := range p {
		p[i] /= total
	}
	return states[c.Choose(p)]
}

// atOnce draws all coordinates, each given the old values of the others.
func (s *setting) atOnce(c chains.Chooser, logf []float64, z int) int {
	next := z
	for axis := range s.toy.Lattice().Dims() {
		next += s.heatBath(c, logf, z, axis) - z
	}
	return next
}

// The largest numbers of chains on lattices, for bugs and for changes that do no harm.
const (
	mutantDraws   = 1 << 14
	harmlessDraws = 1 << 12
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

// rowsAtOnce draws the cluster of each row given the old clusters of all others, as if sums were
// not updated when a row has moved.
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

// vGivenOldU draws U and V, each given the other as it was, as if U were resampled after V has
// been.
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
	s.Hyper = estimators.Factors{UVariance: h[0].Sample(c), VVariance: h[1].Sample(c), NoiseVariance: h[2].Sample(c)}
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

// mutantsOf returns the mutants of a model. In the transition stale a value that should have been
// drawn anew is used as it was, and the function loud makes a scan one whose noise is too large;
// both may be nil.
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
