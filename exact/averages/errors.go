package averages

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"time"

	"breadboard/chains/errs"
	"breadboard/chains/number"
)

// Question asks for the errors of averages of a function.
type Question struct {
	Function *Function
	Starts   [][]float64 // distributions of the first sample, one probability for each state
	N        []int64     // numbers of samples, from 1 on, ascending
	Variance bool        // whether to compute the errors of the variance
	// Distribution says whether to compute the errors of the empirical distribution, at a cost that
	// grows with the number of levels.
	Distribution bool
	// Progress is called now and then, with calls that add up to Chain.Steps. It may be nil.
	Progress func(steps int)
}

// Errors are the exact errors of averages over N samples.
type Errors struct {
	N    int64
	Bias number.Bounded // of the mean of the standardised function
	MSE  number.Bounded // the mean squared error of that mean
	// The bias and the mean squared error of the sample variance with divisor N - 1, whose true
	// value is one. They are NaN at N = 1, if they were not requested, and if the function is 1e77
	// standard deviations from its mean at a state that chains may reach, so that its fourth power
	// overflows.
	BiasVariance, MSEVariance number.Bounded
	// CvM is the mean of the Cramer-von Mises distance: the sum over levels v of P(v) E[(Fhat(v) -
	// F(v))^2]. NaN if it was not requested.
	CvM number.Bounded
	// KS2Low and KS2High bound the mean of the squared Kolmogorov-Smirnov distance, by the largest
	// E[(Fhat(v) - F(v))^2] of a level and by their sum. NaN if the distribution was not requested.
	KS2Low, KS2High number.Bounded
	// Rounding is about the largest relative rounding error of these numbers; that of biases is
	// relative to the root of the mean squared error.
	Rounding float64
}

// Method is a way to compute errors.
type Method string

const (
	Recursion Method = "recursion" // from N to N + 1, for any chain; O(N entries)
	Squaring  Method = "squaring"  // powers of the transition matrix; O(states^3 log N)
	// of the mean alone, from the target, for a reversible chain; all N at once
	Lanczos Method = "lanczos"
)

// Methods returns all methods.
func Methods() []Method { return []Method{Recursion, Squaring, Lanczos} }

const (
	// MaxRecursion and MaxSquaring are the largest numbers of samples of the two methods; Lanczos
	// takes as many as Squaring.
	MaxRecursion = 1_000_000_000
	MaxSquaring  = 1_000_000_000_000
)

// Errors returns the errors for each start and, within it, each number of samples. It fails if the
// question is malformed, if a chain may begin at a state where the function is infinite, if the
// method cannot answer the question, and if the context ends.
func (c *Chain) Errors(ctx context.Context, q Question, m Method) ([][]Errors, error) {
	if err := c.checkQuestion(q); err != nil {
		return nil, err
	}
	if _, h := c.farthest(q); math.IsInf(h*h*h*h, 0) {
		q.Variance = false
	}
	switch m {
	case Recursion:
		return c.recursion(ctx, q)
	case Squaring:
		return c.squaring(ctx, q)
	case Lanczos:
		return c.lanczos(ctx, q)
	}
	return nil, errs.New("unknown method %q; the methods are %v", m, Methods())
}

func (c *Chain) checkQuestion(q Question) error {
	if len(q.N) == 0 || q.N[0] < 1 || !slices.IsSorted(q.N) {
		return errs.New("numbers of samples %v; give some from 1 on, ascending", q.N)
	}
	for _, law := range q.Starts {
		if err := c.CheckLaw(law); err != nil {
			return fmt.Errorf("start: %w", err)
		}
		if x := q.Function.InfiniteAt(law); x >= 0 {
			return errs.New(
				"start: the function is %v at state %d, where a chain may begin; start where it is finite",
				q.Function.Raw[x],
				x,
			)
		}
	}
	if x, h := c.farthest(q); math.IsInf(h*h, 0) {
		return fmt.Errorf(
			"at state %d the function is %.3g standard deviations from its mean, whose square is beyond floating point",
			x,
			h,
		)
	}
	return nil
}

// farthest returns the state that a chain may reach at which the function is farthest from its
// mean, and this distance in standard deviations. Chains that begin within the target's states of
// positive probability stay there.
func (c *Chain) farthest(q Question) (state int, h float64) {
	everywhere := false
	for _, law := range q.Starts {
		for x, p := range law {
			everywhere = everywhere || p > 0 && c.Target[x] == 0
		}
	}
	for x, v := range q.Function.Values {
		if math.Abs(v) > h && (everywhere || c.Target[x] > 0) {
			state = x
			h = math.Abs(v)
		}
	}
	return state, h
}

// unknownErrors returns the errors for N samples before anything is computed.
func unknownErrors(n int64) Errors {
	nan := number.Exactly(math.NaN())
	return Errors{
		N:            n,
		Bias:         nan,
		MSE:          nan,
		BiasVariance: nan,
		MSEVariance:  nan,
		CvM:          nan,
		KS2Low:       nan,
		KS2High:      nan,
	}
}

// IndependentVariance returns R of the sample variance with divisor N - 1: N times its mean squared
// error for N independent draws. It is NaN at N = 1.
func (f *Function) IndependentVariance(n int64) float64 {
	if n == 1 {
		return math.NaN()
	}
	// this is kurtosis - (n-3)/(n-1), which loses digits if the kurtosis is one
	return (f.Kurtosis - 1) + 2/float64(n-1)
}

