package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"breadboard/chains/diagnostics"
	"breadboard/chains/estimators"
	"breadboard/chains/number"
	"breadboard/experiments/marginal/sandwich"
	"breadboard/experiments/subject"
	"breadboard/experiments/sweeps/sweep"
)

// Row is the result of the trials of an estimator with one setting for log p(y) of one data set.
// Logarithms are in nats.
type Row struct {
	Model         string
	Rows, Columns int
	Data          int // the number of the data set
	Estimator     string
	Legend        string // its name in figures
	Exact         bool   // whether it starts at an exact draw
	Knob          string // the name of the setting, as T
	Setting       int
	Trials        int // the number of finished trials

	Mean, SE, SD float64 // of the estimates of log p(y); SE is that of the mean
	// Truth is the middle of annealing forward and in reverse with the largest T, and Doubt half
	// the distance between them.
	Truth, Doubt float64
	TruthSE      float64 // the standard error of Truth over chains, conditional on the exact draw
	Bias         float64 // Mean - Truth
	RMSE         float64 // of one trial; NaN for the trials that Truth comes from
	// Combined is the estimate that combines all trials (see Combination), and CombinedError its
	// distance from Truth; it is NaN if RMSE is.
	Combination             estimators.Combination
	Combined, CombinedError float64
	// Above1 and Above3 are the fractions of trials more than 1 and 3 nats above Truth. For a
	// stochastic lower bound they are at most exp(-1) and exp(-3) on average.
	Above1, Above3 float64
	Work           float64 // evaluations of log f of a trial, on average
	Seconds        float64 // of a trial: the median, since a busy machine slows some trials down
	Steps          float64 // of nested sampling, on average; NaN elsewhere
	Notes          []string
}

// variant is one of the estimates of a trial: most estimators have one, and nested sampling has
// four.
type variant struct {
	name, legend string
	of, steps    func(*sandwich.Estimate) float64
}

// earlyStop ends the names of the estimates of nested sampling with the stop 1 + exp(-10).
const earlyStop = ":early"

// variants returns the estimates that the trials of an estimator give.
func variants(c sandwich.Choice) []variant {
	none := func(*sandwich.Estimate) float64 { return math.NaN() }
	steps := func(e *sandwich.Estimate) float64 { return e.Steps }
	early := func(e *sandwich.Estimate) float64 { return e.StepsEarly }
	plain := variant{c.Name, c.Legend, func(e *sandwich.Estimate) float64 { return e.LogZ }, none}
	switch kind, _, _ := strings.Cut(c.Name, ":"); kind {
	case "vb":
		return []variant{plain, {c.Name + ":sym", c.Legend + " + log K!",
			func(e *sandwich.Estimate) float64 { return e.LogZSymmetric }, none}}
	case sandwich.Nested:
		plain.steps = steps
		return []variant{
			plain,
			{c.Name + ":unbiased", c.Legend + ", unbiased volumes",
				func(e *sandwich.Estimate) float64 { return e.LogZUnbiased }, steps},
			{c.Name + earlyStop, c.Legend + ", early stop",
				func(e *sandwich.Estimate) float64 { return e.LogZEarly }, early},
			{c.Name + ":unbiased" + earlyStop, c.Legend + ", unbiased, early",
				func(e *sandwich.Estimate) float64 { return e.LogZUnbiasedEarly }, early},
		}
	}
	return []variant{plain}
}

// group is the trials of an estimator with one setting on one data set.
type group struct {
	set     sandwich.Set
	choice  sandwich.Choice
	knob    int
	trials  []sandwich.Estimate
	failed  int
	failure string // of the first failed trial
}

// Rows summarises the results of the sweep of a comparison. Missing trials, as of an interrupted
// comparison, are omitted, and so are settings with fewer than two.
func Rows(results []sweep.Row) ([]Row, error) {
	groups, err := groupsOf(results)
	if err != nil {
		return nil, err
	}
	truths := truthsOf(groups)
	var rows []Row
	for _, g := range groups {
		if len(g.trials) < 2 {
			continue
		}
		for _, v := range variants(g.choice) {
			rows = append(rows, g.summarise(v, truths[keyOf(g.set)]))
		}
	}
	return rows, nil
}

