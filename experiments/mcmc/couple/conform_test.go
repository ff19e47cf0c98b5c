package couple_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/couplings"
	"breadboard/exact/averages"
	"breadboard/experiments/data/samples/files"
	"breadboard/experiments/mcmc/couple"
	"breadboard/experiments/mcmc/samplers"
	"breadboard/experiments/study/check"
	"breadboard/grid/longtest"
)

// pair is a run of two chains until they have met and the first has made m moves.
type pair struct {
	x, y []int
	lag  int // how many moves the first has made alone
	tau  int
}

// runs makes runs of chains that are moved by common random numbers.
func runs(r couple.Run, lag, n int) (all []pair) { return runsBy("common", r, lag, n) }

// runsBy makes runs of chains that a coupling moves.
func runsBy(name string, r couple.Run, lag, n int) (all []pair) {
	c, _ := couplings.New(name, r.Problem.Moves)
	chooser, start, logf := chains.NewSampler(rand.NewPCG(1, uint64(lag))), r.Problem.Starts[0].Law, r.Problem.Chain.LogF
	for range n {
		p := pair{x: []int{chooser.Choose(start)}, y: []int{chooser.Choose(start)}, lag: lag, tau: -1}
		for range lag {
			p.x = append(p.x, r.Problem.Moves.Move(chooser, logf, p.x[len(p.x)-1]))
		}
		for at := lag; ; at++ {
			if p.tau < 0 && p.x[at] == p.y[at-lag] {
				p.tau = at
			}
			if at >= r.M && p.tau >= 0 {
				break
			}
			x, y := c.Couple(chooser, logf, p.x[at], p.y[at-lag])
			p.x, p.y = append(p.x, x), append(p.y, y)
		}
		all = append(all, p)
	}
	return all
}

// columns returns what an implementation that makes a mistake gives of a run.
func (p *pair) columns(r couple.Run, mistake string) (tau, cost, bound int, h float64) {
	if tau = p.tau; mistake == "beginnings overlooked" {
		tau = max(tau, r.Lag+1)
	}
	cost = r.Lag + 2*(tau-r.Lag) + max(0, r.M-tau)
	over := float64(tau-r.Lag-r.T) / float64(r.Lag)
	bound = max(0, int(math.Ceil(over)))
	h = p.estimate(r, mistake)
	switch mistake {
	case "pair's clock":
		tau -= r.Lag
	case "one more":
		tau++
	case "cut off":
		tau = min(tau, r.Lag+9)
	case "first moves":
		cost -= r.Lag
	case "counted once":
		cost = max(tau, r.M)
	case "floor":
		bound = max(0, int(math.Floor(over)))
	case "lag twice":
		bound = max(0, int(math.Ceil(over-1)))
	}
	return tau, cost, bound, h
}

// estimate is the mean over l = k..m of h(X_l) and the differences at l + L, l + 2L, ... before tau.
func (p *pair) estimate(r couple.Run, mistake string) (h float64) {
	values, count, end := r.Problem.Functions[0].Parts[0].Raw, float64(r.M-r.K+1), p.tau
	difference := func(at int) float64 { return (values[p.x[at]] - values[p.y[at-p.lag]]) / count }
	if mistake == "stopped at m" {
		end = min(end, r.M+1)
	}
	for l := r.K; l <= r.M; l++ {
		h += values[p.x[l]] / count
		for at := l + r.Lag; at < end; at += r.Lag {
			switch d := difference(at); mistake {
			case "no correction":
			case "sign":
				h -= d
			case "in full":
				h += d * count
			case "no max": // of k..l and not of k..m, as often as v_t says without it
			default:
				h += d
			}
		}
	}
	for at := max(r.K, p.lag); mistake == "from k" && at < min(r.K+r.Lag, p.tau); at++ {
		h += difference(at)
	}
	for at := r.K + r.Lag; mistake == "no max" && at < end; at++ {
		floor, ceil := math.Floor(float64(at-r.K)/float64(r.Lag)), math.Ceil(float64(at-r.M)/float64(r.Lag))
		h += max(0, floor-ceil+1) * difference(at)
	}
	if mistake == "m - k" && count > 1 {
		h *= count / (count - 1)
	}
	return h
}

