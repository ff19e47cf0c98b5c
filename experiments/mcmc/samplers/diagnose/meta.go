package diagnose

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/selector"
	"breadboard/experiments/mcmc/samplers"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/columns"
)

// MetaOptions are the options of Meta.
type MetaOptions struct {
	N       []int // the numbers of samples
	Label   Label
	Chains  int    // K, the number of simulated chains of the label ESSD
	Repeats int    // the number of splits into training and held-out targets
	Seed    uint64 // of the splits and of the simulated chains
}

// maxRepeats is the largest number of splits.
const maxRepeats = 10_000

// leastTargets is the least number of targets, of which a fifth is held out.
const leastTargets = 5

// Material describes the data on which all methods were trained and scored.
type Material struct {
	Points   int // the number of points that the regression has seen
	Targets  int // the number of their targets
	Held     int // how many of these are held out
	Repeats  int
	Omitted  []Omission
	Constant []string // the names of features that are the same at every point
}

// calibration returns the options of the study that finds the numbers of the regression.
func (o *MetaOptions) calibration() *CalibrateOptions {
	c := &CalibrateOptions{N: o.N, Seed: o.Seed, MeanOnly: true}
	if o.Label == essd {
		c.Chains = o.Chains
	}
	return c
}

func (o *MetaOptions) checkProblems(problems []samplers.Problem) error {
	if !slices.Contains(Labels(), o.Label) {
		var choices []string
		for _, l := range Labels() {
			choices = append(choices, string(l))
		}
		return selector.UnknownError("label", string(o.Label), choices)
	}
	if o.Repeats < 1 || o.Repeats > maxRepeats {
		return errs.New("{splits} %d; give a number of splits from 1 to %d", o.Repeats, maxRepeats)
	}
	if o.Label == essd && o.Chains < 1 {
		return errs.New("{chains} %d, and the label essd needs simulated chains; give at least 2", o.Chains)
	}
	var names []string
	for _, p := range problems {
		if p.Toy.Lattice() == nil {
			return errs.New(
				"toy %s is on a graph, and its states have no coordinates, but their number is a feature "+
					"of the regression; leave it out",
				p.Toy.Name,
			)
		}
		if len(names) == 0 || names[len(names)-1] != p.Toy.Name {
			names = append(names, p.Toy.Name)
		}
	}
	if len(names) < leastTargets {
		return errs.New(
			"%d targets (%s); a fifth of them is held out, so give at least %d, such as {corpus} small",
			len(names),
			strings.Join(names, ", "),
			leastTargets,
		)
	}
	if settings := len(samplers.Settings(problems, o.N)); settings > maxPoints {
		return errs.New(
			"%d settings; the limit for Gaussian processes is %d points: give fewer targets, kernels, "+
				"starts, functions or {N}",
			settings,
			maxPoints,
		)
	}
	return nil
}

// metaPlan finds the diagnostics and the errors of every problem, and how well the former predict
// the latter.
func metaPlan(ctx context.Context, problems []samplers.Problem,
	o *MetaOptions) (p study.Plan[MetaRow], err error) {
	if err := o.checkProblems(problems); err != nil {
		return p, err
	}
	calibration, err := calibratePlan(ctx, problems, o.calibration())
	p.Steps = calibration.Steps + o.Repeats*len(methods())
	p.Run = func(ctx context.Context, h study.How) ([]MetaRow, error) {
		rows, err := calibration.Run(ctx, h)
		if err != nil {
			return nil, err
		}
		return regress(ctx, rows, o, h)
	}
	return p, err
}

// regress compares the methods on the rows of the calibration.
func regress(ctx context.Context, rows []CalibrateRow, o *MetaOptions, h study.How) ([]MetaRow, error) {
	all, omitted := points(rows, o.Label)
	names := targets(all)
	if len(names) < leastTargets {
		return nil, errs.New("without the omitted points (%s) %d targets remain; a regression needs at least %d",
			omissions(omitted), len(names), leastTargets)
	}
	from := &Material{Points: len(all), Targets: len(names), Repeats: o.Repeats, Omitted: omitted}
	for _, held := range split(names, o.Seed, 0) {
		if held {
			from.Held++
		}
	}
	for d, f := range features() {
		if constant(column(all, func(p point) float64 { return p.features[d] })) {
			from.Constant = append(from.Constant, f.Name)
		}
	}
	out, err := compare(ctx, all, o, h)
	for i := range out {
		out[i].From = from
	}
	return out, err
}