// groupsOf collects the trials of each setting, in the order of the sweep.
func groupsOf(results []sweep.Row) ([]*group, error) {
	place := map[string]*group{}
	var groups []*group
	for _, r := range results {
		a, err := sandwich.AttemptOf(subject.Params(r.Cell))
		if err != nil {
			return nil, err
		}
		key := fmt.Sprint(keyOf(a.Set), a.By.Name, a.Knob)
		g := place[key]
		if g == nil {
			g = &group{set: a.Set, choice: a.By, knob: a.Knob}
			place[key], groups = g, append(groups, g)
		}
		if r.Values == nil {
			g.failed++
			if g.failed == 1 {
				g.failure = r.Error
			}
			continue
		}
		g.trials = append(g.trials, sandwich.EstimateOf(r.Numbers))
	}
	slices.SortStableFunc(groups, byPlace)
	return groups, nil
}

// keyOf names a data set.
func keyOf(s sandwich.Set) string {
	return fmt.Sprint(s.Model.Name, " ", s.Rows, " ", s.Columns, " ", s.Seed, " ", s.Number)
}

// byPlace sorts the groups of a model by data set.
func byPlace(a, b *group) int {
	if a.set.Model.Name != b.set.Model.Name {
		return 0
	}
	return a.set.Number - b.set.Number
}

// truth is the ground truth of a data set.
type truth struct {
	value, doubt, se float64
	setting          map[string]int // the largest T of each direction
}

// truthsOf returns the ground truth of every data set with annealing in both directions.
func truthsOf(groups []*group) map[string]*truth {
	longest := map[string]map[string]*group{}
	for _, g := range groups {
		if (g.choice.Name != sandwich.TruthForward && g.choice.Name != sandwich.TruthReverse) ||
			len(g.trials) < 2 {
			continue
		}
		key := keyOf(g.set)
		if longest[key] == nil {
			longest[key] = map[string]*group{}
		}
		if best := longest[key][g.choice.Name]; best == nil || g.knob > best.knob {
			longest[key][g.choice.Name] = g
		}
	}
	truths := map[string]*truth{}
	for key, ends := range longest {
		if forward, reverse := ends[sandwich.TruthForward], ends[sandwich.TruthReverse]; forward != nil &&
			reverse != nil {
			low, lowSE := forward.meanEstimate()
			high, highSE := reverse.meanEstimate()
			truths[key] = &truth{(low + high) / 2, math.Abs(high-low) / 2, math.Hypot(lowSE, highSE) / 2,
				map[string]int{sandwich.TruthForward: forward.knob, sandwich.TruthReverse: reverse.knob}}
		}
	}
	return truths
}

// meanEstimate returns the mean estimate of the trials, and its standard error.
func (g *group) meanEstimate() (mean, se float64) {
	mean, sd := stat.MeanStdDev(g.numbers(func(e *sandwich.Estimate) float64 { return e.LogZ }), nil)
	return mean, sd / math.Sqrt(float64(len(g.trials)))
}

// numbers returns a number of each trial.
func (g *group) numbers(of func(*sandwich.Estimate) float64) []float64 {
	out := make([]float64, len(g.trials))
	for i := range g.trials {
		out[i] = of(&g.trials[i])
	}
	return out
}

