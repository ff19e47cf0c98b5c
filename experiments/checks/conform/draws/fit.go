package draws

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"

	"breadboard/chains/number"
	"breadboard/experiments/verdicts"
)

// Candidate is the distribution of a known mistake, whose parameter, if any, is fitted.
type Candidate struct {
	Says string
	// the log likelihood of the draws, less the logarithm of the number of such distributions
	Log        float64
	Parameters int         // how many were fitted
	Fits       func() bool // whether the distribution passes a goodness-of-fit test
}

const (
	// Unexplained is the p-value below which a goodness-of-fit test says that a distribution does
	// not explain the draws.
	Unexplained = 0.005
	// dependent is the p-value below which draws, or moves, depend on each other beyond what the
	// observed frequencies explain.
	dependent = 1e-5
	// parameterLead is by what factor a mistake with a fitted parameter has to be likelier still
	// than an unknown distribution: with little data one that is on no list is otherwise taken for
	// it in 3 of 100 files.
	parameterLead = 100
	// mostNamed is the most mistakes that are named together, if the draws do not tell them apart.
	mostNamed = 3
)

const (
	// None says that no known mistake explains what was found.
	None = "none of the known mistakes explains it"
	// several says that too many do, or that an unknown one is as likely.
	several = "known mistakes may explain it, but so may unknown ones: there are too few states or draws to decide"
)

// Named returns the known mistakes that explain the draws. The text is empty if none does, or if
// they cannot be told from others; then the reason says so. A mistake is named if it fits, if no
// other is likelier by verdicts.EnoughLead, and if it is likelier by as much, and by parameterLead,
// than an unknown distribution, given the log of the average likelihood over all distributions.
func Named(list []Candidate, unknown float64) (named, reason string) {
	list = slices.DeleteFunc(slices.Clone(list), func(c Candidate) bool { return math.IsInf(c.Log, -1) })
	if len(list) == 0 {
		return "", None
	}
	for i := range list { // a parameter counts if its interval excludes the mistake without it
		list[i].Log -= float64(list[i].Parameters) * HalfQuantile
	}
	slices.SortStableFunc(list, func(a, b Candidate) int { return cmp.Compare(b.Log, a.Log) })
	enough := number.Log(verdicts.EnoughLead)
	var says []string
	for _, c := range list {
		if c.Log >= list[0].Log-enough && len(says) <= mostNamed && c.Fits() {
			says = append(says, c.Says)
		}
	}
	switch {
	case len(says) == 0:
		return "", None + "; the nearest is that " + list[0].Says
	case len(says) > mostNamed ||
		list[0].Log < unknown+enough+float64(list[0].Parameters)*number.Log(parameterLead):
		return "", several
	}
	return "it is as if " + strings.Join(says, ", or "), ""
}

// Fits reports whether a distribution with that many fitted parameters explains counts: all
// together by a chi-squared test, and each by verdicts.FarCount.
func Fits(counts []int, p []float64, parameters int) bool {
	var s Pearson
	s.Add(counts, p)
	return s.P(parameters) >= Unexplained &&
		verdicts.FarCount(counts, p, len(p), "", func(int) string { return "far" }) == ""
}

// Parameter is a fitted number with its likelihood ratio interval at the level 0.01.
type Parameter struct{ At, Low, High, Log float64 }

// HalfQuantile is half the 0.99 quantile of the chi-squared distribution with one degree of
// freedom.
const HalfQuantile = 6.6349 / 2

// Fit returns the value of a parameter that maximises a log likelihood, which has one maximum
// between neighbours on an ascending grid. A grid that begins below zero is for a parameter without
// bounds: an interval that reaches an end of the grid is then infinite.
func Fit(grid []float64, log func(at float64) float64) Parameter {
	logs := make([]float64, len(grid))
	best := 0
	for i, at := range grid {
		logs[i] = log(at)
		if logs[i] > logs[best] {
			best = i
		}
	}
	p := Parameter{grid[best], grid[best], grid[best], logs[best]}
	if math.IsInf(p.Log, -1) {
		return p
	}
	const steps = 40
	at, least := verdicts.Least(func(at float64) float64 { return -log(at) }, grid[max(0, best-1)],
		grid[min(len(grid)-1, best+1)], steps)
	if -least > p.Log {
		p.At = at
		p.Log = -least
	}
	p.Low, p.High = p.end(grid, logs, -1, log), p.end(grid, logs, 1, log)
	if grid[0] < 0 && p.Low == grid[0] {
		p.Low = math.Inf(-1)
	}
	if grid[0] < 0 && p.High == grid[len(grid)-1] {
		p.High = math.Inf(1)
	}
	return p
}

