package geweke

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/chains/number"
	"breadboard/chains/selector"
	"breadboard/experiments/marginal/sandwich"
	"breadboard/toys/latent"
)

// scannable is what the test asks of a model of any size, of type M, whose states are of type S.
type scannable[M, S any] interface {
	// Fork returns an equal model that another goroutine may use.
	Fork() M
	// WithData returns the same model of other data, and Refresh makes a state one of the model's
	// data.
	WithData(y [][]float64) (M, error)
	Refresh(s S)
	// Prior draws a state from the prior, and Redraw draws data given a state.
	Prior(c chains.RealChooser) S
	Redraw(c chains.RealChooser, s S) [][]float64
	// Move and Back are a scan and its time reversal. Both may write to the state.
	Move(c chains.RealChooser, at chains.Place, s S) S
	Back(c chains.RealChooser, at chains.Place, s S) S
	Clone(s S) S
	LogPrior(s S) float64
	LogLikelihood(at chains.Place, s S) float64
}

// sampler is a model of any size with its simulator and its scan. The functions are the places of
// bugs.
type sampler[M scannable[M, S], S any] struct {
	name, key  string // the selector, and what the random numbers depend on
	bug        string // its name, and a space; empty if there is none
	model      M
	simulate   func(m M, c chains.RealChooser) ([][]float64, S)
	move, back func(m M, c chains.RealChooser, s S) S
	redraw     func(m M, c chains.RealChooser, s S) [][]float64

	features []feature[S]
	cuts     []cut[S]
}

// feature is a number that a state has. It must not be NaN.
type feature[S any] struct {
	name, doc string
	of        func(s S) float64
}

// cut divides the variables of a state in two: those that a scan draws before some moment, and
// those that it draws later.
type cut[S any] struct {
	name, doc string
	// early copies the variables that are drawn first from one state into another.
	early func(to, from S)
}

// newSampler returns the sampler of a model without a bug.
func newSampler[M scannable[M, S], S any](name, key string, m M) *sampler[M, S] {
	return &sampler[M, S]{
		name: name, key: key, model: m,
		simulate: func(m M, c chains.RealChooser) ([][]float64, S) {
			s := m.Prior(c)
			return m.Redraw(c, s), s
		},
		move:   func(m M, c chains.RealChooser, s S) S { return m.Move(c, chains.At(1), s) },
		back:   func(m M, c chains.RealChooser, s S) S { return m.Back(c, chains.At(1), s) },
		redraw: func(m M, c chains.RealChooser, s S) [][]float64 { return m.Redraw(c, s) },
	}
}

// sampled is a draw from the joint distribution of a model of any size. The model has the data of
// the draw, and the state is one of these.
type sampled[M, S any] struct {
	model M
	y     [][]float64
	state S
}

// of returns the draw that a state and data are. Data that the model refuses are no data of its
// own, and it panics, as a move does that fails.
func (s *sampler[M, S]) of(y [][]float64, state S) sampled[M, S] {
	m, err := s.model.WithData(y)
	if err != nil {
		panic(err)
	}
	m.Refresh(state)
	return sampled[M, S]{m, y, state}
}

// logJoint returns the log density of a state and the data of a model. The state need not be fresh.
func logJoint[M scannable[M, S], S any](m M, x S) float64 {
	m.Refresh(x)
	return m.LogPrior(x) + m.LogLikelihood(chains.At(1), x)
}

// forked returns an equal sampler for another goroutine.
func (s *sampler[M, S]) forked() *sampler[M, S] {
	own := *s
	own.model = s.model.Fork()
	return &own
}

// joint is the subject of the joint test: states and data.
type joint[M scannable[M, S], S any] struct{ *sampler[M, S] }

func (j joint[M, S]) fork() drawer[sampled[M, S]] { return joint[M, S]{j.forked()} }

// forward implements subject: parameters and latent variables are from the prior, and the data from
// the model given them.
func (j joint[M, S]) forward(c chains.RealChooser) sampled[M, S] { return j.of(j.simulate(j.model, c)) }