// summarise summarises the trials of a group for one of their estimates.
func (g *group) summarise(v variant, t *truth) Row {
	n := float64(len(g.trials))
	r := Row{
		Model:       g.set.Model.Name,
		Rows:        g.set.Rows,
		Columns:     g.set.Columns,
		Data:        g.set.Number,
		Estimator:   v.name,
		Legend:      v.legend,
		Exact:       g.choice.Exact,
		Knob:        g.choice.Knob,
		Setting:     g.knob,
		Trials:      len(g.trials),
		Combination: g.choice.Combination,
	}
	logs := g.numbers(v.of)
	r.Work = stat.Mean(g.numbers(func(e *sandwich.Estimate) float64 { return e.Work }), nil)
	r.Steps = stat.Mean(g.numbers(v.steps), nil)
	r.Seconds = diagnostics.Median(g.numbers(func(e *sandwich.Estimate) float64 { return e.Seconds }))
	r.Mean, r.SD = stat.MeanStdDev(logs, nil)
	r.SE = r.SD / math.Sqrt(n)
	r.Combined = combine(g.choice.Combination, logs)
	r.against(t, logs, g.choice.Name, g.knob)
	if g.failed > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("%d trials failed: %s", g.failed, g.failure))
	}
	return r
}

// against compares the estimates with the ground truth, if there is one.
func (r *Row) against(t *truth, logs []float64, choice string, knob int) {
	nan := math.NaN()
	r.Truth = nan
	r.Doubt = nan
	r.TruthSE = nan
	r.Bias = nan
	r.RMSE = nan
	r.CombinedError = nan
	r.Above1 = nan
	r.Above3 = nan
	if t == nil {
		r.Notes = append(r.Notes, "no ground truth: annealing has not run in both directions")
		return
	}
	r.Truth = t.value
	r.Doubt = t.doubt
	r.TruthSE = t.se
	r.Bias = r.Mean - t.value
	if T, made := t.setting[choice]; made && T == knob {
		r.Notes = append(r.Notes, "the ground truth comes from these trials")
		return
	}
	squares := 0.0
	above1 := 0.0
	above3 := 0.0
	for _, l := range logs {
		squares += (l - t.value) * (l - t.value)
		if l > t.value+1 {
			above1++
		}
		if l > t.value+3 {
			above3++
		}
	}
	n := float64(len(logs))
	r.RMSE = math.Sqrt(squares / n)
	r.Above1 = above1 / n
	r.Above3 = above3 / n
	r.CombinedError = r.Combined - t.value
}

// combine returns the estimate that combines independent trials.
//
// Source: Grosse, Ghahramani and Adams 2015, footnote 5.
func combine(by estimators.Combination, logs []float64) float64 {
	switch by {
	case estimators.ArithmeticMean:
		return number.LogMean(logs)
	case estimators.HarmonicMean:
		inverse := make([]float64, len(logs))
		for i, l := range logs {
			inverse[i] = -l
		}
		return -number.LogMean(inverse)
	case estimators.Maximum:
		return slices.Max(logs)
	}
	return stat.Mean(logs, nil)
}

// accurate is the root mean squared error, in nats, below which estimates distinguish classes of
// models.
//
// Source: Grosse, Ghahramani and Adams 2015, sections 6.3 and 6.4.
const accurate = 10.0

// Threshold is the accuracy and the time of an estimator on a model, over all data sets.
type Threshold struct {
	Series
	// Best is the smallest RMSE of a single trial, over data sets, with its Setting and Seconds.
	Best    float64
	Setting int
	Seconds float64
	// FirstSeconds are those of the first setting with an RMSE below Accurate; NaN if there is
	// none.
	FirstSeconds float64
	// Bias and BiasSE are those of the largest setting, over data sets; CombinedRMSE is that of all
	// of its trials combined.
	Bias, BiasSE, CombinedRMSE float64
	// Above1 and Above3 are the fractions of its trials more than 1 and 3 nats above the truth.
	Above1, Above3 float64
}

// Thresholds summarises rows over the data sets.
func Thresholds(rows []Row) []Threshold {
	var out []Threshold
	nan := math.NaN()
	for _, s := range SeriesOf(rows) {
		t := Threshold{
			Series:       s,
			Best:         math.Inf(1),
			FirstSeconds: nan,
			Bias:         nan,
			BiasSE:       nan,
			CombinedRMSE: nan,
			Above1:       nan,
			Above3:       nan,
		}
		for _, p := range s.Points {
			t.addSetting(p)
		}
		if math.IsInf(t.Best, 1) {
			t.Best = nan
			t.Seconds = nan
		}
		out = append(out, t)
	}
	return out
}