// IndependentCvM returns R of the Cramer-von Mises distance, the sum over levels v of P(v) F(v) (1
// - F(v)), which is the same at every N.
func (f *Function) IndependentCvM() float64 {
	below := f.below()
	above := f.above()
	total := 0.0
	for l, m := range f.Masses {
		total += m * below[l] * above[l]
	}
	return total
}

// The times that the estimates assume, in nanoseconds on one core. They are right to a factor of
// about two.
const (
	entryTime   = 0.35 // of an entry of the rows and a function that goes through it, in the recursion
	stateTime   = 2    // of a state and a function
	productTime = 0.25 // of a multiplication in a product of matrices
	readTime    = 3    // of a state for each number that is read
	lookTime    = 30   // of an entry, to find out whether the chain is reversible
	shiftTime   = 100  // of the eigenvalues of Lanczos, by the square of their number
	usualSteps  = 100  // of Lanczos, if there are that many states
)

// Seconds returns about how long a method takes for a question on one core. The number of steps of
// Lanczos is not known beforehand: it may be more than assumed here if the chain is slow. Time is
// O(levels).
func (c *Chain) Seconds(q Question, m Method) float64 {
	n := float64(c.States())
	entries := float64(c.factored().Size())
	samples := float64(q.N[len(q.N)-1])
	lanes := float64(q.lanes())
	switch m {
	case Recursion:
		reads := float64(len(q.N)*len(q.Starts)) * lanes * n * readTime
		return 1e-9 * (samples*lanes*(entryTime*entries+stateTime*n) + reads)
	case Squaring:
		squarings := float64(bits.Len64(uint64(q.N[len(q.N)-1])))
		// Each number of samples applies about half of the squares to functions.
		applied := float64(len(q.N)) * lanes * n * n / 2
		return 1e-9 * productTime * squarings * (float64(squaringProducts(q))*math.Pow(n+1, 3) + applied)
	case Lanczos:
		steps := min(n, usualSteps)
		return 1e-9 * (lookTime*entries + steps*(2*entryTime*entries+5*stateTime*n) + shiftTime*steps*steps)
	}
	return math.NaN()
}

// Steps returns how many steps a method reports to Progress for a question: zero for Lanczos, whose
// number of steps is not known beforehand.
func (c *Chain) Steps(q Question, m Method) int {
	last := q.N[len(q.N)-1]
	switch m {
	case Recursion:
		return q.passes() * int(last)
	case Squaring:
		runs := 1
		if q.Distribution && !q.Function.twoValued() {
			each := levelsAtOnce(c.States())
			runs += (q.Function.uncertainLevels() + each - 1) / each
		}
		return runs * (bits.Len64(uint64(last)) - 1)
	}
	return 0
}

// lanes returns how many functions the recursion takes through T.
func (q Question) lanes() int {
	first := 2
	if q.Variance {
		first = 8
	}
	return first + (q.passes()-1)*2*blockLevels
}

// Fastest returns the fastest method that can answer a question. If none can, the error gives the
// reason for each. Time is O(entries) for the first question that Lanczos may answer.
func (c *Chain) Fastest(q Question) (Method, error) {
	if err := c.checkQuestion(q); err != nil {
		return "", err
	}
	best := Method("")
	shortest := math.Inf(1)
	var refusals []error // of the recursion and of squaring
	for _, m := range Methods() {
		if err := c.checkMethod(context.Background(), q, m); err != nil {
			if m != Lanczos { // a question that Lanczos does not cover needs no such advice
				refusals = append(refusals, err)
			}
		} else if s := c.Seconds(q, m); s < shortest {
			best = m
			shortest = s
		}
	}
	if best == "" {
		return "", fmt.Errorf("no method can answer this: %w; %w", refusals[0], refusals[1])
	}
	return best, nil
}

// FastestErrors returns the errors by the method that Fastest chooses. It fails if Fastest or
// Errors does.
func (c *Chain) FastestErrors(ctx context.Context, q Question) ([][]Errors, error) {
	m, err := c.Fastest(q)
	if err != nil {
		return nil, err
	}
	return c.Errors(ctx, q, m)
}

// Answers returns the error, with advice, with which Errors would fail for a question and a method.
// Time is that of Fastest.
func (c *Chain) Answers(ctx context.Context, q Question, m Method) error {
	if err := c.checkQuestion(q); err != nil {
		return err
	}
	return c.checkMethod(ctx, q, m)
}

// checkMethod fails if a method cannot answer a question on the chain.
func (c *Chain) checkMethod(ctx context.Context, q Question, m Method) error {
	switch m {
	case Recursion:
		return c.checkRecursion(q)
	case Squaring:
		return c.checkSquaring(q)
	}
	if err := c.suitsLanczos(q); err != nil {
		return err
	}
	return c.checkReversible(ctx)
}

// checkRecursion fails if the recursion would take too many steps.
func (c *Chain) checkRecursion(q Question) error {
	last := q.N[len(q.N)-1]
	if last <= MaxRecursion {
		return nil
	}
	return errs.New("%d samples, and errors by recursion are for up to %d, and on %d states would take about %s; use "+
		"squaring, or ask for fewer samples",
		last, int64(MaxRecursion), c.States(), duration(c.Seconds(q, Recursion)))
}

// duration writes a time in seconds for people.
func duration(seconds float64) string {
	switch d := time.Duration(min(seconds, 1e9) * 1e9); {
	case d < time.Minute:
		return d.Round(time.Millisecond).String()
	case d < 48*time.Hour:
		return d.Round(time.Second).String()
	}
	return fmt.Sprintf("%.3g days", seconds/86400)
}
