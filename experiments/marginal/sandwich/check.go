package sandwich

import (
	"context"
	"fmt"
	"slices"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/chains/selector"
	"breadboard/experiments"
	"breadboard/experiments/marginal/evidence"
	"breadboard/toys/latent"
	"breadboard/toys/models"
)

// CheckOptions say which samplers are held to their distributions, and how.
type CheckOptions struct {
	Toys       []string // selectors of models of clusters and of binary attributes
	Estimators []string // names, as Estimators returns them; empty for all
	Runs       int      // the largest number of runs of each test
	Seed       uint64
	Alpha      float64          // the probability of a false alarm among all tests
	Workers    int              // 0 is one for each processor
	Progress   func(claims int) // called from several goroutines at once; may be nil
}

// DefaultCheckRuns is the largest number of runs of a test where nothing else is said.
const DefaultCheckRuns = 4096

// DefaultCheckToys are the selectors of the toys that are checked where no other is named: clusters that are not alike, clusters that are, and
// binary attributes.
func DefaultCheckToys() []string { return []string{"clu6", "clu8", "bin4"} }

// subject is an estimator of package sandwich with one value of its knob, and the estimator of package experiments/marginal/evidence whose distribution it
// should have.
type subject struct {
	name    string
	knob    int
	law     string
	setting int
}

// subjects are what is checked. Knobs are small, as an error of a move shows most where few moves are made: with many the chain is near
// its distributions all the time, in whatever order a scan is made.
func subjects() []subject {
	return []subject{
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
	for _, s := range subjects() {
		names = append(names, s.name)
	}
	return slices.Compact(names)
}

// claims returns what is checked, toy by toy.
func (o *CheckOptions) claims(ctx context.Context) ([]evidence.Claim, error) {
	for _, name := range o.Estimators {
		if !slices.Contains(CheckEstimators(), name) {
			return nil, selector.UnknownError("estimator", name, CheckEstimators())
		}
	}
	if len(o.Toys) == 0 {
		return nil, chains.NewAdvice("no toy is named; give {toy} clu6, clu8 or bin4")
	}
	cases, err := evidence.Cases(ctx, experiments.Selection{Toys: o.Toys, Path: "tempered", Schedule: Schedule().String()})
	if err != nil {
		return nil, err
	}
	var claims []evidence.Claim
	for i := range cases {
		if _, err := sampledOf(&cases[i]); err != nil {
			return nil, err
		}
		for _, s := range subjects() {
			if o.wants(s) {
				claims = append(claims, s.claim(&cases[i]))
			}
		}
	}
	return claims, nil
}

// claim says that the estimator on the data of a toy has its law.
func (s subject) claim(on *experiments.Case) evidence.Claim {
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

// program makes estimates of log Z by trials, which Check interrupts between two of them.
type program Trials

// Estimate implements evidence.Program. It panics where a trial fails, which those that are checked here cannot.
func (p program) Estimate(c chains.RealChooser) float64 {
	e, err := p(context.Background(), c)
	if err != nil {
		panic(fmt.Sprintf("agreement: a trial failed: %v", err))
	}
	return e.LogZ
}

// Validate returns an error that says what is wrong with the options, and nil if they are valid.
func (o *CheckOptions) Validate(ctx context.Context) error {
	if _, err := o.claims(ctx); err != nil {
		return err
	}
	check := o.check()
	return check.ValidateTests()
}

// Claims returns the number of estimators that Check tests, which is what Progress counts.
func (o *CheckOptions) Claims() (claims int) {
	for _, s := range subjects() {
		if o.wants(s) {
			claims += len(o.Toys)
		}
	}
	return claims
}

// wants reports whether an estimator is checked.
func (o *CheckOptions) wants(s subject) bool {
	return len(o.Estimators) == 0 || slices.Contains(o.Estimators, s.name)
}

// check returns the options of the tests.
func (o *CheckOptions) check() evidence.CheckOptions {
	return evidence.CheckOptions{Runs: o.Runs, Seed: o.Seed, Alpha: o.Alpha, Workers: o.Workers, Progress: o.Progress}
}

// Check tests runs of every estimator on every toy against its exact distribution, and returns what the tests have found, toy by toy.
func Check(ctx context.Context, o CheckOptions) ([]evidence.Finding, error) {
	claims, err := o.claims(ctx)
	if err != nil {
		return nil, err
	}
	return evidence.CheckClaims(ctx, claims, o.check())
}

// CheckSampled is a model at full size with its data, and the same along its data. Posterior of both draws exactly.
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
func sampledOf(on *experiments.Case) (sampled, error) {
	switch m := on.Toy.Model.(type) {
	case *models.Clustering:
		return Clustering(m)
	case *models.Binary:
		return binary(m)
	}
	return nil, fmt.Errorf("toy %s has no model at full size; give toys of clusterings or binary attributes, such as clu6, clu8 or bin4", on.Toy.Name)
}

// Clustering returns the clustering at full size of the data of one on a lattice.
func Clustering(of *models.Clustering) (CheckSampled[*latent.ClusteringState], error) {
	m, err := latent.NewClustering(of.Y, len(of.Pi), of.Clusters)
	if err != nil {
		return CheckSampled[*latent.ClusteringState]{}, err
	}
	return withPosterior(of, m, m.Along(), m.Refresh, func(z []int) *latent.ClusteringState { return &latent.ClusteringState{Z: z, Hyper: of.Clusters} }), nil
}

// binary returns the model of binary attributes at full size of the data of one on a lattice.
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

// draw draws a state that is the caller's to change.
func (p posterior[S]) draw(c chains.RealChooser) S { return p.clone(p.states[c.Choose(p.p)]) }

// withPosterior returns a model of which every start is a new exact draw: simulated data have one start, whose distribution is that of a posterior
// only over data sets. Latent turns the coordinates of a state on the lattice into a state of the model, and refresh sets what that keeps.
func withPosterior[S comparable](of models.Model, m Sampled[S], a estimators.Data[chains.RealChooser, S], refresh func(S), latent func(z []int) S) CheckSampled[S] {
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

// view is a model along its data, under a name that its method Data leaves free.
type view[S comparable] estimators.Data[chains.RealChooser, S]

// startedAlong is a model along its data whose Posterior of all data draws exactly.
type startedAlong[S comparable] struct {
	view[S]
	exact posterior[S]
}

// Posterior implements evidence.Data for all data, of which alone the posterior is known here.
func (a startedAlong[S]) Posterior(c chains.RealChooser, t int) S {
	if t != a.Data() {
		return a.view.Posterior(c, t) // which refuses
	}
	return a.exact.draw(c)
}
