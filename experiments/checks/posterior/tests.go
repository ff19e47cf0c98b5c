package posterior

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/chains/simulate"
	"breadboard/exact/ranks"
	"breadboard/experiments/checks/sbc"
	"breadboard/reports/columns"
)

// Test is the power of another test against a fault.
type Test struct {
	Name, Statistic string
	Nats            number.Bounded
	Event           float64 // the probability that a run shows something impossible
	Alpha           float64
	// the probability that Pearson's test finds it in TestRuns runs; NaN if it was not simulated
	Power      float64
	PowerError float64
	TestRuns   int
}

// Runs returns a lower bound on the mean number of runs that the test needs.
func (t *Test) Runs() float64 { return sbc.Runs(t.Nats, 0, t.Event, t.Alpha) }

// TestColumns lists the columns of tests.
func TestColumns() columns.List {
	return columns.List{
		columns.Of("test", "test", "the test", func(t *Test) string { return t.Name }),
		columns.Of("statistic", "statistic", "what the test looks at", func(t *Test) string { return t.Statistic }),
		columns.Of("nats_per_run", "nats per run", "KL divergence of what a run shows from what the test expects",
			func(t *Test) number.Bounded { return t.Nats }).In("nats").Answer(),
		columns.Of("event_per_run", "", "the probability that a run shows what is impossible for a right sampler",
			func(t *Test) float64 { return t.Event }),
		columns.Of("runs", "runs",
			"the least mean number of runs that it needs; +Inf if it sees nothing",
			(*Test).Runs).Answer(),
		columns.Of("power", "found",
			"the probability that Pearson's chi-squared test finds the fault in test_runs runs",
			func(t *Test) float64 { return t.Power }).OrEmpty().Answer().Digits(2),
		columns.Of("power_se", "", "the standard error of power, from 1000 simulated tests",
			func(t *Test) float64 { return t.PowerError }).OrEmpty(),
		columns.Of("test_runs", "", "the runs that the power is for", func(t *Test) int { return t.TestRuns }),
	}
}

// seen computes what SBC, Geweke's joint test and the rank test see of the sampler.
func (o *Outcome) seen(ctx context.Context, ask Options) error {
	switch {
	case o.Some:
		o.Untested = "only some data were given, so that SBC was not computed"
		return nil
	case slices.ContainsFunc(o.Findings, func(f Finding) bool { return f.Name == Support }):
		o.Untested = "the first run with a parameter that is impossible shows the fault; SBC was not computed"
		return nil
	}
	names, values := o.statistics()
	for i, name := range names {
		if err := o.ranked(ctx, ask, name, values[i]); err != nil {
			return err
		}
	}
	if _, chain := o.faulty.(ends); chain {
		o.geweke(ask)
	}
	return nil
}

// ranked adds SBC, and the rank test of Gandy and Scott, of one statistic.
func (o *Outcome) ranked(ctx context.Context, ask Options, name string, of func(y int) []float64) error {
	sbcRanks := make([]float64, ask.Draws+1)
	arms := make([]float64, ask.Draws+1)
	_, able := o.faulty.(ends)
	for y := range o.Data {
		q := ranks.Question{Truth: o.Posterior(y), Values: of(y), Draws: ask.Draws}
		law, err := ranks.Independent(ctx, q, o.faulty.lawGiven(y))
		if err != nil {
			return err
		}
		add(sbcRanks, law, o.Evidence[y])
		if able {
			law, err = ranks.Arms(ctx, q, ranks.Chain{Rows: o.steps[y], Thin: 1})
			if err != nil {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				able = false // it takes too much
				continue
			}
			add(arms, law, o.Evidence[y])
		}
	}
	roundings := ranks.Roundings(ranks.Question{Truth: o.Prior, Draws: ask.Draws}) + float64(ask.Moves)
	o.addRankTest(ask, "SBC", name, sbcRanks, ranks.Nats(sbcRanks, roundings))
	if able {
		o.addRankTest(ask, "rank test", name, arms, ranks.Nats(arms, roundings))
	}
	return nil
}

func add(to, law []float64, weight float64) {
	for k, p := range law {
		to[k] += weight * p
	}
}

// addRankTest adds a test of ranks, with its power.
func (o *Outcome) addRankTest(ask Options, test, statistic string, law []float64, nats number.Bounded) {
	t := Test{Name: test, Statistic: statistic, Nats: nats, Alpha: ask.Alpha, TestRuns: ask.Runs}
	t.Power, t.PowerError = power(law, ask.Runs, ask.Alpha, test+statistic)
	o.Tests = append(o.Tests, t)
}

// sampler gives the distribution of a draw given data.
type sampler interface{ lawGiven(y int) []float64 }