func omissions(list []Omission) string {
	var parts []string
	for _, o := range list {
		parts = append(parts, o.String())
	}
	return strings.Join(parts, ", ")
}

// String returns the number of omitted points and the reason.
func (o Omission) String() string { return fmt.Sprintf("%d points at which %s", o.Points, o.Reason) }

// Feature is a property of chains that does not need the error of their mean.
type Feature struct {
	Name string // as in the name of a method without it: GP-ESS
	of   func(r *CalibrateRow, s *Scores) float64
}

// features returns the features of the regression, as in section 4.6 of Turner and Neal 2017.
func features() []Feature {
	return []Feature{
		{"D", // the number of coordinates of a state
			func(r *CalibrateRow, _ *Scores) float64 { return float64(r.Toy.Lattice().Dims()) }},
		{"ESS", func(_ *CalibrateRow, s *Scores) float64 { return number.Log(s.ESS) }},
		{"G", // Geweke's score
			func(_ *CalibrateRow, s *Scores) float64 { return number.Log(s.GewekeMedian) }},
		{"GR", // Gelman and Rubin's R-hat
			func(_ *CalibrateRow, s *Scores) float64 { return logAway(s.RHat) }},
	}
}

// resolved is how far an R-hat must be from one for the logarithm of the distance to be more than
// rounding.
const resolved = 1e-12

// logAway returns log |rhat - 1|, and minus infinity where the distance is rounding.
func logAway(rhat float64) float64 {
	if math.Abs(rhat-1) <= resolved {
		return math.Inf(-1)
	}
	return number.Log(math.Abs(rhat - 1))
}

// Label is the predicted quantity.
type Label string

const (
	Exact Label = "exact" // log(ESS/RESS) of the exact expectations and the exact mean squared error
	essd  Label = "essd"  // the ESS deviation of simulated chains, Eq. 8
)

// Labels returns all labels.
func Labels() []Label { return []Label{Exact, essd} }

// Column returns the title of the label.
func (l Label) Column() string {
	if l == essd {
		return "ESSD"
	}
	return "log(ESS/RESS)"
}

// scores returns the numbers of a row from which the label and the features are taken.
func (l Label) scores(r *CalibrateRow) *Scores {
	if l == essd {
		return r.Simulated
	}
	return r.Exact
}

// scoreOf returns the label of a row.
func (l Label) scoreOf(s *Scores) float64 {
	if l == essd {
		return s.ESSD
	}
	return number.Log(s.ESS / s.Mean)
}

// point is a row as the regression sees it.
type point struct {
	target   string
	features []float64
	label    float64
}

// points returns the points of rows, and how many have been left out, for each reason. A point
// whose label or a feature is not a finite number has no place in a regression: a stand-in for it
// would be a number that was not measured.
func points(rows []CalibrateRow, l Label) (out []point, left []Omission) {
	omit := func(why string) {
		for i := range left {
			if left[i].Reason == why {
				left[i].Points++
				return
			}
		}
		left = append(left, Omission{why, 1})
	}
	for i := range rows {
		r := &rows[i]
		s := l.scores(r)
		p := point{target: r.Toy.Name, label: l.scoreOf(s)}
		if !finite(p.label) {
			omit("the label is not finite")
			continue
		}
		for _, f := range features() {
			v := f.of(r, s)
			if !finite(v) {
				omit("feature " + f.Name + " is not finite")
				break
			}
			p.features = append(p.features, v)
		}
		if len(p.features) == len(features()) {
			out = append(out, p)
		}
	}
	return out, left
}

func finite(v float64) bool { return v-v == 0 }

// Omission is a number of omitted points, with the reason.
type Omission struct {
	Reason string
	Points int
}

