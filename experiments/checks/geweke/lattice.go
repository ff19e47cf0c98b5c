package geweke

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"

	"breadboard/chains"
	"breadboard/chains/simulate"
	"breadboard/exact/kernel"
	"breadboard/experiments/programs"
	"breadboard/experiments/study/check"
	"breadboard/experiments/subject"
	"breadboard/toys"
	"breadboard/toys/models"
)

// setting is a model with its simulator and a kernel. The fields below toy are the places of bugs.
type setting struct {
	toy        *toys.Toy
	model      models.Generative
	kernelName string
	kernel     chains.Kernel
	// posterior returns log f of p(z|y), for the kernel.
	posterior func(m models.Generative) []float64
	// redraw draws the data anew, given z.
	redraw func(m models.Generative, z int, normals models.Normals) [][]float64
	// move makes one transition of the latent variables under the log f of posterior.
	move func(c chains.Chooser, logf []float64, z int) int

	bug      string    // its name, and a space; empty if there is none
	prior    []float64 // the probability of each state
	logPrior []float64
	latents  []count[draw]
}

// parseSetting returns the setting of a toy and a kernel.
func parseSetting(ctx context.Context, selector, kernelName string, held *programs.Programs) (*setting, error) {
	toy, err := subject.ParseToy(ctx, selector)
	if err != nil {
		return nil, err
	}
	m, is := toy.Model.(models.Generative)
	if !is {
		return nil,
			fmt.Errorf(
				"toy %s is not a model whose data can be drawn anew; give a clustering or binary attributes, such as clu6 or bin4, or a Bayesian network in which no child of an observed variable is free or summed out",
				toy.Name)
	}
	if n := m.Space().States(); n > maxStates {
		return nil,
			fmt.Errorf("toy %s has %d states; every round computes the joint density of all of them, and the limit is %d: give fewer data or clusters",
				toy.Name, n, maxStates)
	}
	moves, err := subject.ParseKernel(ctx, kernelName, toy, held)
	if err != nil {
		return nil, err
	}
	k := moves.Kernel()
	if k == nil {
		return nil, fmt.Errorf("kernel %s has a matrix for each stage of an annealing, but the data change here; give a single kernel", kernelName)
	}
	if _, fixed := k.(*programs.Matrix); fixed {
		return nil, fmt.Errorf("kernel %s is for one distribution, but the data change here; give a kernel for any distribution", kernelName)
	}
	if p, is := k.(*programs.Program); is && p.Samples() {
		return nil, fmt.Errorf("kernel %s makes its own random choices, and only kernel check can test it; give a kernel of the mode choose", kernelName)
	}
	return newSetting(toy, m, kernelName, k), nil
}

// newSetting returns the setting of a model without a bug.
func newSetting(toy *toys.Toy, m models.Generative, kernelName string, k chains.Kernel) *setting {
	s := &setting{toy: toy, model: m, kernelName: kernelName, kernel: k, logPrior: m.LogPrior()}
	s.prior = normalized(s.logPrior)
	s.latents = latents(toy, m, s.prior)
	s.posterior = s.joint
	s.redraw = models.Generative.Simulate
	s.move = k.Move
	return s
}

// key is what the random numbers of the model and the kernel depend on. A model in a file counts by
// its numbers, and not by its name.
func (s *setting) key() string {
	return (&subject.Case{Toy: s.toy, Params: subject.Setting{Kernel: s.kernelName}.Params()}).Key()
}

// joint returns log p(z, y) of each state, for the data of a model.
func (s *setting) joint(m models.Generative) []float64 {
	logf := m.LogLikelihood(1)
	for x, p := range s.logPrior {
		logf[x] += p
	}
	return logf
}

// logJoint returns log p(z, y) of a draw, under the model as it should be.
func (s *setting) logJoint(d *draw) float64 {
	return s.logPrior[d.z] + s.model.With(d.y).LogLikelihoodAt(d.z)
}

// draw is a draw from the joint distribution of a model on a lattice.
type draw struct {
	z int
	y [][]float64
}

// fork implements subject. Nothing in a setting changes while it is tested.
func (s *setting) fork() drawer[draw] { return s }