// round implements subject: a scan moves the state given the data, and the data are drawn anew.
func (j joint[M, S]) round(c chains.RealChooser, d sampled[M, S]) sampled[M, S] {
	state := j.move(d.model, c, d.state)
	return j.of(j.redraw(d.model, c, state), state)
}

// pair is a draw from the joint distribution, and if it comes from or goes to by a scan.
type pair[M, S any] struct {
	model         M
	before, after S
}

// reversal is the subject of the test of the time reversal. With x and x' from the posterior, (x,
// Move(x)) has the same distribution as (Back(x'), x') exactly if Back is the time reversal of
// Move. That both leave the posterior as it is does not say so: a Back that runs the parts of a
// scan in their order, and not in the opposite one, leaves it as it is too.
type reversal[M scannable[M, S], S any] struct{ *sampler[M, S] }

func (r reversal[M, S]) fork() drawer[pair[M, S]] { return reversal[M, S]{r.forked()} }

// forward implements subject: a draw from the joint distribution is moved.
func (r reversal[M, S]) forward(c chains.RealChooser) pair[M, S] {
	d := joint[M, S](r).forward(c)
	before := d.model.Clone(d.state)
	return pair[M, S]{d.model, before, r.move(d.model, c, d.state)}
}

// round implements subject: the end of a pair is moved back, to another beginning.
func (r reversal[M, S]) round(c chains.RealChooser, p pair[M, S]) pair[M, S] {
	p.before = r.back(p.model, c, p.model.Clone(p.after))
	return p
}

// lead says how much likelier the early variables of a pair's end are with the late ones of its
// beginning than the late variables of its end with the early ones of its beginning, as a
// logarithm. The former is a state that a scan goes through, the latter is none: it has no reason
// to be likely. In a pair of a scan in the opposite order it is the other way round.
func lead[M scannable[M, S], S any](p *pair[M, S], early func(to, from S)) float64 {
	visited, other := p.model.Clone(p.before), p.model.Clone(p.after)
	early(visited, p.after)
	early(other, p.before)
	return logJoint(p.model, visited) - logJoint(p.model, other)
}

// examinations returns the joint test and the test of the reversal.
func (s *sampler[M, S]) examinations(rounds int) (*examination[sampled[M, S]], *examination[pair[M, S]]) {
	forward := &examination[sampled[M, S]]{
		subject: joint[M, S]{s}, purpose: fmt.Sprintf("geweke %s%s %d rounds", s.bug, s.key, rounds), rounds: rounds, units: "chains",
		statistics: dataStatistics(func(d *sampled[M, S]) [][]float64 { return d.y }),
	}
	forward.statistics = append(forward.statistics, statistic[sampled[M, S]]{jointName, "log p(state, y)", func(d *sampled[M, S]) float64 {
		return logJoint(d.model, d.state)
	}})
	for _, of := range s.features {
		forward.statistics = append(forward.statistics, statistic[sampled[M, S]]{of.name, of.doc, func(d *sampled[M, S]) float64 { return of.of(d.state) }})
	}
	reversed := &examination[pair[M, S]]{subject: reversal[M, S]{s}, purpose: "geweke reversal " + s.bug + s.key, rounds: 1, units: "pairs"}
	for _, k := range s.cuts {
		reversed.statistics = append(reversed.statistics, statistic[pair[M, S]]{k.name, k.doc, func(p *pair[M, S]) float64 { return lead(p, k.early) }})
	}
	return forward, reversed
}

func (s *sampler[M, S]) tests() int {
	forward, reversed := s.examinations(0)
	return forward.tests() + reversed.tests()
}

// chains implements tested: they go forward and in reverse.
func (s *sampler[M, S]) chains(draws int) int { return 2 * draws }

