package vectors

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync"
)

// halves returns the first and the last floor(N/2) draws of each chain.
func halves(d [][]num) (out [][]num) {
	for _, x := range d {
		out = append(out, x[:len(x)/2], x[(len(x)+1)/2:])
	}
	return out
}

func within(d [][]num) num { return mean(mapped(d, variance)) }

// between returns the variance of the means of the chains.
func between(d [][]num) num { return variance(mapped(d, mean)) }

// rhat returns the root of (N - 1)/N + B/W.
func rhat(d [][]num) num {
	return exactNumber(1).minus(exactNumber(1).over(exactNumber(float64(len(d[0]))))).plus(
		between(d).over(within(d)),
	).root()
}

var quantiles sync.Map // of normalQuantile, by twice the rank, the size and the bits

// ranked returns the normal quantiles of the ranks of all draws. Equal draws have the mean of their
// ranks.
func ranked(d [][]num) [][]num {
	all := sorted(slices.Concat(d...))
	return mapped(d, func(x []num) []num {
		return mapped(x, func(v num) num {
			first, _ := slices.BinarySearchFunc(all, v, compare)
			end := first
			for end < len(all) && compare(all[end], v) == 0 {
				end++
			}
			twice := first + 1 + end
			key := [3]int{twice, len(all), int(bits)}
			if z, known := quantiles.Load(key); known {
				return z.(num)
			}
			z := normalQuantile(exactNumber(float64(twice)/2 - 3./8).over(exactNumber(float64(len(all)) + 1./4)))
			quantiles.Store(key, z)
			return z
		})
	})
}

// folded returns the distances from a centre.
func folded(d [][]num, centre num) [][]num {
	return mapped(d, func(x []num) []num { return mapped(x, func(v num) num { return v.minus(centre).abs() }) })
}

func median(d [][]num) num {
	all := sorted(slices.Concat(d...))
	return all[(len(all)-1)/2].plus(all[len(all)/2]).scaled(0.5)
}

func centred(x []num) []num {
	centre := mean(x)
	return mapped(x, func(v num) num { return v.minus(centre) })
}

// autocovariance returns that of a centred chain at a lag, over N.
func autocovariance(x []num, lag int) num {
	return dot(x[:len(x)-lag], x[lag:]).over(exactNumber(float64(len(x))))
}

// correlations returns the autocorrelations of all chains together at a lag.
func correlations(d [][]num) func(lag int) num {
	w := within(d)
	all := w.minus(w.over(exactNumber(float64(len(d[0])))))
	if len(d) > 1 {
		all = all.plus(between(d))
	}
	d = mapped(d, centred)
	return func(lag int) num {
		c := mean(mapped(d, func(x []num) num { return autocovariance(x, lag) }))
		return exactNumber(1).minus(w.minus(c).over(all))
	}
}

// time returns the autocorrelation time of N draws by Geyer's initial monotone sequence.
//
// Source: Geyer 1992; Stan Reference Manual, Effective Sample Size.
func time(n int, rho func(lag int) num) num {
	sum := exactNumber(0)
	least := exactNumber(math.Inf(1))
	even := exactNumber(1)
	odd := rho(1)
	pair := even.plus(odd)
	lag := 0
	for ; lag+1 < n-3 && exactNumber(0).less(pair); pair = even.plus(odd) {
		least = smaller(least, pair)
		sum = sum.plus(least)
		lag += 2
		even, odd = rho(lag), rho(lag+1)
	}
	if exactNumber(0).less(even) || !pair.less(exactNumber(0)) {
		sum = sum.plus(even.scaled(0.5))
	}
	return sum.scaled(2).minus(exactNumber(1))
}

func size(d [][]num) num { return exactNumber(float64(len(d) * len(d[0]))) }

// limited returns the draws over an autocorrelation time, at most S log10(S).
func limited(d [][]num, tau num) num {
	s := size(d)
	return s.over(larger(tau, exactNumber(10).log().over(s.log())))
}

func constant(d [][]num) bool {
	all := slices.Concat(d...)
	return !slices.ContainsFunc(all, func(v num) bool { return compare(v, all[0]) != 0 })
}

// ess returns the effective sample size, which is the number of draws if all are equal.
func ess(d [][]num) num {
	if constant(d) {
		return size(d)
	}
	return limited(d, time(len(d[0]), correlations(d)))
}

// bulk and tails are the effective sample sizes of ranks and of indicators.
func bulk(d [][]num) num { return ess(ranked(halves(d))) }

func below(d [][]num, twentieths int) [][]num {
	all := sorted(slices.Concat(d...))
	most := all[(len(all)-1)*twentieths/20]
	return mapped(d, func(x []num) []num {
		return mapped(x, func(v num) num { return exactNumber(map[bool]float64{true: 0, false: 1}[most.less(v)]) })
	})
}