// forward implements subject: z is from the prior, and y from the model given z.
func (s *setting) forward(c chains.RealChooser) draw {
	z := c.Choose(s.prior)
	return draw{z: z, y: s.model.Simulate(z, models.NormalsOf{RealChooser: c})}
}

// round implements subject: z moves by the kernel, and y is drawn anew.
func (s *setting) round(c chains.RealChooser, d draw) draw {
	z := s.move(c, s.posterior(s.model.With(d.y)), d.z)
	return draw{z: z, y: s.redraw(s.model, z, models.NormalsOf{RealChooser: c})}
}

func (s *setting) examination(rounds int) *examination[draw] {
	return &examination[draw]{
		subject: s, purpose: fmt.Sprintf("geweke %s%s %d rounds", s.bug, s.key(), rounds), rounds: rounds,
		statistics: s.statistics(), counts: s.latents, units: "chains",
	}
}

func (s *setting) statistics() []statistic[draw] {
	return append(dataStatistics(func(d *draw) [][]float64 { return d.y }), statistic[draw]{jointName, "log p(z, y)", s.logJoint})
}

func (s *setting) tests() int { return s.examination(0).tests() }

func (s *setting) chains(draws int) int { return draws }

func (s *setting) test(ctx context.Context, o *runOptions, threshold float64) (*Row, error) {
	r, err := s.examine(ctx, o, threshold)
	if err == nil {
		err = s.invariance(ctx, o, r)
	}
	if err != nil {
		return nil, fmt.Errorf("toy %s: %w", s.toy.Name, err)
	}
	return r, nil
}

func (s *setting) examine(ctx context.Context, o *runOptions, threshold float64) (*Row, error) {
	r := &Row{Name: s.toy.Name, Kernel: s.kernelName}
	if err := examine(ctx, o, threshold, r, s.examination(o.Rounds).begin()); err != nil {
		return nil, err
	}
	r.Plots = slices.DeleteFunc(r.Plots, func(p Shares) bool { return p.Statistic == stateCount }) // states have no order
	return r, nil
}

const (
	invarianceData      = 3     // for how many data the kernel is checked exactly
	invarianceTolerance = 1e-12 // what a probability may be off by, as in kernelcheck
	invarianceStates    = 2048  // the largest number of states of which rows are formed
)

// invariance adds the finding that the kernel leaves p(z|y) invariant for data that are drawn,
// exactly.
func (s *setting) invariance(ctx context.Context, o *runOptions, r *Row) error {
	if len(s.prior) > invarianceStates {
		return nil
	}
	c := chains.NewSampler(simulate.NewStream(o.Seed, "geweke invariance "+s.key(), 0))
	worst, at := 0.0, 0
	for range invarianceData {
		logf := s.posterior(s.model.With(s.forward(c).y))
		rows, err := kernel.NewRows(ctx, s.kernel, logf)
		if err != nil {
			if ctx.Err() == nil && errors.As(err, new(chains.Fault)) {
				r.add(check.Held("invariance", math.Inf(1), invarianceTolerance, err.Error()), r.Chains)
				return nil
			}
			return err
		}
		p := normalized(logf)
		after := make([]float64, len(p))
		rows.Push(after, p)
		for x := range p {
			if off := math.Abs(after[x] - p[x]); off > worst {
				worst, at = off, x
			}
		}
	}
	f := check.Held("invariance", worst, invarianceTolerance, "most at state "+s.toy.State(at))
	if f.Verdict == check.Pass {
		f.Where = fmt.Sprintf("%d data sets", invarianceData)
	}
	r.add(f, r.Chains)
	return nil
}

// stateCount is the count that is the state of the latent variables itself.
const stateCount = "state"

