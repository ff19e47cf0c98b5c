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

// firstHalves divides chains without the last draw of an odd one.
func firstHalves(d [][]num) (out [][]num) {
	for _, x := range d {
		out = append(out, x[:len(x)/2], x[len(x)/2:len(x)/2*2])
	}
	return out
}

func within(d [][]num, less int) num {
	return mean(mapped(d, func(x []num) num { return variance(x, less) }))
}

// between returns the variance of the means of the chains.
func between(d [][]num, less int) num { return variance(mapped(d, mean), less) }

// ratio returns (N - 1)/N + B/W, of which the root is R-hat.
func ratio(d [][]num) num {
	return of(1).minus(of(1).over(of(float64(len(d[0]))))).plus(between(d, 1).over(within(d, 1)))
}

func rhat(d [][]num) num { return ratio(d).root() }

var quantiles sync.Map // of normalQuantile, by twice the rank, the size and the bits

// ranked returns the normal quantiles of the ranks of all draws. Equal draws have the mean of their
// ranks, or if they are ordinal the ranks in the order of the draws.
func ranked(d [][]num, ordinal bool) [][]num {
	all := sorted(slices.Concat(d...))
	seen := map[int]int{}
	return mapped(d, func(x []num) []num {
		return mapped(x, func(v num) num {
			first, _ := slices.BinarySearchFunc(all, v, compare)
			end := first
			for end < len(all) && compare(all[end], v) == 0 {
				end++
			}
			twice := first + 1 + end
			if ordinal {
				seen[first]++
				twice = 2 * (first + seen[first])
			}
			key := [3]int{twice, len(all), int(bits)}
			if z, known := quantiles.Load(key); known {
				return z.(num)
			}
			z := normalQuantile(of(float64(twice)/2 - 3./8).over(of(float64(len(all)) + 1./4)))
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

// autocovariance returns that of a centred chain at a lag, over N less the given number.
func autocovariance(x []num, lag, less int) num {
	return dot(x[:len(x)-lag], x[lag:]).over(of(float64(len(x) - less)))
}

// autocovariances returns the mean over the chains at a lag, each over that at lag 0 if they are
// relative.
func autocovariances(d [][]num, relative bool) func(lag int) num {
	d = mapped(d, centred)
	return func(lag int) num {
		return mean(mapped(d, func(x []num) num {
			if relative {
				return autocovariance(x, lag, 0).over(autocovariance(x, 0, 0))
			}
			return autocovariance(x, lag, 0)
		}))
	}
}

// correlations returns the autocorrelations of all chains together at a lag.
func correlations(d [][]num) func(lag int) num {
	w := within(d, 1)
	all := w.minus(w.over(of(float64(len(d[0])))))
	if len(d) > 1 {
		all = all.plus(between(d, 1))
	}
	c := autocovariances(d, false)
	return func(lag int) num { return of(1).minus(w.minus(c(lag)).over(all)) }
}

// time returns the autocorrelation time of N draws by Geyer's initial monotone sequence.
//
// Source: Geyer 1992; Stan Reference Manual, Effective Sample Size.
func time(n int, rho func(lag int) num, monotone bool) num {
	sum, least, even, odd := of(0), of(math.Inf(1)), of(1), rho(1)
	pair := even.plus(odd)
	lag := 0
	for ; lag+1 < n-3 && of(0).less(pair); pair = even.plus(odd) {
		if least = smaller(least, pair); !monotone {
			least = pair
		}
		sum, lag = sum.plus(least), lag+2
		even, odd = rho(lag), rho(lag+1)
	}
	if of(0).less(even) || !pair.less(of(0)) {
		sum = sum.plus(even.scaled(0.5))
	}
	return sum.scaled(2).minus(of(1))
}

func size(d [][]num) num { return of(float64(len(d) * len(d[0]))) }

// limited returns the draws over an autocorrelation time, at most S log10(S).
func limited(d [][]num, tau num) num {
	s := size(d)
	return s.over(larger(tau, of(10).log().over(s.log())))
}

func constant(d [][]num) bool {
	all := slices.Concat(d...)
	return !slices.ContainsFunc(all, func(v num) bool { return compare(v, all[0]) != 0 })
}

// ess returns the effective sample size, which is the number of draws if all are equal.
func ess(d [][]num) num { return essBy(correlations)(d) }

// essBy returns the effective sample size with other correlations.
func essBy(of func(d [][]num) func(lag int) num) func([][]num) num {
	return func(d [][]num) num {
		if constant(d) {
			return size(d)
		}
		return limited(d, time(len(d[0]), of(d), true))
	}
}

// sequence returns the effective sample size of a sum of correlations.
func sequence(tau func(n int, rho func(lag int) num) num) func([][]num) num {
	return func(d [][]num) num {
		if constant(d) {
			return size(d)
		}
		return limited(d, tau(len(d[0]), correlations(d)))
	}
}

// posterior returns a function as R's package posterior has it: undefined if no two draws differ by
// 2.2e-16 or more.
func posterior(f chained) slip {
	return slip{"undefined if all draws lie within 2.2e-16 of each other, as in R's package posterior", true, func(d [][]num) num {
		all := sorted(slices.Concat(d...))
		if all[len(all)-1].minus(all[0]).less(of(0x1p-52)) {
			return num{}
		}
		return f(d)
	}}
}

// bulk and tails are the effective sample sizes of ranks and of indicators.
func bulk(d [][]num) num { return ess(ranked(halves(d), false)) }

func below(d [][]num, twentieths int) [][]num {
	all := sorted(slices.Concat(d...))
	most := all[(len(all)-1)*twentieths/20]
	return mapped(d, func(x []num) []num {
		return mapped(x, func(v num) num { return of(map[bool]float64{true: 0, false: 1}[most.less(v)]) })
	})
}

func tail(d [][]num, twentieths ...int) num {
	least := of(math.Inf(1))
	for _, k := range twentieths {
		at := halves(below(d, k))
		if constant(at) {
			return num{}
		}
		least = smaller(least, ess(at))
	}
	return least
}

func deviation(d [][]num, less int) num { return variance(slices.Concat(d...), less).root() }

// mixed are the cases of effective sample sizes: those of chains that are not so far apart that the
// correlations stay positive up to the last lags, where packages end the sum at different ones.
func mixed() []example {
	return slices.DeleteFunc(chainCases(), func(c example) bool {
		return slices.Contains([]string{"apart", "trend", "extremes", "constant-apart"}, c.name)
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
		list = append(list, example{name, comment, given(d)})
	}
	add("four", "four chains of independent draws", chains(1, 4, 50, 0, 0, 0, fine))
	add("two-short", "two chains of sixteen draws", chains(4, 2, 16, 0, 0, 0, fine))
	add("odd", "an odd number of draws, whose middle one is in no half", chains(2, 3, 41, 0.4, 0.05, 0, fine))
	add("slow", "draws that depend on each other for long", chains(11, 4, 90, 0.8, 0, 0, fine))
	add("antithetic", "draws that alternate, with an ESS above their number", chains(1, 4, 60, -0.7, 0, 0, fine))
	add("antithetic-strong", "draws that alternate so much that the limit S log10(S) holds", chains(1, 2, 64, -0.93, 0, 0, fine))
	add("apart", "chains with other means", chains(1, 4, 40, 0.2, 2, 0, fine))
	add("spread", "chains with equal means and other spreads", chains(1, 4, 40, 0, 0, 1.5, fine))
	add("ties", "draws of five values", chains(2, 4, 40, 0.3, 0, 0, 1))
	add("binary", "draws of two values", changed(chains(2, 3, 40, 0.5, 0, 0, fine), func(v float64) float64 { return map[bool]float64{true: 1}[v > 0] }))
	add("large-mean", "a mean of a million times the spread", changed(chains(1, 3, 50, 0.3, 0.15, 0, fine), func(v float64) float64 { return v + 1<<20 }))
	add("tiny", "draws in units of 2^-100", changed(chains(1, 2, 40, 0.3, 0.05, 0, fine), func(v float64) float64 { return v * 0x1p-100 }))
	add("huge", "draws in units of 2^100", changed(chains(1, 2, 40, 0.3, 0.05, 0, fine), func(v float64) float64 { return v * 0x1p100 }))
	add("trend", "chains that drift", trend)
	add("stuck", "one of three chains is constant", stuck)
	add("unequal", "a wide chain of independent draws and a narrow slow one", unequal)
	add("heavy", "heavy tails", changed(chains(1, 4, 64, 0.3, 0, 0, fine), func(v float64) float64 { return math.Round(v*v*v*1024) / 1024 }))
	add("extremes", "one chain has all the large draws", changed(chains(1, 2, 45, 0.2, 3, 0, fine), func(v float64) float64 { return math.Max(v, -1) }))
	add("ten", "ten chains of 24 draws", chains(1, 10, 24, 0.2, 0.05, 0, fine))
	add("constant", "all draws are equal", [][]float64{{3, 3, 3, 3, 3, 3, 3, 3}, {3, 3, 3, 3, 3, 3, 3, 3}})
	add("constant-apart", "each chain is constant at another value", [][]float64{{1, 1, 1, 1, 1, 1, 1, 1}, {2, 2, 2, 2, 2, 2, 2, 2}})
	return list
}

// autocorrelations returns those at all lags, with sums over N less a number.
func autocorrelations(x []num, less func(lag int) int) []num {
	c := centred(x)
	return mapped(lagsOf(x), func(lag int) num { return autocovariance(c, lag, less(lag)).over(autocovariance(c, 0, 0)) })
}

func lagsOf(x []num) (lags []int) {
	for lag := range x {
		lags = append(lags, lag)
	}
	return lags
}

// chained is a routine of chains that returns a number.
type chained func(d [][]num) num

func (f chained) answer(in inputs) [][]num { return aNumber(f(in.matrix(0))) }

// slip is a mistake of a function of chains, or another definition.
type slip struct {
	name       string
	definition bool
	f          chained
}

// after returns the mistakes of the same functions of draws that are transformed before.
func after(transform func([][]num) [][]num, slips []slip) []slip {
	return mapped(slips, func(s slip) slip { return slip{s.name, s.definition, func(d [][]num) num { return s.f(transform(d)) }} })
}

func ofChains() []*Routine {
	arguments := []Argument{{"chains", Matrix, "a list of draws for each chain"}}
	cases := chainCases()
	n := func(d [][]num) num { return of(float64(len(d[0]))) }
	m := func(d [][]num) num { return of(float64(len(d))) }
	one := of(1)
	routine := func(name, definition, source string, tolerance float64, cases []example, f chained, slips ...slip) *Routine {
		return &Routine{
			Name: name, Definition: definition, Source: source, Inputs: arguments, Output: Number, Tolerance: tolerance, scale: itself, cases: cases,
			define: f.answer, Mistakes: mapped(slips, func(s slip) Mistake { return Mistake{s.name, s.definition, s.f.answer} }),
		}
	}
	rankedHalves := func(d [][]num) [][]num { return ranked(halves(d), false) }
	foldedHalves := func(d [][]num) [][]num { return ranked(folded(halves(d), median(halves(d))), false) }
	positive := func(n int, rho func(int) num) num { // up to the first negative correlation
		sum := of(0)
		for lag := 1; lag < n && of(0).less(rho(lag)); lag++ {
			sum = sum.plus(rho(lag))
		}
		return one.plus(sum.scaled(2))
	}
	everywhere := []slip{
		slip{"the sum of the correlations ends at the first negative one (Stan 2450)", false, sequence(positive)},
		slip{"correlations of the chains are averaged without their variances (MCMCChains 229)", false, essBy(func(d [][]num) func(int) num {
			w := within(d, 1)
			all := w.minus(w.over(n(d))).plus(between(d, 1))
			rho := autocovariances(d, true)
			return func(lag int) num { return one.minus(w.minus(rho(lag)).over(all)) }
		})},
		slip{"the variance between the chains is left out", false, essBy(func(d [][]num) func(int) num {
			c := autocovariances(d, false)
			return func(lag int) num { return c(lag).over(c(0)) }
		})},
		slip{"correlations count once, and not for both signs of the lag", false, sequence(func(n int, rho func(int) num) num {
			return time(n, rho, true).plus(one).scaled(0.5)
		})},
		slip{"1 is not subtracted from twice the sum of all correlations", false, sequence(func(n int, rho func(int) num) num {
			return time(n, rho, true).plus(one)
		})},
		slip{"the ESS is at most the number of draws", false, func(d [][]num) num { return smaller(ess(d), size(d)) }},
		slip{"the ESS of one chain's number of draws", false, func(d [][]num) num { return ess(d).over(m(d)) }},
		slip{"pairs of correlations may rise again (initial positive sequence)", true, sequence(func(n int, rho func(int) num) num {
			return time(n, rho, false)
		})},
	}
	whole := []slip{
		slip{"the ESS of each chain is added", true, func(d [][]num) num {
			return total(mapped(d, func(x []num) num { return ess([][]num{x}) }))
		}},
		slip{"chains are split in halves", true, func(d [][]num) num { return ess(halves(d)) }},
		slip{"Sokal's window of five autocorrelation times, as in emcee", true, func(d [][]num) num {
			tau, rho := of(-1), autocovariances(d, true)
			for lag := range d[0] {
				if tau = tau.plus(rho(lag).scaled(2)); !of(float64(lag)).less(tau.scaled(5)) {
					break
				}
			}
			return size(d).over(tau)
		}},
	}
	return []*Routine{
		{
			Name: "autocorrelation", Definition: "the autocorrelations of one chain at the lags 0 to N - 1, each sum around the mean of the chain over that at lag 0",
			Source: "Geyer 1992", Inputs: []Argument{{"chain", List, "the draws of a chain"}}, Output: List, Tolerance: 1e-9, scale: unit,
			cases:  mapped(cases, func(c example) example { c.in = given(c.in[0][:1]); return c }),
			define: lists(func(in inputs) []num { return autocorrelations(in.nums(0), func(int) int { return 0 }) }),
			Mistakes: []Mistake{
				{"sums are over the N - k terms that they have", true, lists(func(in inputs) []num { return autocorrelations(in.nums(0), func(lag int) int { return lag }) })},
				{"the mean is not subtracted", false, lists(func(in inputs) []num {
					x := in.nums(0)
					return mapped(lagsOf(x), func(lag int) num { return dot(x[:len(x)-lag], x[lag:]).over(dot(x, x)) })
				})},
				{"autocovariances, which are not over that at lag 0", false, lists(func(in inputs) []num {
					return mapped(lagsOf(in.nums(0)), func(lag int) num { return autocovariance(centred(in.nums(0)), lag, 0) })
				})},
				{"the chain is taken for periodic (a Fourier transform without zeros behind the draws)", false, lists(func(in inputs) []num {
					x := centred(in.nums(0))
					return mapped(lagsOf(x), func(lag int) num { return dot(x, slices.Concat(x[lag:], x[:lag])).over(dot(x, x)) })
				})},
				{"lags are counted from 1", false, lists(func(in inputs) []num {
					rho := autocorrelations(in.nums(0), func(int) int { return 0 })
					return append(rho[1:], rho[0].minus(rho[0]))
				})},
			},
		},
		routine("rhat", "the square root of (N - 1)/N + B/W: B the variance of the means of the chains, W the mean of their variances, both with divisors less one",
			"Gelman and Rubin 1992, as in Stan", 1e-9, cases, rhat,
			slip{"no square root", false, ratio},
			slip{"variances within chains have the divisor N", false, func(d [][]num) num {
				return one.minus(one.over(n(d))).plus(between(d, 1).over(within(d, 0))).root()
			}},
			slip{"variances within chains have the divisor N, and (N - 1)/N is left out (TensorFlow Probability 1054)", false, func(d [][]num) num {
				more := m(d).plus(one).over(m(d))
				return more.times(one.plus(between(d, 1).over(within(d, 0)))).minus(n(d).minus(one).over(m(d).times(n(d))))
			}},
			slip{"(N - 1)/N is left out", false, func(d [][]num) num { return one.plus(between(d, 1).over(within(d, 1))).root() }},
			slip{"the variance of the means has the number of chains as its divisor", false, func(d [][]num) num {
				return one.minus(one.over(n(d))).plus(between(d, 0).over(within(d, 1))).root()
			}},
			slip{"B is not over N", false, func(d [][]num) num {
				return one.minus(one.over(n(d))).plus(between(d, 1).times(n(d)).over(within(d, 1))).root()
			}},
			slip{"chains are split in halves", true, func(d [][]num) num { return rhat(halves(d)) }},
			slip{"Brooks and Gelman (1998): B/W times (M + 1)/M, without degrees of freedom", true, func(d [][]num) num {
				return one.minus(one.over(n(d))).plus(m(d).plus(one).over(m(d)).times(between(d, 1)).over(within(d, 1))).root()
			}},
			slip{"gelman.diag of coda: B/W times (M + 1)/M, and degrees of freedom", true, gelmanDiag},
			posterior(rhat),
		),
		routine("rhat_split", "rhat of the first and the last floor(N/2) draws of each chain", "Gelman et al. 2013", 1e-9, cases,
			func(d [][]num) num { return rhat(halves(d)) },
			slip{"chains are not split", false, rhat},
			slip{"odd chains lose the last draw, and not the middle one", true, func(d [][]num) num { return rhat(firstHalves(d)) }},
			posterior(func(d [][]num) num { return rhat(halves(d)) }),
			slip{"no square root", false, func(d [][]num) num { return ratio(halves(d)) }},
			slip{"even and odd draws are taken for halves", false, func(d [][]num) num {
				var out [][]num
				for _, x := range d {
					parts := [2][]num{}
					for i, v := range x[:len(x)/2*2] {
						parts[i%2] = append(parts[i%2], v)
					}
					out = append(out, parts[:]...)
				}
				return rhat(out)
			}},
		),
		routine("rhat_rank", "the larger rhat_split of two: of the normal quantiles of the ranks of all draws, and of the same for distances from the median. "+
			"Ranks are (r - 3/8)/(S + 1/4), and means over ties", "Vehtari et al. 2021", 1e-9, cases,
			func(d [][]num) num { return larger(rhat(rankedHalves(d)), rhat(foldedHalves(d))) },
			slip{"the median is that of all draws, before chains are split, and undefined if one of the two is, as in R's package posterior", true, func(d [][]num) num {
				bulk, spread := rhat(rankedHalves(d)), rhat(ranked(halves(folded(d, median(d))), false))
				if spread.v == nil {
					return spread
				}
				return larger(bulk, spread)
			}},
			slip{"draws are not folded", false, func(d [][]num) num { return rhat(rankedHalves(d)) }},
			slip{"folded draws alone", false, func(d [][]num) num { return rhat(foldedHalves(d)) }},
			slip{"ranks are not taken", false, func(d [][]num) num { return rhat(halves(d)) }},
			slip{"equal draws have different ranks", false, func(d [][]num) num {
				return larger(rhat(ranked(halves(d), true)), rhat(ranked(folded(halves(d), median(halves(d))), true)))
			}},
			slip{"distances are from the mean, and not from the median", false, func(d [][]num) num {
				h := halves(d)
				return larger(rhat(rankedHalves(d)), rhat(ranked(folded(h, mean(slices.Concat(h...))), false)))
			}},
			slip{"chains are not split", false, func(d [][]num) num { return larger(rhat(ranked(d, false)), rhat(ranked(folded(d, median(d)), false))) }},
			slip{"ranks are taken in each chain by itself", false, func(d [][]num) num {
				alone := func(d [][]num) [][]num {
					return mapped(d, func(x []num) []num { return ranked([][]num{x}, false)[0] })
				}
				return larger(rhat(alone(halves(d))), rhat(alone(folded(halves(d), median(halves(d))))))
			}},
		),
		routine("ess", "the effective sample size of whole chains, by Geyer's initial monotone sequence, at most S log10(S); S if all draws are equal",
			"Stan Reference Manual", 1e-8, mixed(), ess, slices.Concat(everywhere, whole, []slip{posterior(ess)})...),
		routine("ess_split", "ess of the first and the last floor(N/2) draws of each chain, as ArviZ has it for the mean", "Vehtari et al. 2021", 1e-8, mixed(),
			func(d [][]num) num { return ess(halves(d)) },
			append(after(halves, everywhere), posterior(func(d [][]num) num { return ess(halves(d)) }), slip{"chains are not split", false, ess},
				slip{"odd chains lose the last draw, and not the middle one", true, func(d [][]num) num { return ess(firstHalves(d)) }})...),
		routine("ess_bulk", "ess_split of the normal quantiles of the ranks", "Vehtari et al. 2021", 1e-8, mixed(), bulk,
			append(after(rankedHalves, everywhere), after(rankedHalves, []slip{posterior(ess)})[0], slip{"chains are not split", false, func(d [][]num) num { return ess(ranked(d, false)) }},
				slip{"ranks are not taken", false, func(d [][]num) num { return ess(halves(d)) }},
				slip{"equal draws have different ranks", false, func(d [][]num) num { return ess(ranked(halves(d), true)) }})...),
		routine("ess_tail", "the lesser ess_split of two indicators: that a draw is at most the 5% quantile of all, or the 95% quantile; undefined if one is constant",
			"Vehtari et al. 2021, and R's package posterior", 1e-8, mixed(), func(d [][]num) num { return tail(d, 1, 19) },
			posterior(func(d [][]num) num { return tail(d, 1, 19) }),
			slip{"the 5% quantile alone", false, func(d [][]num) num { return tail(d, 1) }},
			slip{"the 95% quantile alone", false, func(d [][]num) num { return tail(d, 19) }},
			slip{"the 10% and the 90% quantile", false, func(d [][]num) num { return tail(d, 2, 18) }},
			slip{"the mean of both", false, func(d [][]num) num { return tail(d, 1).plus(tail(d, 19)).scaled(0.5) }},
			slip{"chains are not split", false, func(d [][]num) num { return smaller(ess(below(d, 1)), ess(below(d, 19))) }},
			slip{"the median, and not the tails", false, func(d [][]num) num { return tail(d, 10) }},
		),
		routine("mcse_mean", "the standard deviation of all draws (divisor S - 1) over the square root of ess_split; zero if all are equal", "Vehtari et al. 2021",
			1e-8, mixed(), func(d [][]num) num { return deviation(d, 1).over(ess(halves(d)).root()) },
			posterior(func(d [][]num) num { return deviation(d, 1).over(ess(halves(d)).root()) }),
			slip{"the number of draws is taken for the ESS", false, func(d [][]num) num { return deviation(d, 1).over(size(d).root()) }},
			slip{"the standard deviation has the divisor S", false, func(d [][]num) num { return deviation(d, 0).over(ess(halves(d)).root()) }},
			slip{"no square root of the ESS", false, func(d [][]num) num { return deviation(d, 1).over(ess(halves(d))) }},
			slip{"the variance, and not the standard deviation", false, func(d [][]num) num { return deviation(d, 1).squared().over(ess(halves(d)).root()) }},
			slip{"the ESS of the ranks", false, func(d [][]num) num { return deviation(d, 1).over(bulk(d).root()) }},
			slip{"chains are not split", true, func(d [][]num) num { return deviation(d, 1).over(ess(d).root()) }},
			slip{"the mean of the variances within chains", false, func(d [][]num) num { return within(d, 1).root().over(ess(halves(d)).root()) }},
		),
	}
}

// gelmanDiag returns what gelman.diag of R's package coda does, as a point estimate.
func gelmanDiag(d [][]num) num {
	n, m, one := of(float64(len(d[0]))), of(float64(len(d))), of(1)
	variances, means := mapped(d, func(x []num) num { return variance(x, 1) }), mapped(d, mean)
	w, b := mean(variances), between(d, 1).times(n)
	covariance := func(a, b []num) num {
		return dot(centred(a), b).over(m.minus(one))
	}
	more := one.plus(one.over(m))
	squares := mapped(means, num.squared)
	v := n.minus(one).times(w).plus(more.times(b)).over(n)
	mixed := n.over(m).times(covariance(variances, squares).minus(mean(means).scaled(2).times(covariance(variances, means))))
	spread := n.minus(one).squared().times(variance(variances, 1).over(m)).
		plus(more.squared().times(b.squared()).scaled(2).over(m.minus(one))).
		plus(n.minus(one).scaled(2).times(more).times(mixed)).over(n.squared())
	degrees := v.squared().scaled(2).over(spread)
	adjusted := degrees.plus(of(3)).over(degrees.plus(one))
	return adjusted.times(one.minus(one.over(n)).plus(more.times(b).over(n).over(w))).root()
}