func (s *sampler[M, S]) examine(ctx context.Context, o *runOptions, threshold float64) (*Row, error) {
	r := &Row{Name: s.name, Kernel: scan}
	forward, reversed := s.examinations(o.Rounds)
	if err := examine(ctx, o, threshold, r, forward.begin(), reversed.begin()); err != nil {
		return nil, err
	}
	return r, nil
}

func (s *sampler[M, S]) test(ctx context.Context, o *runOptions, threshold float64) (*Row, error) {
	r, err := s.examine(ctx, o, threshold)
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", s.name, err)
	}
	return r, nil
}

// scan is what moves a model of any size.
const scan = "scan"

// makers returns the makers of a model: with known hyperparameters, by which data are drawn too,
// and with unknown ones. The functions describe and hyper add the features and cuts that it has in
// both cases, and those of its hyperparameters.
func makers[M scannable[M, S], S any](known, unknown func(y [][]float64, k int) (M, error), simulate func(c chains.RealChooser, s Size, k int) ([][]float64, S),
	describe func(s *sampler[M, S], k int), hyper func(s *sampler[M, S])) (givenHyper, inferredHyper maker) {
	make := func(model func([][]float64, int) (M, error), finish func(t *sampler[M, S], s Size, k int)) maker {
		return func(name, key string, s Size, k int) (tested, error) {
			m, err := model(s.zeros(), k)
			if err != nil {
				return nil, err
			}
			t := newSampler(name, key, m)
			describe(t, k)
			finish(t, s, k)
			return t, nil
		}
	}
	return make(known, func(t *sampler[M, S], s Size, k int) {
		t.simulate = func(_ M, c chains.RealChooser) ([][]float64, S) { return simulate(c, s, k) }
	}), make(unknown, func(t *sampler[M, S], _ Size, _ int) { hyper(t) })
}

// drawnFirst adds hyperparameters to the cuts, which a scan draws before the rows of the data.
func drawnFirst[M scannable[M, S], S any](s *sampler[M, S], hyper func(to, from S)) {
	rows := s.cuts[0].early
	s.cuts[0].early = func(to, from S) { hyper(to, from); rows(to, from) }
	s.cuts = append(s.cuts, cut[S]{"reversal_of_hyperparameters", "reversal: hyperparameters, rows", hyper})
}

// pairs returns how many pairs there are within groups of these sizes.
func pairs(sizes iter.Seq[int]) float64 {
	n := 0
	for size := range sizes {
		n += size * (size - 1) / 2
	}
	return float64(n)
}

// binaryForm is the model of binary attributes of package latent.
func binaryForm() modelForm {
	known, unknown := makers(
		func(y [][]float64, k int) (*latent.Binary, error) {
			return latent.NewBinary(y, k, estimators.EvenAttributes(k))
		}, latent.NewInferredBinary,
		func(c chains.RealChooser, s Size, k int) ([][]float64, *latent.BinaryState) {
			return latent.SimulateBinary(c, s.Rows, s.Columns, k, estimators.EvenAttributes(k))
		}, describeBinary, withBinaryHyper)
	return newModelForm("binary", "sums of the features of a datum, with the features integrated out", 10, known, unknown)
}

func describeBinary(s *sampler[*latent.Binary, *latent.BinaryState], k int) {
	owners := func(z []int) []int { // how many data have each attribute
		n := make([]int, k)
		for i, v := range z {
			n[i%k] += v
		}
		return n
	}
	s.features = []feature[*latent.BinaryState]{
		{"attributes_on", "attributes that are on", func(s *latent.BinaryState) float64 {
			on := 0
			for _, z := range s.Z {
				on += z
			}
			return float64(on)
		}},
		{"pairs_with_an_attribute", "pairs of data with an attribute", func(s *latent.BinaryState) float64 { return pairs(slices.Values(owners(s.Z))) }},
	}
	s.cuts = []cut[*latent.BinaryState]{{"reversal", "reversal: first rows, last rows", func(to, from *latent.BinaryState) {
		copy(to.Z[:len(to.Z)/k/2*k], from.Z)
	}}}
}