// noName is what is said where no mistake has the odds to be named.
const noName = "no known mistake explains it: none has posterior odds of 20 or more against all others"

// TestConform: what is right passes in every column, and each known mistake is found in the columns where it shows and named, by its own law
// and no other.
func TestConform(t *testing.T) {
	longtest.NotShort(t)
	small, large := longtest.Must(problems("random:2:7:2x2", "metropolis", "g"))(t)[0], longtest.Must(problems("random:2:7:3x3", "heatbath", "g"))(t)[0]
	for _, run := range []couple.Run{
		{Problem: small, Coupling: "common", Lag: 2, K: 3, M: 8, T: 1, Alpha: check.MinAlpha},
		{Problem: large, Coupling: "common", Lag: 1, K: 5, M: 20, Alpha: check.MinAlpha},
		{Problem: large, Coupling: "common", Lag: 3, K: 2, M: 2, T: 2, Alpha: check.MinAlpha},
	}[:longtest.Times(1, 3)] {
		rows := longtest.Times(3000, 40_000)
		var unnamed []string // of few rows: subtracting the lag twice is much like having none
		right, together := runs(run, run.Lag, rows), runs(run, 0, rows)
		for mistake, want := range map[string]struct{ columns, says string }{
			"":                      {"", ""},
			"pair's clock":          {"tau", "counted from when the second chain begins"},
			"one more":              {"tau", "one too many"},
			"cut off":               {"tau", "all was stopped at "},
			"beginnings overlooked": {"tau cost bound", "not noticed"},
			"first moves":           {"cost", "makes alone at the beginning were left out"},
			"counted once":          {"cost", "a move of both chains counted as one"},
			"floor":                 {"bound", "rounded down"},
			"lag twice":             {"bound", "subtracted twice"},
			"no lag":                {"tau cost bound estimate", "both chains began to move at time 0"},
			"no correction":         {"estimate", "the correction was left out"},
			"sign":                  {"estimate", "the sign of the correction was turned"},
			"in full":               {"estimate", "each difference counted in full"},
			"no max":                {"estimate", "v_t lacked the max"},
			"from k":                {"estimate", "began at time k"},
			"stopped at m":          {"estimate", "stopped at time m"},
			"m - k":                 {"estimate", "divided by m - k,"},
		} {
			made := right
			if mistake == "no lag" {
				made = together
			}
			var b strings.Builder
			b.WriteString("tau,cost,bound,estimate\n")
			for i := range made {
				tau, cost, bound, h := made[i].columns(run, mistake)
				fmt.Fprintf(&b, "%d,%d,%d,%v\n", tau, cost, bound, h)
			}
			found := longtest.Must(couple.Conform(context.Background(), run, longtest.Must(files.StreamCells(context.Background(), "rows", strings.NewReader(b.String())))(t)))(t)
			for _, f := range found {
				if f.Name != "law" {
					continue
				}
				column := strings.TrimPrefix(f.About, "column ")
				if want.says != "" && rows < 40_000 && f.Verdict == check.Fault && strings.Contains(f.Where, noName) {
					unnamed = append(unnamed, mistake+" "+column)
					continue
				}
				switch shows := slices.Contains(strings.Fields(want.columns), column); {
				case f.Verdict == check.Fault && (!shows || !strings.Contains(f.Where, want.says)):
					t.Errorf("lag %d, %q: %s is a fault: %s", run.Lag, mistake, column, f.Where)
				case f.Verdict == check.Pass && shows && needed(found, f.About, want.says) < float64(rows)/2:
					t.Errorf("lag %d, %q: %s passes: %+v", run.Lag, mistake, column, found)
				}
			}
		}
		if unexpected := slices.DeleteFunc(unnamed, func(s string) bool { return s == "lag twice bound" }); len(unexpected) > 0 {
			t.Errorf("lag %d: no name for %q", run.Lag, unexpected)
		}
	}
}