// end returns the end of the interval in a direction.
func (p *Parameter) end(grid, logs []float64, direction int, log func(at float64) float64) float64 {
	inside := func(l float64) bool { return l >= p.Log-HalfQuantile }
	in := p.At
	out := math.NaN()
	for i := range grid {
		if direction < 0 {
			i = len(grid) - 1 - i
		}
		if float64(direction)*(grid[i]-p.At) <= 0 {
			continue
		}
		if !inside(logs[i]) {
			out = grid[i]
			break
		}
		in = grid[i]
	}
	const steps = 24
	for i := 0; i < steps && !math.IsNaN(out); i++ {
		if middle := (in + out) / 2; inside(log(middle)) {
			in = middle
		} else {
			out = middle
		}
	}
	return in
}

// LogUnknown returns the log likelihood of counts under an unknown distribution on that many cells,
// with equal weights on all distributions.
func LogUnknown(counts []int, cells int) float64 {
	total := 0.0
	log := 0.0
	for _, c := range counts {
		l, _ := math.Lgamma(float64(c) + 1)
		total += float64(c)
		log += l
	}
	all, _ := math.Lgamma(float64(cells))
	with, _ := math.Lgamma(total + float64(cells))
	return log + all - with
}

// Pearson is the chi-squared statistic of counts of several multinomial distributions. Cells with
// an expected count below five are pooled; pools that are still below five are added up over the
// distributions.
type Pearson struct {
	value, mean, variance float64
	single                []float64 // the p-value of each distribution
	rare                  int
	expected              float64
}

// fewest is how often a cell is expected at least, so that its term is nearly chi-squared.
const fewest = 5

// Add takes the counts of a multinomial distribution.
func (s *Pearson) Add(counts []int, p []float64) {
	n := 0.0
	for _, c := range counts {
		n += float64(c)
	}
	cells := 0.0
	inverse := 0.0
	value := 0.0
	rare := 0
	pooled := 0.0
	term := func(count int, p float64) {
		cells++
		inverse += 1 / p
		off := float64(count) - n*p
		value += off * off / (n * p)
	}
	for i, c := range counts {
		if n*p[i] >= fewest {
			term(c, p[i])
		} else {
			rare += c
			pooled += p[i]
		}
	}
	if n*pooled >= fewest {
		term(rare, pooled)
	} else if cells > 0 {
		s.rare += rare
		s.expected += n * pooled
	}
	if cells > 1 {
		variance := 2*(cells-1) + (inverse-cells*cells-2*cells+2)/n
		s.value += value
		s.mean = s.mean + cells - 1
		s.variance += variance
		s.single = append(s.single, above(value, cells-1, variance))
	}
}

// above returns the probability that a statistic with a gamma distribution of given mean and
// variance is larger than a value.
func above(value, mean, variance float64) float64 {
	if mean < 1 || variance <= 0 {
		return 1
	}
	return distuv.Gamma{Alpha: mean * mean / variance, Beta: mean / variance}.Survival(value)
}

// P returns the joint p-value of three statistics: the sum, given the number of fitted parameters;
// the largest of its terms; and the count of rare cells. Statistics are taken to have gamma
// distributions of the exact mean and variance.
//
// Source: Haldane 1937 (the variance of the statistic).
func (s *Pearson) P(parameters int) float64 {
	p := above(s.value, s.mean-float64(parameters), s.variance-2*float64(parameters))
	if n := len(s.single); n > 1 {
		p = min(p, float64(n)*slices.Min(s.single))
	}
	if s.expected > 0 {
		rare := distuv.Poisson{Lambda: s.expected}
		low, high := rare.CDF(float64(s.rare)), 1.0
		if s.rare > 0 {
			high = rare.Survival(float64(s.rare) - 1)
		}
		p = min(p, 2*min(low, high))
	}
	if s.rare > 0 && s.expected == 0 {
		return 0
	}
	const tests = 3
	return min(1, tests*p)
}