// laws are the draws of a direct sampler.
type laws [][]float64

func (l laws) lawGiven(y int) []float64 { return l[y] }

// ends are those of chains that start with a draw of the prior. Steps from parameters that the data
// exclude are not known; the chains begin at the others.
type ends struct {
	*Outcome
	moves int
}

func (e ends) lawGiven(y int) []float64 {
	law := make([]float64, len(e.Parameters))
	total := 0.0
	for x, p := range e.Prior {
		if e.Likelihood[y][x] > 0 {
			law[x] = p
			total += p
		}
	}
	for x := range law {
		law[x] /= total
	}
	next := make([]float64, len(law))
	for range e.moves {
		push(next, e.steps[y], law)
		law, next = next, law
	}
	return law
}

// push writes the distribution after a step from a distribution into next.
func push(next []float64, rows [][]chains.Entry, law []float64) {
	clear(next)
	for x, p := range law {
		if p > 0 {
			for _, e := range rows[x] {
				next[e.To] += p * e.P
			}
		}
	}
}

// geweke adds Geweke's joint test: theta after rounds in which data are drawn given theta and theta
// moves given the data.
func (o *Outcome) geweke(ask Options) {
	law := sbc.Rounds(
		o.Prior,
		o.Likelihood,
		ask.Draws,
		func(y int, next, law []float64) { push(next, o.steps[y], law) },
	)
	nats, impossible := ranks.Divergence(law, o.Prior, float64(ask.Draws*(len(o.Prior)+len(o.Data))))
	o.Tests = append(o.Tests,
		Test{Name: "Geweke's joint test", Statistic: "theta", Nats: nats, Event: impossible, Alpha: ask.Alpha,
			Power: math.NaN(), PowerError: math.NaN(), TestRuns: ask.Runs})
}

// powerTests is the number of tests that are simulated for a power.
const powerTests = 1000

// powerSeen is the smallest power that the simulated tests distinguish from 0: at this power none
// of them finds the fault with a probability of 5 %.
const powerSeen = 3. / powerTests

// power returns the probability that Pearson's test finds in that many runs that ranks are not
// uniform, with its standard error.
func power(law []float64, runs int, alpha float64, name string) (found, err float64) {
	limit := distuv.ChiSquared{K: float64(len(law) - 1)}.Quantile(1 - alpha)
	c := chains.NewSampler(simulate.NewStream(1, "posterior "+name, 0))
	expected := slices.Repeat([]float64{float64(runs) / float64(len(law))}, len(law))
	times := 0.0
	for range powerTests {
		counts := make([]float64, len(law))
		for range runs {
			counts[c.Choose(law)]++
		}
		if stat.ChiSquare(counts, expected) > limit {
			times++
		}
	}
	found = times / powerTests
	return found, math.Sqrt(max(found*(1-found), 1.0/powerTests) / powerTests)
}

// statistics returns the statistics of parameters: the numbers in them, or else their place in the
// list, and the log likelihood.
func (m *Model) statistics() (names []string, values []func(y int) []float64) {
	var all []map[string]float64
	for _, text := range m.Parameters {
		numbers := map[string]float64{}
		var value any
		if json.Unmarshal([]byte(text), &value) == nil {
			flatten("theta", value, numbers)
		}
		all = append(all, numbers)
	}
	for _, name := range slices.Sorted(maps.Keys(all[0])) {
		of := make([]float64, len(all))
		for x, numbers := range all {
			v, has := numbers[name]
			if !has {
				of = nil
				break
			}
			of[x] = v
		}
		if of != nil && len(names) < maxStatistics {
			names, values = append(names, name), append(values, func(int) []float64 { return of })
		}
	}
	if len(names) == 0 {
		of := make([]float64, len(all))
		for x := range of {
			of[x] = float64(x)
		}
		names, values = append(names, "place"), append(values, func(int) []float64 { return of })
	}
	return append(names, "loglik"), append(values, func(y int) []float64 {
		of := make([]float64, len(all))
		for x := range of {
			of[x] = number.Log(m.Likelihood[y][x])
		}
		return of
	})
}

// maxStatistics is the largest number of statistics of parameters.
const maxStatistics = 6

// flatten puts the numbers of a value into a list by name.
func flatten(name string, value any, into map[string]float64) {
	switch v := value.(type) {
	case float64:
		into[name] = v
	case bool:
		into[name] = 0
		if v {
			into[name] = 1
		}
	case []any:
		for i, part := range v {
			flatten(fmt.Sprintf("%s[%d]", name, i), part, into)
		}
	case map[string]any:
		for key, part := range v {
			flatten(name+"."+key, part, into)
		}
	}
}