// TestOtherCouplings: chains that were moved independently, and given as moved by common random numbers, are found and said what they are by as many
// rows as that takes; with fewer the pass says that it cannot tell, and by how many it could. What has the same law is never said to be ruled out.
func TestOtherCouplings(t *testing.T) {
	ctx := context.Background()
	run := couple.Run{Problem: longtest.Must(problems("random:2:7:2x2", "metropolis", "g"))(t)[0], Coupling: "common", Lag: 1, K: 3, M: 8, Alpha: check.MinAlpha}
	given := func(by string, run couple.Run, rows int) (law couple.Finding, notes string) {
		var b strings.Builder
		b.WriteString("tau\n")
		for _, p := range runsBy(by, run, run.Lag, rows) {
			fmt.Fprintln(&b, p.tau)
		}
		for _, f := range longtest.Must(couple.Conform(ctx, run, longtest.Must(files.StreamCells(ctx, "rows", strings.NewReader(b.String())))(t)))(t) {
			if f.Name == "law" {
				law = f
			}
			notes += f.Where + "\n"
		}
		return law, notes
	}
	if law, notes := given("independent", run, 30); law.Verdict != check.Pass || !strings.Contains(notes, couple.NotRuledOut+"the chains were moved by the coupling independent; about") {
		t.Errorf("30 rows: %+v\n%s", law, notes)
	}
	if law, _ := given("independent", run, 20_000); law.Verdict != check.Fault || !strings.Contains(law.Where, "as if the chains were moved by the coupling independent") {
		t.Errorf("20,000 rows: %+v", law)
	}
	// Of one axis, whose line is the whole row: by rows chains have met after one move, and by independent moves often later.
	run.Problem, run.Coupling = longtest.Must(problems("random:1:1:4", "heatbath", "g"))(t)[0], "rows"
	if law, _ := given("independent", run, 300); law.Verdict != check.Fault || !strings.Contains(law.Where, "as if the chains were moved by the coupling independent, with posterior odds of infinity against all other") {
		t.Errorf("meeting times that cannot be: %+v", law)
	}
	if law, _ := given("independent", run, 30); law.Verdict != check.Fault || !strings.Contains(law.Where, noName) || strings.Contains(law.Where, "as if") {
		t.Errorf("a name without odds: %+v", law)
	}
	if law, notes := given("rows", run, 30); law.Verdict != check.Pass || !strings.Contains(law.Where, "cannot be seen here") || !strings.Contains(notes, "the chains were moved by the coupling best: no number of rows would tell") {
		t.Errorf("%+v\n%s", law, notes)
	}
}

// TestOthersNotTried: where the pairs of states are too many to solve other couplings it is said that these were not tried.
func TestOthersNotTried(t *testing.T) {
	ctx := context.Background()
	for selector, want := range map[string]bool{"random:1:1:70": true, "random:1:1:4": false} {
		if want && !longtest.Enabled() {
			continue // some seconds of iteration
		}
		run := couple.Run{Problem: longtest.Must(problems(selector, "heatbath", "g"))(t)[0], Coupling: "rows", Lag: 1, K: 1, M: 2, Alpha: check.MinAlpha}
		found := longtest.Must(couple.Conform(ctx, run, longtest.Must(files.StreamCells(ctx, "rows", strings.NewReader("tau\n1\n")))(t)))(t)
		if got := strings.Contains(found[0].Where, "was not tried, as that takes long with more than 2400 pairs"); got != want {
			t.Errorf("%s: %+v", selector, found[0])
		}
	}
}