// addSetting adds one setting, on all data sets. Settings that define the truth have no error.
func (t *Threshold) addSetting(p Point) {
	if math.IsNaN(p.RMSE) {
		return
	}
	if p.RMSE < t.Best {
		t.Best = p.RMSE
		t.Setting = p.Setting
		t.Seconds = p.Seconds
	}
	if p.RMSE < accurate && math.IsNaN(t.FirstSeconds) {
		t.FirstSeconds = p.Seconds
	}
	t.Bias = p.Bias
	t.BiasSE = p.BiasSE
	t.CombinedRMSE = p.CombinedRMSE
	t.Above1 = p.Above1
	t.Above3 = p.Above3
}

// Point is an estimator with one setting on all data sets of a model.
type Point struct {
	Setting int
	Seconds float64 // of a trial, on average
	// on average over data sets; BiasSE is over data sets if there are several, and over trials
	// else
	Bias, BiasSE       float64
	CombinedBias       float64
	RMSE, CombinedRMSE float64 // NaN for the trials that the truth comes from
	Above1, Above3     float64
}

// pointOf summarises the rows of one setting on all data sets.
func pointOf(rows []Row) Point {
	n := float64(len(rows))
	p := Point{Setting: rows[0].Setting}
	squares := 0.0
	combined := 0.0
	biases := 0.0
	for _, r := range rows {
		p.Seconds += r.Seconds / n
		p.Bias += r.Bias / n
		p.CombinedBias += (r.Combined - r.Truth) / n
		p.Above1, p.Above3 = p.Above1+r.Above1/n, p.Above3+r.Above3/n
		squares += r.RMSE * r.RMSE / n
		combined += r.CombinedError * r.CombinedError / n
	}
	for _, r := range rows {
		biases += (r.Bias - p.Bias) * (r.Bias - p.Bias)
	}
	p.BiasSE = rows[0].SE
	if n > 1 {
		p.BiasSE = math.Sqrt(biases / (n - 1) / n)
	}
	p.RMSE = math.Sqrt(squares)
	p.CombinedRMSE = math.Sqrt(combined)
	return p
}

// Doubtful returns the rows, the first of each data set, whose ground truth is uncertain by half a
// nat or more.
func Doubtful(rows []Row) (out []Row) {
	seen := map[string]bool{}
	for _, r := range rows {
		key := fmt.Sprint(r.Model, " ", r.Data)
		if !seen[key] && 2*r.Doubt > sandwich.Agreement {
			out = append(out, r)
		}
		seen[key] = true
	}
	return out
}

// Series are the points of an estimator on a model, in order of the setting.
type Series struct {
	Model, Estimator, Legend string
	Exact                    bool
	Knob                     string
	Datasets                 int // the number of data sets on which the first setting has run
	Points                   []Point
}

// SeriesOf returns the points of every estimator on every model.
func SeriesOf(rows []Row) (out []Series) {
	type estimator struct{ model, name string }
	type setting struct {
		estimator
		knob int
	}
	var estimators []estimator
	settings := map[estimator][]setting{}
	blocks := map[setting][]Row{}
	for _, r := range rows {
		e := estimator{r.Model, r.Estimator}
		s := setting{e, r.Setting}
		if settings[e] == nil {
			estimators = append(estimators, e)
		}
		if blocks[s] == nil {
			settings[e] = append(settings[e], s)
		}
		blocks[s] = append(blocks[s], r)
	}
	for _, e := range estimators {
		first := blocks[settings[e][0]]
		s := Series{first[0].Model, first[0].Estimator, first[0].Legend, first[0].Exact, first[0].Knob,
			len(first), nil}
		for _, at := range settings[e] {
			s.Points = append(s.Points, pointOf(blocks[at]))
		}
		out = append(out, s)
	}
	return out
}