func tail(d [][]num, twentieths ...int) num {
	least := exactNumber(math.Inf(1))
	for _, k := range twentieths {
		at := halves(below(d, k))
		if constant(at) {
			return num{}
		}
		least = smaller(least, ess(at))
	}
	return least
}

func deviation(d [][]num) num { return variance(slices.Concat(d...)).root() }

// mixed are the cases of effective sample sizes: those of chains that are not so far apart that the
// correlations stay positive up to the last lags, where packages end the sum at different ones.
func mixed() []example {
	return slices.DeleteFunc(chainCases(), func(c example) bool {
		return slices.Contains([]string{"apart", "trend", "extremes", "constant-apart", "single-trend"}, c.name)
	})
}

// chainCases are the cases of routines of chains.
func chainCases() (list []example) {
	// chains returns autoregressive chains, with another mean and spread of each, rounded. Their
	// seed is the first one with which no sum of correlations in mixed goes to the last lags.
	chains := func(seed uint64, k, n int, phi, shift, spread, unit float64) [][]float64 {
		random := rand.New(rand.NewPCG(seed, 2))
		out := make([][]float64, k)
		for i := range out {
			x := random.NormFloat64()
			for range n {
				x = phi*x + math.Sqrt(1-phi*phi)*random.NormFloat64()
				out[i] = append(out[i], math.Round((x*(1+spread*float64(i))+shift*float64(i))/unit)*unit)
			}
		}
		return out
	}
	changed := func(d [][]float64, f func(v float64) float64) [][]float64 {
		return mapped(d, func(x []float64) []float64 { return mapped(x, f) })
	}
	const fine = 1. / 1024
	trend := chains(1, 2, 30, 0, 0, 0, fine)
	for _, x := range trend {
		for i := range x {
			x[i] += float64(i) / 16
		}
	}
	stuck := chains(2, 3, 24, 0.3, 0, 0, fine)
	for i := range stuck[2] {
		stuck[2][i] = stuck[2][0]
	}
	unequal := chains(1, 2, 40, 0.9, 0, 0, fine)
	random := rand.New(rand.NewPCG(3, 2))
	for i := range unequal[0] {
		unequal[0][i] = math.Round(random.NormFloat64()*16*1024) / 1024
	}
	add := func(name, comment string, d [][]float64) {
		list = append(list, example{name, comment, newInputs(d)})
	}
	add("four", "four chains of independent draws", chains(1, 4, 50, 0, 0, 0, fine))
	add("two-short", "two chains of sixteen draws", chains(4, 2, 16, 0, 0, 0, fine))
	add("odd", "an odd number of draws, whose middle one is in no half", chains(2, 3, 41, 0.4, 0.05, 0, fine))
	add("slow", "draws that depend on each other for long", chains(11, 4, 90, 0.8, 0, 0, fine))
	add("antithetic", "draws that alternate, with an ESS above their number",
		chains(1, 4, 60, -0.7, 0, 0, fine))
	add("antithetic-strong", "draws that alternate so much that the limit S log10(S) holds",
		chains(1, 2, 64, -0.93, 0, 0, fine))
	add("apart", "chains with other means", chains(1, 4, 40, 0.2, 2, 0, fine))
	add("spread", "chains with equal means and other spreads", chains(1, 4, 40, 0, 0, 1.5, fine))
	add("ties", "draws of five values", chains(2, 4, 40, 0.3, 0, 0, 1))
	add("binary", "draws of two values", changed(chains(2, 3, 40, 0.5, 0, 0, fine),
		func(v float64) float64 { return map[bool]float64{true: 1}[v > 0] }))
	add("large-mean", "a mean of a million times the spread",
		changed(chains(1, 3, 50, 0.3, 0.15, 0, fine), func(v float64) float64 { return v + 1<<20 }))
	add("tiny", "draws in units of 2^-100",
		changed(chains(1, 2, 40, 0.3, 0.05, 0, fine), func(v float64) float64 { return v * 0x1p-100 }))
	add("huge", "draws in units of 2^100",
		changed(chains(1, 2, 40, 0.3, 0.05, 0, fine), func(v float64) float64 { return v * 0x1p100 }))
	add("trend", "chains that drift", trend)
	add("stuck", "one of three chains is constant", stuck)
	add("unequal", "a wide chain of independent draws and a narrow slow one", unequal)
	add("heavy", "heavy tails", changed(
		chains(1, 4, 64, 0.3, 0, 0, fine),
		func(v float64) float64 { return math.Round(v*v*v*1024) / 1024 },
	))
	add("extremes", "one chain has all the large draws",
		changed(chains(1, 2, 45, 0.2, 3, 0, fine), func(v float64) float64 { return math.Max(v, -1) }))
	add("ten", "ten chains of 24 draws", chains(1, 10, 24, 0.2, 0.05, 0, fine))
	add("constant", "all draws are equal", [][]float64{{3, 3, 3, 3, 3, 3, 3, 3}, {3, 3, 3, 3, 3, 3, 3, 3}})
	add("constant-apart", "each chain is constant at another value",
		[][]float64{{1, 1, 1, 1, 1, 1, 1, 1}, {2, 2, 2, 2, 2, 2, 2, 2}})
	add("single", "one chain", chains(1, 1, 60, 0.3, 0, 0, fine))
	add("single-odd", "one chain with an odd number of draws, whose middle one is in no half",
		chains(1, 1, 41, 0.5, 0, 0, fine))
	add("single-antithetic", "one chain that alternates", chains(1, 1, 64, -0.6, 0, 0, fine))
	add("single-ties", "one chain with draws of five values", chains(1, 1, 80, 0.4, 0, 0, 1))
	add("single-trend", "one chain that drifts, with other means of its halves", trend[:1])
	add("single-constant", "one chain whose draws are all equal", [][]float64{{3, 3, 3, 3, 3, 3, 3, 3, 3, 3}})
	return list
}

