package sandwich

import (
	"context"
	"fmt"
	"slices"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/chains/selector"
	"breadboard/experiments/marginal/evidence"
	"breadboard/experiments/subject"
	"breadboard/toys/latent"
	"breadboard/toys/models"
)

// CheckOptions say which samplers are tested against their distributions, and how.
type CheckOptions struct {
	Toys       []string // selectors of models of clusters and of binary attributes
	Estimators []string // names, as Estimators returns them; empty for all
	Runs       int      // the largest number of runs of each test
	Seed       uint64
	Alpha      float64          // the probability of a false alarm among all tests
	Workers    int              // 0 is one for each processor
	Progress   func(claims int) // called from several goroutines at once; may be nil
}

// DefaultCheckRuns is the default largest number of runs of a test.
const DefaultCheckRuns = 4096

// DefaultCheckToys are the selectors of the default toys: clusters that differ, clusters that are
// alike, and binary attributes.
func DefaultCheckToys() []string { return []string{"clu6", "clu8", "bin4"} }

// checked is an estimator of package sandwich with a value of its knob, and the estimator of
// package experiments/marginal/evidence with the same distribution.
type checked struct {
	name    string
	knob    int
	law     string
	setting int
}

// checkeds are the estimators that are checked. Knobs are small, since an error in a kernel shows
// most after few steps: after many, the chain is near its distributions in any order of a scan.
func checkeds() []checked {
	return []checked{
		{"lw", 3, "lw", 3},
		{"hme", 3, "hme:chain", 3},
		{"ais", 4, "ais", 4},
		{"ais", 10, "ais", 10},
		{"rais", 4, "rais", 4},
		{"rais", 10, "rais", 10},
		{"smc", 1, "smc:posterior:1", 0},
		{"shme", 1, "shme:posterior:1", 0},
	}
}

// CheckEstimators returns the names of the estimators that are checked.
func CheckEstimators() (names []string) {
	for _, s := range checkeds() {
		names = append(names, s.name)
	}
	return slices.Compact(names)
}

// claims returns the claims to test, toy by toy.
func (o *CheckOptions) claims(ctx context.Context) ([]evidence.Claim, error) {
	for _, name := range o.Estimators {
		if !slices.Contains(CheckEstimators(), name) {
			return nil, selector.UnknownError("estimator", name, CheckEstimators())
		}
	}
	if len(o.Toys) == 0 {
		return nil, chains.NewAdvice("no toy is given; give {toy} clu6, clu8 or bin4")
	}
	cases, err := evidence.Cases(ctx, subject.Selection{Toys: o.Toys, Path: "tempered", Schedule: Schedule().String()})
	if err != nil {
		return nil, err
	}
	var claims []evidence.Claim
	for i := range cases {
		if _, err := sampledOf(&cases[i]); err != nil {
			return nil, err
		}
		for _, s := range checkeds() {
			if o.wants(s) {
				claims = append(claims, s.claim(&cases[i]))
			}
		}
	}
	return claims, nil
}

// claim is the claim that the estimator on the data of a toy has its distribution.
func (s checked) claim(on *subject.Case) evidence.Claim {
	return evidence.Claim{Case: *on, Estimator: s.law, Setting: s.setting, New: func() (evidence.Program, error) {
		by, err := ChoiceNamed(s.name)
		if err != nil {
			return nil, err
		}
		m, err := sampledOf(on)
		if err != nil {
			return nil, err
		}
		run, err := m.trials(by, s.knob)
		return program(run), err
	}}
}

// program makes estimates of log Z by trials; Check can stop between two of them.
type program Trials

// Estimate implements evidence.Program. It panics if a trial fails, which the checked estimators
// cannot.
func (p program) Estimate(c chains.RealChooser) float64 {
	e, err := p(context.Background(), c)
	if err != nil {
		panic(fmt.Sprintf("agreement: a trial failed: %v", err))
	}
	return e.LogZ
}

// Validate returns an error for invalid options, and nil if they are valid.
func (o *CheckOptions) Validate(ctx context.Context) error {
	if _, err := o.claims(ctx); err != nil {
		return err
	}
	check := o.check()
	return check.ValidateTests()
}

// Claims returns the number of estimators that Check tests, which Progress counts.
func (o *CheckOptions) Claims() (claims int) {
	for _, s := range checkeds() {
		if o.wants(s) {
			claims += len(o.Toys)
		}
	}
	return claims
}

// wants reports whether an estimator is checked.
func (o *CheckOptions) wants(s checked) bool {
	return len(o.Estimators) == 0 || slices.Contains(o.Estimators, s.name)
}