// Meta declares the study of how well diagnostics, taken together, predict the error of the mean of
// a chain.
func Meta() *study.Study[samplers.Problem, MetaOptions, MetaRow] {
	var labels []string
	for _, l := range Labels() {
		labels = append(labels, string(l))
	}
	return study.New(
		MetaOptions{N: []int{300}, Label: Exact, Chains: 8, Repeats: 3, Seed: 1}, metaPlan, study.Declaration{
			Says: columns.Sentence{
				Least: "mse",
				Text:  "{label}: {method} has the smallest mean squared error, {mse}",
			},
			Name: "samplers meta",
			Cost: func(s subject.Size) subject.Cost { return s.General }, // of rows
			Asks: "How well do all diagnostics together predict the error of a chain's mean?",
			Help: `meta predicts the error of the mean of a chain from its diagnostics, and scores
the predictions on held-out targets (Turner and Neal 2017, section 4.6 and
Table 2).

The label exact is log(ESS/RESS); essd is the ESS deviation (Eq. 8) of
simulated chains. The features are log ESS, log |R-hat - 1|, log |G| with
Geweke's score G, and D, the number of coordinates. GP is a Gaussian process,
GP-D lacks D, linear is least squares, and iid has no features. NLL is the mean
negative log density minus that of GP. Each split holds out a fifth of the
targets.

See breadboard help mixing.`,
			Examples: `  breadboard samplers meta
  breadboard samplers meta --label essd -N 1000
  breadboard samplers meta --corpus small --kernel metropolis,heatbath --start uniform,target --function x0,g --splits 50 --out results`,
			Counts: "steps", Workers: true,
			Options: study.OptionsOf(func(o *MetaOptions) []study.Option {
				return []study.Option{
					samplers.SamplesOption(&o.N, nil),
					{Name: "label",
						To: study.Selector((*string)(&o.Label), labels)},
					study.CountOption(paramChains, "for the label essd", &o.Chains, nil),
					study.CountOption("splits", "", &o.Repeats, nil),
					study.SeedOption(&o.Seed, nil),
				}
			}),
			Idle:    study.IdleOf(func(_ []samplers.Problem, o *MetaOptions) bool { return o.Label != essd }, "chains"),
			Columns: metaColumns(),
			View:    reports.Untyped(metaReport),
			About:   samplers.OnCorpus("standard", "x0"),
			Unswept: "it learns from the chains of many targets together",
		})
}

// metaColumns lists the columns of the study, those of Table 2 of Turner and Neal 2017.
func metaColumns() columns.List {
	type row = MetaRow
	numeric := func(name, title, unit string, digits int, meaning string,
		of func(*row) float64) columns.Field {
		return columns.Estimated(name, title, meaning, of).OrEmpty().In(unit).Digits(digits)
	}
	return columns.List{
		columns.Of("method", "method", "the method of regression", func(r *row) string { return r.Method }),
		columns.Any("label", "label", columns.String,
			"the label that is predicted: exact is log(ESS/RESS), essd the ESS deviation", func(r *row) any {
				return columns.Both{Machine: string(r.Label), People: r.Label.Column()}
			}),
		numeric("mse", "MSE", "", 4, "the mean squared error on held-out targets",
			func(r *row) float64 { return r.MSE }).Answer(),
		numeric("mse_se", "se of MSE", "", 2,
			"the standard error over the splits of the difference of mse from that of GP",
			func(r *row) float64 { return r.MSEError }),
		numeric("p_mse", "p of MSE", "", 2, "the p-value of a paired t-test of that difference",
			func(r *row) float64 { return r.MSEP }).Answer(),
		numeric("nll", "NLL", "nats", 4, "the mean negative log density on held-out targets, minus that of GP",
			func(r *row) float64 { return r.NLL }).Answer(),
		numeric("nll_se", "se of NLL", "nats", 2, "the standard error over the splits of nll",
			func(r *row) float64 { return r.NLLError }),
		numeric("p_nll", "p of NLL", "", 2, "the p-value of a paired t-test of nll",
			func(r *row) float64 { return r.NLLP }).Answer(),
	}
}
