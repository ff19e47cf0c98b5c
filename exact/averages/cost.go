package averages

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"time"
)

// The times that the estimates suppose, in nanoseconds on one core. They are right to a factor of about two.
const (
	entryTime   = 0.35 // of an entry of the rows and a function that goes through it, in the recursion
	stateTime   = 2    // of a state and a function
	productTime = 0.25 // of a multiplication in a product of matrices
	readTime    = 3    // of a state for each number that is read
	lookTime    = 30   // of an entry, to find out whether the chain is reversible
	shiftTime   = 100  // of the eigenvalues of Lanczos, by the square of their number
	usualSteps  = 100  // of Lanczos, where there are as many states
)

// Seconds returns about how long a method takes for a question on one core. How many steps Lanczos takes is not known beforehand: it may
// be more than are supposed here where the chain is slow. Time is O(levels).
func (c *Chain) Seconds(q Question, m Method) float64 {
	n, entries, samples := float64(c.States()), float64(len(c.Rows.Entries)), float64(q.N[len(q.N)-1])
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

// Steps returns how many steps a method reports to Progress of a question, and zero for Lanczos, of which that is not known beforehand.
func (c *Chain) Steps(q Question, m Method) int {
	last := q.N[len(q.N)-1]
	switch m {
	case Recursion:
		return q.passes() * int(last)
	case Squaring:
		runs := 1
		if q.Distribution {
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

// Fastest returns the method that answers a question in the shortest time, of those that can. It fails where none can, and says why each
// cannot. Time is O(entries) for the first question that Lanczos may answer.
func (c *Chain) Fastest(q Question) (Method, error) {
	if err := c.check(q); err != nil {
		return "", err
	}
	best, shortest := Method(""), math.Inf(1)
	var refusals []error // of the recursion and of squaring
	for _, m := range Methods() {
		if err := c.answers(context.Background(), q, m); err != nil {
			if m != Lanczos { // who asks for what Lanczos is not for needs no such advice
				refusals = append(refusals, err)
			}
		} else if s := c.Seconds(q, m); s < shortest {
			best, shortest = m, s
		}
	}
	if best == "" {
		return "", fmt.Errorf("no method can answer this: %w; %w", refusals[0], refusals[1])
	}
	return best, nil
}

// FastestErrors returns the errors by the method that Fastest chooses. It fails where there is none, and as Errors does.
func (c *Chain) FastestErrors(ctx context.Context, q Question) ([][]Errors, error) {
	m, err := c.Fastest(q)
	if err != nil {
		return nil, err
	}
	return c.Errors(ctx, q, m)
}

// Answers fails where a method cannot answer a question on the chain, and says what to do. Errors would fail alike. Time is that of Fastest.
func (c *Chain) Answers(ctx context.Context, q Question, m Method) error {
	if err := c.check(q); err != nil {
		return err
	}
	return c.answers(ctx, q, m)
}

// answers fails where a method cannot answer a question on the chain.
func (c *Chain) answers(ctx context.Context, q Question, m Method) error {
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

// checkRecursion fails where the recursion would take too many steps.
func (c *Chain) checkRecursion(q Question) error {
	last := q.N[len(q.N)-1]
	if last <= MaxRecursion {
		return nil
	}
	return fmt.Errorf("%d samples; errors by recursion are for up to %d, and on %d states would take about %s: use squaring, or ask for fewer samples",
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