// withBinaryHyper adds the hyperparameters, which a scan draws before the attributes of the data.
func withBinaryHyper(s *sampler[*latent.Binary, *latent.BinaryState]) {
	s.features = append(s.features,
		feature[*latent.BinaryState]{"log_feature_variance", "log variance of the features",
			func(s *latent.BinaryState) float64 { return number.Log(s.Hyper.FeatureVariance) }},
		feature[*latent.BinaryState]{"log_noise_variance", "log variance of the noise",
			func(s *latent.BinaryState) float64 { return number.Log(s.Hyper.NoiseVariance) }},
		feature[*latent.BinaryState]{"log_pi", "log probability of an attribute", func(s *latent.BinaryState) float64 { return number.Log(s.Hyper.Pi[0]) }},
	)
	drawnFirst(s, func(to, from *latent.BinaryState) {
		to.Hyper.FeatureVariance, to.Hyper.NoiseVariance = from.Hyper.FeatureVariance, from.Hyper.NoiseVariance
		copy(to.Hyper.Pi, from.Hyper.Pi)
	})
}

// clusteringForm is the clustering of package latent.
func clusteringForm() modelForm {
	known, unknown := makers(
		func(y [][]float64, k int) (*latent.Clustering, error) {
			return latent.NewClustering(y, k, estimators.EqualClusters(k))
		}, latent.NewInferredClustering,
		func(c chains.RealChooser, s Size, k int) ([][]float64, *latent.ClusteringState) {
			return latent.SimulateClustering(c, s.Rows, s.Columns, k, estimators.EqualClusters(k))
		}, describeClustering, withClusteringHyper)
	return newModelForm("clustering", "a mixture of normals with the centres integrated out", 10, known, unknown)
}

func describeClustering(s *sampler[*latent.Clustering, *latent.ClusteringState], _ int) {
	sizes := func(z []int) map[int]int { // of the clusters that have data
		n := map[int]int{}
		for _, k := range z {
			n[k]++
		}
		return n
	}
	s.features = []feature[*latent.ClusteringState]{
		{"clusters_used", "clusters with data", func(s *latent.ClusteringState) float64 { return float64(len(sizes(s.Z))) }},
		{"pairs_in_a_cluster", "pairs of data in one cluster", func(s *latent.ClusteringState) float64 { return pairs(maps.Values(sizes(s.Z))) }},
	}
	s.cuts = []cut[*latent.ClusteringState]{{"reversal", "reversal: first rows, last rows", func(to, from *latent.ClusteringState) {
		copy(to.Z[:len(to.Z)/2], from.Z)
	}}}
}

// withClusteringHyper adds the hyperparameters, which a scan draws before the clusters of the data.
func withClusteringHyper(s *sampler[*latent.Clustering, *latent.ClusteringState]) {
	s.features = append(s.features,
		feature[*latent.ClusteringState]{"log_centre_variance", "log variance of the centres",
			func(s *latent.ClusteringState) float64 { return number.Log(s.Hyper.CentreVariance) }},
		feature[*latent.ClusteringState]{"log_noise_variance", "log variance of the noise",
			func(s *latent.ClusteringState) float64 { return number.Log(s.Hyper.NoiseVariance) }},
		feature[*latent.ClusteringState]{"log_pi", "log probability of a cluster", func(s *latent.ClusteringState) float64 { return number.Log(s.Hyper.Pi[0]) }},
	)
	drawnFirst(s, func(to, from *latent.ClusteringState) {
		to.Hyper.CentreVariance, to.Hyper.NoiseVariance = from.Hyper.CentreVariance, from.Hyper.NoiseVariance
		copy(to.Hyper.Pi, from.Hyper.Pi)
	})
}