// check returns the options of the tests.
func (o *CheckOptions) check() evidence.CheckOptions {
	return evidence.CheckOptions{Runs: o.Runs, Seed: o.Seed, Alpha: o.Alpha, Workers: o.Workers, Progress: o.Progress}
}

// Check tests runs of every estimator on every toy against its exact distribution, and returns the
// findings, toy by toy.
func Check(ctx context.Context, o CheckOptions) ([]evidence.Finding, error) {
	claims, err := o.claims(ctx)
	if err != nil {
		return nil, err
	}
	return evidence.CheckClaims(ctx, claims, o.check())
}

// CheckSampled is a model at full size with its data, and the same along its data. Posterior draws
// exactly for both.
type CheckSampled[S comparable] struct {
	Model Sampled[S]
	Along estimators.Data[chains.RealChooser, S]
}

// trials returns trials of an estimator, for one goroutine.
func (m CheckSampled[S]) trials(by Choice, knob int) (Trials, error) {
	return TrialsOn(by, knob, m.Model, m.Along)
}

// sampled is a Sampled of any type of states.
type sampled interface {
	trials(by Choice, knob int) (Trials, error)
}

// sampledOf returns the model at full size on the data of a toy.
func sampledOf(on *subject.Case) (sampled, error) {
	switch m := on.Toy.Model.(type) {
	case *models.Clustering:
		return Clustering(m)
	case *models.Binary:
		return binary(m)
	}
	return nil, fmt.Errorf("toy %s has no model at full size; give toys of clusterings or binary attributes, such as clu6, clu8 or bin4", on.Toy.Name)
}

// Clustering returns the full-size clustering with the data of one on a lattice.
func Clustering(of *models.Clustering) (CheckSampled[*latent.ClusteringState], error) {
	m, err := latent.NewClustering(of.Y, len(of.Pi), of.Clusters)
	if err != nil {
		return CheckSampled[*latent.ClusteringState]{}, err
	}
	return withPosterior(of, m, m.Along(), m.Refresh, func(z []int) *latent.ClusteringState { return &latent.ClusteringState{Z: z, Hyper: of.Clusters} }), nil
}

// binary returns the full-size model of binary attributes with the data of one on a lattice.
func binary(of *models.Binary) (CheckSampled[*latent.BinaryState], error) {
	m, err := latent.NewBinary(of.Y, len(of.Pi), of.Attributes)
	if err != nil {
		return CheckSampled[*latent.BinaryState]{}, err
	}
	return withPosterior(of, m, m.Along(), m.Refresh, func(z []int) *latent.BinaryState { return &latent.BinaryState{Z: z, Hyper: of.Attributes} }), nil
}

// posterior is the exact posterior of a model on a lattice, with states of another type.
type posterior[S any] struct {
	states []S
	p      []float64
	clone  func(S) S
}

// draw draws a state, which the caller may change.
func (p posterior[S]) draw(c chains.RealChooser) S { return p.clone(p.states[c.Choose(p.p)]) }

// withPosterior returns a model whose starts are independent exact draws. (Simulated data have one
// start, which is distributed like a posterior draw only over data sets.) Latent converts the
// coordinates of a state on the lattice into a state of the model, and refresh updates its derived
// values.
func withPosterior[S comparable](of models.Model, m Sampled[S], a estimators.Data[chains.RealChooser, S], refresh func(S),
	latent func(z []int) S) CheckSampled[S] {
	exact := posterior[S]{p: of.LogPrior(), clone: m.Clone}
	space := of.Space()
	for x, l := range of.LogLikelihood(1) {
		exact.p[x] += l
		z := make([]int, space.Dims())
		for axis := range z {
			z[axis] = space.Coord(x, axis)
		}
		s := latent(z)
		refresh(s)
		exact.states = append(exact.states, s)
	}
	chains.Normalize(exact.p)
	return CheckSampled[S]{started[S]{m, exact}, startedAlong[S]{a, exact}}
}

// started is a model whose Posterior draws exactly.
type started[S comparable] struct {
	Sampled[S]
	exact posterior[S]
}

// Posterior implements evidence.Model.
func (m started[S]) Posterior(c chains.RealChooser) S { return m.exact.draw(c) }

// view is a model along its data, embedded under a name that leaves the method Data free.
type view[S comparable] estimators.Data[chains.RealChooser, S]

// startedAlong is a model along its data whose Posterior of all data draws exactly.
type startedAlong[S comparable] struct {
	view[S]
	exact posterior[S]
}

// Posterior implements evidence.Data for all data; only their posterior is known here.
func (a startedAlong[S]) Posterior(c chains.RealChooser, t int) S {
	if t != a.Data() {
		return a.view.Posterior(c, t) // returns an error
	}
	return a.exact.draw(c)
}