// several are the cases with two chains or more.
func several() []example {
	return slices.DeleteFunc(chainCases(), func(c example) bool { return len(c.in[0]) == 1 })
}

// autocorrelations returns those at all lags.
func autocorrelations(x []num) (rho []num) {
	c := centred(x)
	for lag := range x {
		rho = append(rho, autocovariance(c, lag).over(autocovariance(c, 0)))
	}
	return rho
}

// chained is a routine of chains that returns a number.
type chained func(d [][]num) num

func (f chained) answer(in inputs) [][]num { return aNumber(f(in.matrix(0))) }

func ofChains() []*Routine {
	arguments := []Argument{{"chains", matrix, "a list of draws for each chain"}}
	cases := chainCases()
	routine := func(name, definition, source string, tolerance float64, cases []example, f chained) *Routine {
		return &Routine{
			Name:       name,
			Definition: definition,
			Source:     source,
			Inputs:     arguments,
			Output:     Number,
			Tolerance:  tolerance,
			scale:      itself,
			cases:      cases,
			define:     f.answer,
		}
	}
	rankedHalves := func(d [][]num) [][]num { return ranked(halves(d)) }
	foldedHalves := func(d [][]num) [][]num { return ranked(folded(halves(d), median(halves(d)))) }
	return []*Routine{
		{
			Name: "autocorrelation",
			Definition: "the autocorrelations of one chain at the lags 0 to N - 1, each sum around the " +
				"mean of the chain over that at lag 0",
			Source:    "Geyer 1992",
			Inputs:    []Argument{{"chain", List, "the draws of a chain"}},
			Output:    List,
			Tolerance: 1e-9,
			scale:     unit,
			cases:     mapped(several(), func(c example) example { c.in = newInputs(c.in[0][:1]); return c }),
			define:    lists(func(in inputs) []num { return autocorrelations(in.nums(0)) }),
		},
		routine("rhat",
			"the square root of (N - 1)/N + B/W: B the variance of the means of the chains, W the mean of "+
				"their variances, both with divisors less one",
			"Gelman and Rubin 1992, as in Stan", 1e-9, several(), rhat),
		routine("rhat_split", "rhat of the first and the last floor(N/2) draws of each chain",
			"Gelman et al. 2013", 1e-9, cases,
			func(d [][]num) num { return rhat(halves(d)) }),
		routine("rhat_rank",
			"the larger rhat_split of two: of the normal quantiles of the ranks of all draws, and of the "+
				"same for distances from the median. "+
				"Ranks are (r - 3/8)/(S + 1/4), and means over ties", "Vehtari et al. 2021", 1e-9, cases,
			func(d [][]num) num { return larger(rhat(rankedHalves(d)), rhat(foldedHalves(d))) }),
		routine("ess",
			"the effective sample size of whole chains, by Geyer's initial monotone sequence, at most S "+
				"log10(S); S if all draws are equal",
			"Stan Reference Manual", 1e-8, mixed(), ess),
		routine("ess_split",
			"ess of the first and the last floor(N/2) draws of each chain, as ArviZ has it for the mean",
			"Vehtari et al. 2021", 1e-8, mixed(),
			func(d [][]num) num { return ess(halves(d)) }),
		routine("ess_bulk", "ess_split of the normal quantiles of the ranks", "Vehtari et al. 2021", 1e-8,
			mixed(), bulk),
		routine("ess_tail",
			"the lesser ess_split of two indicators: that a draw is at most the 5% quantile of all, or "+
				"the 95% quantile; undefined if one is constant",
			"Vehtari et al. 2021, and R's package posterior", 1e-8, mixed(),
			func(d [][]num) num { return tail(d, 1, 19) }),
		routine("mcse_mean",
			"the standard deviation of all draws (divisor S - 1) over the square root of ess_split; zero "+
				"if all are equal",
			"Vehtari et al. 2021",
			1e-8, mixed(), func(d [][]num) num { return deviation(d).over(ess(halves(d)).root()) }),
	}
}
