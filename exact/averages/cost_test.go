package averages_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"breadboard/exact/averages"
	"breadboard/exact/kernel"
	"breadboard/grid/longtest"
)

// BenchmarkSeconds reports how many times longer a question takes than Seconds says. Estimates are meant to be right to a factor of eight
// on machines like the one they were measured on.
func BenchmarkSeconds(b *testing.B) {
	for _, on := range []struct {
		toy, kernel string
		n           int64
	}{{"barrier", "metropolis", 5000}, {"barrier", "heatbath-scan", 1000}, {"random:1:1:10x10", "jump:0.5", 300}} {
		c, y := chainOn(b, on.toy, on.kernel)
		f := functionOn(b, c, y, "x0")
		for _, m := range []averages.Method{averages.Recursion, averages.Squaring} {
			for name, q := range map[string]averages.Question{"mean": {}, "variance": {Variance: true}, "distribution": {Distribution: true}} {
				q.Function, q.N, q.Starts = f, []int64{on.n}, [][]float64{lawOn(c, "uniform")}
				b.Run(on.toy+"/"+on.kernel+"/"+string(m)+"/"+name, func(b *testing.B) {
					for b.Loop() {
						longtest.Must(c.Errors(context.Background(), q, m))(b)
					}
					b.ReportMetric(b.Elapsed().Seconds()/float64(b.N)/c.Seconds(q, m), "of-estimate")
				})
			}
		}
	}
}

// TestFastest: few samples go by recursion, many by squaring, and means from the target of a reversible chain by Lanczos.
func TestFastest(t *testing.T) {
	c, y := chainOn(t, "barrier", "metropolis")
	scan, _ := chainOn(t, "barrier", "heatbath-scan")
	f := functionOn(t, c, y, "x0")
	for _, on := range []struct {
		chain *averages.Chain
		start string
		n     int64
		q     averages.Question
		want  averages.Method
	}{
		{c, "uniform", 10, averages.Question{}, averages.Recursion},
		{c, "uniform", 1e9, averages.Question{}, averages.Squaring},
		{c, "target", 1e9, averages.Question{}, averages.Lanczos},
		{c, "target", 1e9, averages.Question{Variance: true}, averages.Squaring},
		{c, "target", 1e12, averages.Question{Distribution: true}, averages.Squaring},
		{scan, "target", 1e9, averages.Question{}, averages.Squaring},
	} {
		q := on.q
		q.Function, q.N, q.Starts = f, []int64{on.n}, [][]float64{lawOn(on.chain, on.start)}
		got, err := on.chain.Fastest(q)
		if err != nil || got != on.want {
			t.Errorf("N = %d from %s: %v %v, want %v", on.n, on.start, got, err, on.want)
		}
	}
}

// TestRefusals: what a method cannot answer it refuses with the size, the limit and what to do, and Fastest where none can.
func TestRefusals(t *testing.T) {
	c, y := chainOn(t, "barrier", "metropolis")
	scan, _ := chainOn(t, "barrier", "heatbath-scan")
	f := functionOn(t, c, y, "x0")
	for _, on := range []struct {
		chain  *averages.Chain
		method averages.Method
		q      averages.Question
		want   []string
	}{
		{c, averages.Recursion, averages.Question{N: []int64{2e9}}, []string{"2000000000 samples", "up to 1000000000", "49 states", "about", "use squaring"}},
		{c, averages.Lanczos, averages.Question{N: []int64{10}, Variance: true}, []string{"of the mean only", "recursion or squaring"}},
		{c, averages.Lanczos, averages.Question{N: []int64{10}, Distribution: true}, []string{"of the mean only"}},
		{c, averages.Lanczos, averages.Question{N: []int64{2e12}, Starts: [][]float64{c.Target}}, []string{"up to 1000000000000"}},
		{c, averages.Lanczos, averages.Question{N: []int64{10}}, []string{"every start to be the target"}},
		{scan, averages.Lanczos, averages.Question{N: []int64{10}, Starts: [][]float64{scan.Target}}, []string{"reversible"}},
		{c, "magic", averages.Question{N: []int64{10}}, []string{"magic", "recursion squaring lanczos"}},
		{c, averages.Recursion, averages.Question{N: []int64{0}}, []string{"from 1 on"}},
		{c, "", averages.Question{N: []int64{2e12}}, []string{"up to 1000000000,", "days", "up to 1000000000000"}},
	} {
		q := on.q
		q.Function = f
		if q.Starts == nil {
			q.Starts = [][]float64{lawOn(c, "uniform")}
		}
		var err error
		if on.method == "" {
			_, err = on.chain.Fastest(q)
		} else {
			_, err = on.chain.Errors(context.Background(), q, on.method)
		}
		for _, want := range on.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s of %v: %v, want %q", on.method, q.N, err, want)
			}
		}
	}
}

// TestSlowVariance: a line of three states, of which the middle one is hardly ever visited. A function that is odd is an eigenfunction, and
// its tau follows from the probability to leave an end. A linear system loses digits as this probability gets small.
func TestSlowVariance(t *testing.T) {
	for _, e := range []float64{0.25, 1e-3, 1e-6, 1e-9, 1e-12} {
		log := math.Log(e) // of the state between the pairs, where the chain does not stay
		c := line(t, 0, log, 0)
		leave := c.Rows.At(0, 1) // half of those who are there go on
		f := longtest.Must(c.Standardise([]float64{-1, 0, 1}))(t)
		v := longtest.Must(c.Variance(context.Background(), f))(t)
		// The function is an eigenfunction: T f = (1 - leave) f, because f is zero in the middle and odd.
		want := (2 - leave) / leave
		if math.Abs(v.Autocorrelation-want) > 1e-12*want || v.Error > 1e-11 {
			t.Errorf("e = %v: tau %v, want %v; said to be off by %v", e, v.Autocorrelation, want, v.Error)
		}
	}
}

// TestHardVariance: tau of HARD by powers is that of the linear system as far as that has digits, and has more.
func TestHardVariance(t *testing.T) {
	c, y := chainOn(t, "hard", "metropolis")
	f := functionOn(t, c, y, "x0")
	solved := longtest.Must(kernel.VarianceOf(context.Background(), c.Rows, c.LogF, f.Values))(t)
	v := longtest.Must(c.Variance(context.Background(), f))(t)
	if v.Error > 1e-11 || solved.Error < 1e-8 || math.Abs(v.Autocorrelation/solved.Autocorrelation-1) > solved.Error {
		t.Errorf("tau %v to %v by powers, %v to %v by a linear system", v.Autocorrelation, v.Error, solved.Autocorrelation, solved.Error)
	}
	all := longtest.Must(c.Errors(context.Background(), averages.Question{Function: f, Starts: [][]float64{c.Target}, N: []int64{1e12}}, averages.Squaring))(t)
	if product := 1e12 * all[0][0].MSE; math.Abs(product/v.Autocorrelation-1) > 0.02 {
		t.Errorf("N times the mean squared error is %v at N = 1e12, and its limit %v", product, v.Autocorrelation)
	}
}
