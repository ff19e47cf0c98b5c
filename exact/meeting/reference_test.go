package meeting_test

import (
	"context"
	"encoding/csv"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/couplings"
	"breadboard/chains/kernels"
	"breadboard/exact/averages"
	"breadboard/exact/kernel"
	"breadboard/exact/meeting"
	"breadboard/grid"
	"breadboard/grid/longtest"
	"breadboard/toys"
)

// question is what the rows of the reference are about.
type question struct {
	toy, kernel, coupling, start string
	lag                          int
}

// reference returns the values of each question.
func reference(t *testing.T) map[question]map[string]float64 {
	f := longtest.Must(os.Open("testdata/meeting.csv"))(t)
	defer f.Close()
	r := csv.NewReader(f)
	r.Comment, r.FieldsPerRecord = '#', 7
	values := map[question]map[string]float64{}
	for _, line := range longtest.Must(r.ReadAll())(t) {
		q := question{line[0], line[1], line[2], line[3], longtest.Must(strconv.Atoi(line[4]))(t)}
		if values[q] == nil {
			values[q] = map[string]float64{}
		}
		values[q][line[5]] = longtest.Must(strconv.ParseFloat(line[6], 64))(t)
	}
	return values
}

// kernelOf returns the kernel of a question.
func kernelOf(t testing.TB, q question) (chains.Kernel, *toys.Toy) {
	target := longtest.Must(toys.Parse(q.toy))(t)
	return longtest.Must(kernels.Parse(q.kernel, target.Space))(t), target
}

// startOf returns a law: uniform, or all mass at one state.
func startOf(name string, states int) []float64 {
	law := make([]float64, states)
	if text, is := strings.CutPrefix(name, "point:"); is {
		at, _ := strconv.Atoi(text)
		law[at] = 1
		return law
	}
	for x := range law {
		law[x] = 1 / float64(states)
	}
	return law
}

// TestReference holds meeting times, bounds and distances to values of programs independent of this one.
func TestReference(t *testing.T) {
	longtest.NotShort(t)
	ctx := context.Background()
	for q, values := range reference(t) {
		slow := q.toy == "barrier" || q.toy == "barrier:3x3" && q.kernel == "metropolis" && q.coupling != "rows-comonotone"
		if slow && !longtest.Enabled() { // 1,176 pairs, or chains that take millions of moves to forget
			continue
		}
		k, toy := kernelOf(t, q)
		chain := longtest.Must(averages.New(ctx, k, toy.G))(t)
		coupling := longtest.Must(couplings.New(q.coupling, k))(t)
		solved := longtest.Must(longtest.Must(meeting.New(ctx, coupling, chain))(t).Solve(ctx))(t)
		m := longtest.Must(solved.Meet(ctx, startOf(q.start, chain.States()), q.lag))(t)
		got := map[string]float64{"mean_tau": m.Mean, "longest_mean": slices.Max(solved.V), "tail_rate": solved.TailRate}
		if d, err := kernel.Diagnose(ctx, k, chain.LogF); err == nil {
			got["second_modulus"] = 1 - d.SpectralGap
			got["rate_ratio"] = math.Log(got["second_modulus"]) / math.Log(solved.TailRate)
		}
		var ts []int64
		for name := range values {
			if text, is := strings.CutPrefix(name, "survival_"); is {
				ts = append(ts, longtest.Must(strconv.ParseInt(text, 10, 64))(t))
			}
			if text, is := strings.CutPrefix(name, "time_"); is {
				got[name] = longtest.Must(m.Time(ctx, longtest.Must(strconv.ParseFloat(text, 64))(t)))(t)
			}
		}
		slices.Sort(ts)
		if len(ts) > 0 {
			for _, p := range longtest.Must(m.Points(ctx, ts))(t) {
				at := "_" + strconv.FormatInt(p.T, 10)
				got["survival"+at], got["bound"+at], got["lag_tv"+at], got["tv"+at] = p.Survival, p.Bound, p.LagTV, p.TV
			}
		}
		for name, want := range values {
			tolerance := 1e-11 * math.Abs(want)
			if name == "rate_ratio" {
				tolerance = 1e-9
			}
			if math.Abs(got[name]-want) > tolerance+1e-14 || math.IsNaN(got[name]) {
				t.Errorf("%+v: %s is %.16g, for %.16g", q, name, got[name], want)
			}
		}
	}
}

// TestUnbiasedReference holds the estimator to values of programs independent of this one.
func TestUnbiasedReference(t *testing.T) {
	longtest.NotShort(t)
	ctx := context.Background()
	f := longtest.Must(os.Open("testdata/unbiased.csv"))(t)
	defer f.Close()
	r := csv.NewReader(f)
	r.Comment = '#'
	want := map[[8]string]map[string]float64{}
	for _, line := range longtest.Must(r.ReadAll())(t) {
		about := [8]string(line[:8])
		if want[about] == nil {
			want[about] = map[string]float64{}
		}
		want[about][line[8]] = longtest.Must(strconv.ParseFloat(line[9], 64))(t)
	}
	for about, values := range want {
		if about[0] == "easy" && !longtest.Enabled() { // its 2,352 pairs take a second
			continue
		}
		q := question{toy: about[0], kernel: about[1], coupling: about[2], start: about[3]}
		kernel, toy := kernelOf(t, q)
		chain := longtest.Must(averages.New(ctx, kernel, toy.G))(t)
		coupling := longtest.Must(couplings.New(q.coupling, kernel))(t)
		solved := longtest.Must(longtest.Must(meeting.New(ctx, coupling, chain))(t).Solve(ctx))(t)
		k, last, lag := longtest.Must(strconv.Atoi(about[5]))(t), longtest.Must(strconv.Atoi(about[6]))(t), longtest.Must(strconv.Atoi(about[7]))(t)
		m := longtest.Must(solved.Meet(ctx, startOf(q.start, chain.States()), lag))(t)
		g := make([]float64, chain.States())
		for x := range g {
			switch coordinate := float64(toy.Space.(*grid.Lattice).Coord(x, 0)); about[4] {
			case "g":
				g[x] = toy.G[x]
			case "x0":
				g[x] = coordinate
			case "x0<=0":
				if coordinate <= 0 {
					g[x] = 1
				}
			}
		}
		function := longtest.Must(chain.Standardise(g))(t)
		u := longtest.Must(m.Unbiased(ctx, function, k, last))(t)
		got := map[string]float64{"mean": function.Mean, "sd": function.SD, "variance": u.Variance, "cost": u.Cost, "loss": u.Loss, "bias_of_average": u.Plain, "asymptotic_variance": u.Cost * u.Variance / u.Loss}
		for name, v := range values {
			if math.Abs(got[name]-v) > 1e-11*math.Abs(v) {
				t.Errorf("%v: %s is %.16g, for %.16g", about, name, got[name], v)
			}
		}
		if math.Abs(u.Bias) > 1e-12*math.Sqrt(u.Variance) {
			t.Errorf("%v: the estimator has a bias of %v", about, u.Bias)
		}
	}
}