// needed returns how many rows would tell a mistake, 0 where it has been ruled out, and +Inf where it is none.
func needed(found []couple.Finding, about, says string) float64 {
	for _, f := range found {
		if f.About == about && strings.HasPrefix(f.Name, "mistake") && strings.Contains(f.Where, says) {
			_, rows, open := strings.Cut(f.Where, "; about ")
			if !open {
				return 0
			}
			rows, _, _ = strings.Cut(rows, " rows")
			n, _ := strconv.ParseFloat(rows, 64)
			return n
		}
	}
	return math.Inf(1)
}

// TestConformFalseAlarms: with alpha = 0.1 a right file is called wrong in at most one of ten runs; 26 of 100 have a probability below 1e-5.
func TestConformFalseAlarms(t *testing.T) {
	longtest.NotShort(t)
	run := couple.Run{Problem: longtest.Must(problems("random:2:7:2x2", "metropolis", "g"))(t)[0], Coupling: "common", Lag: 1, K: 2, M: 6, Alpha: 0.1}
	const rows = 400
	times := longtest.Times(5, 100)
	made, alarms := runs(run, run.Lag, rows*times), 0
	for i := range times {
		var b strings.Builder
		b.WriteString("tau,cost,bound,estimate\n")
		for _, p := range made[i*rows : (i+1)*rows] {
			tau, cost, bound, h := p.columns(run, "")
			fmt.Fprintf(&b, "%d,%d,%d,%v\n", tau, cost, bound, h)
		}
		if check.Faulty(longtest.Must(couple.Conform(context.Background(), run, longtest.Must(files.StreamCells(context.Background(), "rows", strings.NewReader(b.String())))(t)))(t)) {
			alarms++
		}
	}
	if alarms > 4+times/5 {
		t.Errorf("%d false alarms of %d", alarms, times)
	}
}

// TestConformRefuses: what cannot be tested is refused with the cure.
func TestConformRefuses(t *testing.T) {
	p := longtest.Must(problems("random:2:7:2x2", "metropolis", "g"))(t)[0]
	good := couple.Run{Problem: p, Coupling: "common", Lag: 1, K: 1, M: 2, Alpha: 0.1}
	for want, c := range map[string]struct {
		rows   string
		change func(r *couple.Run)
	}{
		"none of the columns tau, cost, bound, estimate": {"taus\n1\n", func(*couple.Run) {}},
		"there are no rows in it":                        {"tau\n", func(*couple.Run) {}},
		"write a whole number":                           {"tau\n1\n2.5\n", func(*couple.Run) {}},
		"write a finite number":                          {"estimate\nInf\n", func(*couple.Run) {}},
		"a lag is 1 or more":                             {"tau\n1\n", func(r *couple.Run) { r.Lag = 0 }},
		"give 0 <= k <= m":                               {"tau\n1\n", func(r *couple.Run) { r.K = 3 }},
		"did you mean common":                            {"tau\n1\n", func(r *couple.Run) { r.Coupling = "commen" }},
		"programs cannot be run here":                    {"tau\n1\n", func(r *couple.Run) { r.Coupling = "exec:true" }},
		"the mean meeting time is +Inf":                  {"tau\n1\n", func(r *couple.Run) { r.Problem = turning(t) }},
		"an estimate may then never end":                 {"estimate\n1\n", func(r *couple.Run) { r.Problem = turning(t) }},
	} {
		r := good
		c.change(&r)
		if _, err := couple.Conform(context.Background(), r, longtest.Must(files.StreamCells(context.Background(), "rows", strings.NewReader(c.rows)))(t)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", want, err)
		}
	}
}

// turning is the problem of a coin that is turned over in each move, whose chains never meet.
func turning(t *testing.T) samplers.Problem {
	p := longtest.Must(problems("random:2:7:2x1", "metropolis", "g"))(t)[0]
	flat := *p.Toy
	flat.G = []float64{0, 0}
	p.Moves = chains.NewTabulated("turning", 2, func(x int) []chains.Entry { return []chains.Entry{{To: 1 - x, P: 1}} })
	p.Chain = longtest.Must(averages.New(context.Background(), p.Moves, flat.G))(t)
	return p
}
