package averages

import "context"

// The recursion goes from N samples to N + 1 by the first of them. With S_N the sum of h over N samples, V_N(x) = E[S_N | x_1 = x] and
// W_N(x) = E[S_N^2 | x_1 = x] follow
//
//	V_(N+1) = h + T V_N,    W_(N+1) = h^2 + 2 h (T V_N) + T W_N,
//
// because the chain goes on from its second sample as one of N samples that starts there. These are functions of the state where the
// chain starts, so that one pass answers for every start: the errors from a start q are sums over q.
//
// Each of these functions is kept in two parts: a number c, its mean under the target p, and a function phi of mean zero. T maps
// functions of mean zero to such functions, because it leaves p invariant, and only phi goes through it. While c grows as N or N^2, phi
// is bounded where the chain mixes, and the rounding of phi is forgotten as the start is. What c grows by is known exactly or is a mean
// under p, and it is added up with compensation. The mean from a start q is c + sum of (q - p) phi, which is c exactly where q is p.

// system is a set of such functions that go from N to N + 1 together.
type system interface {
	// step goes from N samples to N + 1.
	step()
	// centre subtracts from each phi the mean that rounding has left in it.
	centre()
	// read adds what is known from a start after as many samples as have been made.
	read(from deviation, r *reading)
	// tau returns about the mean squared error after N samples from the target, in units of that of N independent draws: as long the
	// rounding of T itself adds up.
	tau(n int64) float64
	// lanes returns how many functions go through T.
	lanes() int
}

const (
	// centring is the number of steps after which rounding is taken out of the means of all functions.
	centring = 32
	// stepsWork is the number of multiplications after which the recursion looks at its context.
	stepsWork = 1 << 21
	// chunk is the number of states of which a mean under the target is added up plainly. The totals of chunks are compensated.
	chunk = 256
)

func (c *Chain) recursion(ctx context.Context, q Question) ([][]Errors, error) {
	if err := c.checkRecursion(q); err != nil {
		return nil, err
	}
	grown, err := c.amplification(ctx, q.N)
	if err != nil {
		return nil, err
	}
	run := recursionRun{chain: c, question: q, grown: grown}
	run.from, run.readings = c.readings(q)
	if err := run.all(ctx); err != nil {
		return nil, err
	}
	return allErrors(run.readings), nil
}

// recursionRun is a recursion under way.
type recursionRun struct {
	chain    *Chain
	question Question
	from     []deviation // by start
	readings [][]reading // by start and place in N
	grown    []float64   // by place in N: by how much rounding has grown (see Chain.amplification)
}

// all runs the systems that the question needs, one after another: the mean, with the variance where it is asked for, and then levels in
// blocks, so that memory does not grow with their number.
func (r *recursionRun) all(ctx context.Context) error {
	f := r.question.Function
	var first system = newMeanSquare(r.chain, f)
	if r.question.Variance {
		first = newMoments(r.chain, f)
	}
	if err := r.run(ctx, first); err != nil || !r.question.Distribution {
		return err
	}
	for low := 0; low < f.uncertainLevels(); low += blockLevels {
		if err := r.run(ctx, newLevelBlock(r.chain, f, low)); err != nil {
			return err
		}
	}
	return nil
}

// run takes one system through all numbers of samples.
func (r *recursionRun) run(ctx context.Context, s system) error {
	work := len(r.chain.Rows.Entries)*s.lanes() + 8*r.chain.States()
	look := int64(max(1, stepsWork/work))
	done := int64(0)
	for i, samples := range r.question.N {
		for done < samples {
			s.step()
			done++
			if done%centring == 0 {
				s.centre()
			}
			if done%look == 0 {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				r.progress(look)
			}
		}
		for k, d := range r.from {
			reading := &r.readings[k][i]
			// The rounding of what goes through T grows as the amplification says, and that of T itself pushes the functions as tau says.
			reading.rounding = max(reading.rounding, roundings*unit*(r.chain.given()+r.grown[i]+s.tau(samples)))
			s.read(d, reading)
		}
	}
	r.progress(done % look)
	return ctx.Err()
}

func (r *recursionRun) progress(steps int64) {
	if r.question.Progress != nil && steps > 0 {
		r.question.Progress(int(steps))
	}
}

// passes returns how often the recursion goes from one sample to all.
func (q Question) passes() int {
	if !q.Distribution {
		return 1
	}
	return 1 + (q.Function.uncertainLevels()+blockLevels-1)/blockLevels
}
