package diagnose_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains/diagnostics"
	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/mcmc/samplers/diagnose"
	"breadboard/grid/longtest"
	"breadboard/toys"
)

// TestLook: shares of ranks, autocorrelations, their sums and the running ESS are those of plain
// loops over the draws, with ties.
func TestLook(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(diagnostics.MinDraws, 60).Draw(rt, "n")
		chains := make(diagnostics.Draws, rapid.IntRange(1, 3).Draw(rt, "chains"))
		var files []string
		for k := range chains {
			chains[k] = []float64{0} // so that no two chains are constant together
			for range n - 1 {
				chains[k] = append(chains[k], math.Floor(rapid.Float64Range(-4, 4).Draw(rt, "value")))
			}
			chains[k][1] = 1
			files = append(files, "x\n"+strings.Trim(strings.ReplaceAll(fmt.Sprint(chains[k]), " ", "\n"), "[]")+"\n")
		}
		rows, err := variables(t, nil, files...)
		if err != nil || !rows[0].Looks() {
			rt.Fatal(err)
		}
		l := longtest.Must(rows[0].Look())(t)
		for k, chain := range chains {
			for b, share := range l.Ranks[k] {
				if want := plainShare(chains, k, b, len(l.Ranks[k])); math.Abs(share-want) > 1e-9 {
					rt.Errorf("chain %d, bin %d: %v, want %v", k, b, share, want)
				}
			}
			sum := 1.0
			for lag, rho := range l.Lags[k] {
				want := plainCorrelation(chain, lag)
				if lag > 0 {
					sum += 2 * want
				}
				if math.Abs(rho-want) > 1e-9 || math.Abs(l.Sums[k][lag]-sum) > 1e-8 {
					rt.Errorf("chain %d, lag %d: %v and %v, want %v and %v", k, lag, rho, l.Sums[k][lag], want, sum)
				}
			}
		}
		if last := len(l.Ends) - 1; l.Ends[last] != n || l.ESSBulk[last] != rows[0].ESSBulk || fmt.Sprint(l.ESSTail[last]) != fmt.Sprint(rows[0].ESSTail) {
			rt.Errorf("the ESS of all draws is %v and %v, want %v and %v", l.ESSBulk[last], l.ESSTail[last], rows[0].ESSBulk, rows[0].ESSTail)
		}
	})
}

// TestLookBesideATarget: the shares of draws stand beside the exact probabilities of the values
// that are nearest, values of few digits are those of the target, and a trace of few values has
// means.
func TestLookBesideATarget(t *testing.T) {
	toy := longtest.Must(toys.Parse("file:" + casetest.File(t, "t.csv", "x,p\n0.3333333333333333,3\n0.6666666666666666,1\n")))(t)
	target := longtest.Must(diagnose.NewTarget(toy, nil))(t)
	var text strings.Builder
	for i := range 120 {
		text.WriteString([]string{"0.33\n", "0.33\n", "0.67\n"}[i%3])
	}
	rows := longtest.Must(variables(t, target, "x\n"+text.String(), "x\n"+strings.Repeat("0.67\n0.67\n0.33\n", 40)))(t)
	l := longtest.Must(rows[0].Look())(t)
	if fmt.Sprintf("%.6f %.6f %.6f", l.Values, l.Exact, l.Shares) != "[0.333333 0.666667] [0.750000 0.250000] [[0.666667 0.333333] [0.333333 0.666667]]" {
		t.Errorf("%v, %v, %v", l.Values, l.Exact, l.Shares)
	}
	if mean := l.Trace[0][0]; !l.Means || l.Every != 3 || math.Abs(mean-4./9) > 1e-15 || math.Abs(rows[0].Mean-0.5) > 1e-15 {
		t.Errorf("%v of every %d; the mean is %v", l.Trace[0][:3], l.Every, rows[0].Mean)
	}
}

// plainShare returns what TestLook expects of a bin: each draw is spread evenly over the ranks of
// all that are equal to it.
func plainShare(d diagnostics.Draws, chain, bin, bins int) (share float64) {
	total := float64(len(d) * len(d[0]))
	low, high := total*float64(bin)/float64(bins), total*float64(bin+1)/float64(bins)
	for _, v := range d[chain] {
		below, equal := 0.0, 0.0
		for _, other := range d {
			for _, w := range other {
				if w < v {
					below++
				} else if w == v {
					equal++
				}
			}
		}
		share += max(0, min(high, below+equal)-max(low, below)) / equal
	}
	return share * float64(bins) / float64(len(d[0]))
}

func plainCorrelation(x []float64, lag int) float64 {
	mean := 0.0
	for _, v := range x {
		mean += v / float64(len(x))
	}
	at := func(lag int) (c float64) {
		for i := lag; i < len(x); i++ {
			c += (x[i] - mean) * (x[i-lag] - mean)
		}
		return c
	}
	return at(lag) / at(0)
}

// TestFewLooks: constant draws have no figures, nor have those of the thirteenth variable.
func TestFewLooks(t *testing.T) {
	names, same := strings.Repeat("a,", 13)+"b", strings.Repeat("1,", 13)+"1"
	for i := range 13 {
		names = strings.Replace(names, "a,", fmt.Sprintf("v%d,", i), 1)
	}
	rows, err := variables(t, nil, names+"\n"+same+"\n"+strings.ReplaceAll(same, "1", "2")[:26]+"1\n"+same+"\n"+same+"\n")
	longtest.NoError(t, err)
	for i, v := range rows {
		if v.Looks() != (i < 12) {
			t.Errorf("%s: %v", v.Name, v.Looks())
		}
	}
}