// latents returns what is counted of the latent variables: the state itself, how many clusters have
// data or how many attributes are on, and how many pairs of data share a cluster, or an attribute
// once for each.
func latents(toy *toys.Toy, m models.Generative, prior []float64) []count[draw] {
	n := len(prior)
	state := count[draw]{stateCount, "state", func(d *draw) int { return d.z }, make([]string, n), prior}
	for x := range n {
		state.names[x] = "state " + toy.State(x)
	}
	_, clusters := m.(*models.Clustering)
	space, rows := toy.Lattice(), len(m.Rows())
	group := func(x, axis int) int { // of the data, 0 is none
		if clusters {
			return 1 + space.Coord(x, axis)
		}
		return space.Coord(x, axis) * (1 + axis%(space.Dims()/rows))
	}
	used, pairs := make([]int, n), make([]int, n)
	for x := range n {
		has := map[int]bool{}
		for a := range space.Dims() {
			g := group(x, a)
			if g == 0 {
				continue
			}
			if has[g] = true; !clusters {
				used[x]++
			}
			for b := range a {
				if group(x, b) == g {
					pairs[x]++
				}
			}
		}
		if clusters {
			used[x] = len(has)
		}
	}
	if clusters {
		return []count[draw]{state, countOf("clusters_used", "clusters with data", used, prior),
			countOf("pairs_in_a_cluster", "pairs of data in one cluster", pairs, prior)}
	}
	return []count[draw]{state, countOf("attributes_on", "attributes that are on", used, prior),
		countOf("pairs_with_an_attribute", "pairs of data with an attribute", pairs, prior)}
}

// countOf returns the count with a number for each state.
func countOf(name, doc string, numbers []int, prior []float64) count[draw] {
	value := make([]int, len(numbers))
	l := count[draw]{name: name, doc: doc, of: func(d *draw) int { return value[d.z] }}
	all := slices.Compact(slices.Sorted(slices.Values(numbers)))
	l.law = make([]float64, len(all))
	for _, v := range all {
		l.names = append(l.names, fmt.Sprintf("%s = %d", name, v))
	}
	for x, v := range numbers {
		value[x], _ = slices.BinarySearch(all, v)
		l.law[value[x]] += prior[x]
	}
	return l
}

// jointName is the statistic of data and latent variables together.
const jointName = "log_joint"

// dataStatistics are the statistics of the data of a draw.
func dataStatistics[D any](y func(*D) [][]float64) []statistic[D] {
	meanOf := func(power func(v float64) float64) func(*D) float64 {
		return func(d *D) float64 { return mean(y(d), power) }
	}
	return []statistic[D]{
		{"mean_y", "mean of the data", meanOf(func(v float64) float64 { return v })},
		{"mean_y2", "mean of their squares", meanOf(func(v float64) float64 { return v * v })},
		{"mean_y4", "mean of their fourth powers", meanOf(func(v float64) float64 { return v * v * (v * v) })},
		{"product_of_rows", "product of the first row and the last", func(d *D) float64 {
			rows, sum := y(d), 0.0
			for j, v := range rows[0] {
				sum += v * rows[len(rows)-1][j]
			}
			return sum
		}},
	}
}

func mean(y [][]float64, of func(float64) float64) float64 {
	sum, n := 0.0, 0
	for _, row := range y {
		for _, v := range row {
			sum += of(v)
			n++
		}
	}
	return sum / float64(n)
}

// normalized returns probabilities in proportion to exp(logs).
func normalized(logs []float64) []float64 {
	p := slices.Clone(logs)
	chains.Normalize(p)
	return p
}

// shares returns the points of a P-P plot of two samples, which it sorts.
func shares(forward, ends []float64) []Point {
	sort.Float64s(forward)
	sort.Float64s(ends)
	out := []Point{{}}
	i, j := 0, 0
	for i < len(forward) || j < len(ends) {
		v := math.Inf(1)
		if i < len(forward) {
			v = forward[i]
		}
		if j < len(ends) {
			v = min(v, ends[j])
		}
		for i < len(forward) && forward[i] == v {
			i++
		}
		for j < len(ends) && ends[j] == v {
			j++
		}
		out = append(out, Point{float64(i) / float64(len(forward)), float64(j) / float64(len(ends))})
	}
	return out
}

// exactShares returns the points of a P-P plot of counts against their exact distribution.
func exactShares(law []float64, counts []int) []Point {
	total := 0
	for _, n := range counts {
		total += n
	}
	out := []Point{{}}
	p, n := 0.0, 0
	for i := range law {
		p, n = p+law[i], n+counts[i]
		out = append(out, Point{p, float64(n) / float64(total)})
	}
	return out
}
