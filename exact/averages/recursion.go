package averages

import (
	"context"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/exact/internal/lanes"
)

// The recursion goes from N samples to N + 1 by the first of them. With S_N the sum of h over N
// samples, V_N(x) = E[S_N | x_1 = x] and W_N(x) = E[S_N^2 | x_1 = x] follow
//
//	V_(N+1) = h + T V_N,    W_(N+1) = h^2 + 2 h (T V_N) + T W_N,
//
// because the chain from its second sample on is one of N samples that starts there. These are
// functions of the state where the chain starts, so that one pass answers for every start: the
// errors from a start q are sums over q.
//
// Each of these functions is kept in two parts: a number c, its mean under the target p, and a
// function phi of mean zero. T maps functions of mean zero to such functions, because it leaves p
// invariant, and only phi goes through it. While c grows as N or N^2, phi is bounded if the chain
// mixes, and the rounding of phi is forgotten like the start. The increments of c are known exactly
// or are means under p, and are added with compensation. The mean from a start q is c + sum of (q -
// p) phi, which is c exactly if q is p.

// system is a set of such functions that go from N to N + 1 together.
type system interface {
	// step goes from N samples to N + 1.
	step()
	// centre subtracts from each phi the mean that rounding has left in it.
	centre()
	// read adds the results of a start after the samples so far, given their rounding.
	read(from deviation, rounding float64, r *reading)
	// tau returns about the mean squared error after N samples from the target, in units of that of
	// N independent draws. The rounding of T itself adds up for that long.
	tau(n int64) float64
	// lanes returns how many functions go through T.
	lanes() int
}

const (
	// centring is the number of steps after which the rounding in the means of all functions is
	// removed.
	centring = 32
	// stepsWork is the number of multiplications after which the recursion checks its context.
	stepsWork = 1 << 21
	// chunk is the number of states of which a mean under the target is added up plainly. The
	// totals of chunks are compensated.
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
	if err := run.runSystems(ctx); err != nil {
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

// runSystems runs the systems that the question needs, one after another: the mean, with the
// variance if it is requested, and then levels in blocks, so that memory does not grow with their
// number.
func (r *recursionRun) runSystems(ctx context.Context) error {
	f := r.question.Function
	var first system = newMeanSquare(r.chain, f)
	if r.question.Variance {
		first = newMoments(r.chain, f)
	}
	if err := r.solveSystem(ctx, first); err != nil || !r.question.Distribution {
		return err
	}
	if f.twoValued() {
		twoLevels(f, r.readings)
		return nil
	}
	for low := 0; low < f.uncertainLevels(); low += blockLevels {
		if err := r.solveSystem(ctx, newLevelBlock(r.chain, f, low)); err != nil {
			return err
		}
	}
	return nil
}

// solveSystem takes one system through all numbers of samples.
func (r *recursionRun) solveSystem(ctx context.Context, s system) error {
	work := r.chain.factored().Size()*s.lanes() + 8*r.chain.States()
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
			// The rounding of the functions grows with the amplification, and that of T itself with
			// tau.
			s.read(d, roundings*unit*(r.chain.roundingsOf()+r.grown[i]+s.tau(samples)), &r.readings[k][i])
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

// passes returns the number of passes of the recursion from one sample to all.
func (q Question) passes() int {
	if !q.Distribution || q.Function.twoValued() {
		return 1
	}
	return 1 + (q.Function.uncertainLevels()+blockLevels-1)/blockLevels
}

// meanSquare is the system of E[S | x_1] and half of E[S^2 | x_1] for S the sum of h.
type meanSquare struct {
	chain    *Chain
	values   []float64    // h
	at, next [][2]float64 // by state; at is phi plus means
	means    [2]float64
	square   number.SizedSum // half of E[S^2] from the target
	known    float64         // half of the mean of h^2 under the target
}

func newMeanSquare(c *Chain, f *Function) *meanSquare {
	n := c.States()
	return &meanSquare{
		chain:  c,
		values: f.Values,
		at:     make([][2]float64, n),
		next:   make([][2]float64, n),
		known:  0.5,
	}
}

func (s *meanSquare) lanes() int { return 2 }

func (s *meanSquare) step() {
	rows := s.multiplyFactors()
	p := s.chain.Target
	at := s.at
	next := s.next
	m0, m1 := s.means[0], s.means[1]
	var rise number.Sum
	for low := 0; low < len(p); low += chunk {
		plain := 0.0
		for x := low; x < min(low+chunk, len(p)); x++ {
			t0, t1 := gather2(rows.Row(x), at)
			t0, t1 = t0-m0, t1-m1
			h := s.values[x]
			v := float64(h * t0)
			// equal to that of moments, to the last bit
			next[x] = [2]float64{t0 + h, t1 + (v + float64(h*h)*0.5)}
			if p[x] > 0 {
				plain += float64(p[x] * v)
			}
		}
		rise.Add(plain)
	}
	s.square.Add(s.known, 1)
	s.square.Add(rise.Value(), 1)
	s.means = [2]float64{0, s.known + rise.Value()} // the mean of h is zero
	s.at, s.next = next, at
}

func (s *meanSquare) centre() {
	var sums [2]number.BlockSum
	for x, p := range s.chain.Target {
		if p > 0 {
			sums[0].Add(p * s.at[x][0])
			sums[1].Add(p * s.at[x][1])
		}
	}
	s.means = [2]float64{sums[0].Value(), sums[1].Value()}
}

func (s *meanSquare) tau(n int64) float64 { return 2 * s.square.Value() / float64(n) }

func (s *meanSquare) read(from deviation, rounding float64, r *reading) {
	r.rounding = rounding
	r.mean = from.shiftedMean(part{}, s.means[0], func(x int) float64 { return s.at[x][0] })
	r.meanSquare = from.shiftedMean(sized(&s.square), s.means[1], func(x int) float64 { return s.at[x][1] }).times(2)
}

// gather2 returns the means of two functions under a row.
func gather2(row []chains.Entry, at [][2]float64) (a, b float64) {
	for _, e := range row {
		v := &at[e.To]
		a += float64(e.P * v[0])
		b += float64(e.P * v[1])
	}
	return a, b
}

// lanes8 are eight functions of the state; each is at less its mean.
type lanes8 struct {
	unit     *lanes.Unit
	at, next [][8]float64
	means    [8]float64
}

func newLanes8(states int) lanes8 {
	return lanes8{unit: lanes.Widest(), at: make([][8]float64, states), next: make([][8]float64, states)}
}

// centreUnder finds the means under the target anew.
func (l *lanes8) centreUnder(target []float64) {
	var sums [8]number.BlockSum
	for x, p := range target {
		if p > 0 {
			for k := range sums {
				sums[k].Add(p * l.at[x][k])
			}
		}
	}
	for k := range sums {
		l.means[k] = sums[k].Value()
	}
}

// meanOf returns the mean of function k from a start, where its mean under the target is c.
func (l *lanes8) meanOf(from deviation, k int, c part) part {
	return from.shiftedMean(c, l.means[k], func(x int) float64 { return l.at[x][k] })
}