// collapsedForm is the model of low rank of package latent whose factor U is integrated out. Its
// hyperparameters are known.
func collapsedForm() modelForm {
	const name, usual = "collapsed", 5
	return modelForm{
		Syntax: name + "[:K]", Doc: "the product of two matrices plus noise, with U integrated out", Example: name + ":3", Source: modelSource,
		Parse: func(args selector.Args, s Size) (Model, error) {
			k := usual
			if args.Given {
				var err error
				if k, err = selector.ParseWhole(args.Text, 1, sandwich.MaxComponents); err != nil {
					return Model{}, args.Errorf("the number K of components: %w", err)
				}
			}
			return maker(newCollapsedSampler).model(name, args, s, k, usual)
		},
	}
}

// newCollapsedSampler returns the sampler of a model of low rank without U.
func newCollapsedSampler(name, key string, size Size, k int) (tested, error) {
	m, err := latent.NewCollapsedLowRank(size.zeros(), k, estimators.EqualFactors())
	if err != nil {
		return nil, err
	}
	s := newSampler(name, key, m)
	s.features = []feature[*latent.CollapsedLowRankState]{
		{"squares_of_v", "sum of the squares of V", func(s *latent.CollapsedLowRankState) float64 { return sumOfSquares(s.V) }},
	}
	half := size.Columns / 2
	s.cuts = []cut[*latent.CollapsedLowRankState]{{"reversal", "reversal: first columns, last columns", func(to, from *latent.CollapsedLowRankState) {
		for i, row := range from.V {
			copy(to.V[i][:half], row)
		}
	}}}
	return s, nil
}

// lowRankForm is the model of a matrix of low rank of package latent.
func lowRankForm() modelForm {
	known, unknown := makers(
		func(y [][]float64, k int) (*latent.LowRank, error) {
			return latent.NewLowRank(y, k, estimators.EqualFactors())
		}, latent.NewInferredLowRank,
		func(c chains.RealChooser, s Size, k int) ([][]float64, *latent.LowRankState) {
			return latent.SimulateLowRank(c, s.Rows, s.Columns, k, estimators.EqualFactors())
		}, describeLowRank, withLowRankHyper)
	return newModelForm("lowrank", "the product of two matrices plus noise", 5, known, unknown)
}

func describeLowRank(s *sampler[*latent.LowRank, *latent.LowRankState], _ int) {
	s.features = []feature[*latent.LowRankState]{
		{"squares_of_u", "sum of the squares of U", func(s *latent.LowRankState) float64 { return sumOfSquares(s.U) }},
		{"squares_of_v", "sum of the squares of V", func(s *latent.LowRankState) float64 { return sumOfSquares(s.V) }},
	}
	s.cuts = []cut[*latent.LowRankState]{{"reversal", "reversal: U, V", func(to, from *latent.LowRankState) { copyTable(to.U, from.U) }}}
}

// withLowRankHyper adds the hyperparameters, which a scan draws after U and V.
func withLowRankHyper(s *sampler[*latent.LowRank, *latent.LowRankState]) {
	s.features = append(s.features,
		feature[*latent.LowRankState]{"log_u_variance", "log variance of U", func(s *latent.LowRankState) float64 { return number.Log(s.Hyper.UVariance) }},
		feature[*latent.LowRankState]{"log_v_variance", "log variance of V", func(s *latent.LowRankState) float64 { return number.Log(s.Hyper.VVariance) }},
		feature[*latent.LowRankState]{"log_noise_variance", "log variance of the noise",
			func(s *latent.LowRankState) float64 { return number.Log(s.Hyper.NoiseVariance) }},
	)
	s.cuts = append(s.cuts, cut[*latent.LowRankState]{"reversal_of_hyperparameters", "reversal: U and V, hyperparameters", func(to, from *latent.LowRankState) {
		copyTable(to.U, from.U)
		copyTable(to.V, from.V)
	}})
}

func sumOfSquares(x [][]float64) float64 {
	sum := 0.0
	for _, row := range x {
		for _, v := range row {
			sum += v * v
		}
	}
	return sum
}

func copyTable(to, from [][]float64) {
	for i, row := range from {
		copy(to[i], row)
	}
}
