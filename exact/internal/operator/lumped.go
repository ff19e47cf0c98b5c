package operator

import (
	"context"
	"math"

	"breadboard/chains"
	"breadboard/chains/kernels"
)

// newLumped returns the operator of a kernel on the classes of a quotient that accepts proposals.
// The classes x and y have the masses F, m members each, and f = F/m. The conductance of an edge is
// F(x) share(x,y) accept(f(y)/f(x)). As many members of x propose y as members of y propose x, so
// that m share is the same from both ends, and
//
//	F(x) share(x,y) min(1, f(y)/f(x)) = min(F(x) share(x,y), F(y) share(y,x)).
//
// It does not contain numbers of members, and is the same from both ends to the last bit. Barker's
// acceptance depends on f(x) and f(y) through the same two products.
func newLumped(ctx context.Context, proposes chains.Rower, states int) (Operator, error) {
	k := proposes.(kernels.Lumped)
	there := proposed{map[int]*strand{}, make([]float64, states)}
	back := proposed{strands: map[int]*strand{}}
	for x := range states {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for _, m := range k.Moves(x) {
			switch {
			case m.To == x:
				there.outside[x] += m.Share
			case m.To > x:
				share := 0.0
				returning := back.strand(m.To - x)
				if returning.next-1 != x {
					// of a repeated pair the first one has the whole reverse probability
					share = shareTo(k, m.To, x)
				}
				returning.addPair(x, m.To-x, share)
				there.strand(m.To-x).addPair(x, m.To-x, m.Share)
			}
		}
	}
	e := edges{network: &network{outside: there.outside, states: states}}.twin()
	var err error
	e.runs, e.share, err = there.collectRuns(ctx)
	if err != nil {
		return nil, err
	}
	_, e.back, err = back.collectRuns(ctx)
	if err != nil {
		return nil, err
	}
	e.conductance = make([]float64, len(e.share))
	if k.Acceptance() == kernels.AcceptBarker {
		return &lumpedBarker{e}, nil
	}
	e.scattered = e.scatter()
	return &lumpedMetropolis{e, k}, nil
}

// shareTo returns the probability with which a member of class x proposes class y.
func shareTo(k kernels.Lumped, x, y int) (share float64) {
	for _, m := range k.Moves(x) {
		if m.To == y {
			share += m.Share
		}
	}
	return share
}

// lumpedMetropolis accepts with min(1, f(y)/f(x)) of single members.
type lumpedMetropolis struct {
	*edges
	kernel kernels.Lumped
}

// Load implements Operator.
func (m *lumpedMetropolis) Load(d *Distribution) {
	m.takeLaw(d)
	if m.scattered == nil {
		m.conductances()
	}
}

// conductances computes the conductances, unless they are there.
func (m *lumpedMetropolis) conductances() {
	if m.conducted == m.loads {
		return
	}
	m.conducted = m.loads
	m.conduct(func(s, share, back, x, y []float64) {
		share = share[:len(s)]
		back = back[:len(s)]
		x = x[:len(s)]
		y = y[:len(s)]
		for i := range s {
			s[i] = min(share[i]*x[i], back[i]*y[i])
		}
	})
}

// Twin implements Operator.
func (m *lumpedMetropolis) Twin() Operator { return &lumpedMetropolis{m.edges.twin(), m.kernel} }

// Reversal implements Operator: the kernel is reversible.
func (m *lumpedMetropolis) Reversal() Operator { return m }

// AverageTerms implements Operator.
func (m *lumpedMetropolis) AverageTerms(dst, v []float64) {
	m.conductances()
	m.refuse(func(_ run, share, back, x, y, refusedX, refusedY []float64) {
		for i := range x {
			if d := float64(share[i]*x[i]) - float64(back[i]*y[i]); d > 0 {
				refusedX[i] += d
			} else {
				refusedY[i] -= d
			}
		}
	})
	m.terms(dst, v)
}

// Derived implements Operator. Only the probability of going down depends on f, so that an edge
// counts in the row of the class with the larger f of a member alone.
func (m *lumpedMetropolis) Derived(measure, v []float64, along Direction) (total float64, kinked bool) {
	m.conductances()
	first := 0
	for _, r := range m.runs {
		for i := range r.n {
			x := r.x + i
			y := r.y + i
			c := m.conductance[first+i]
			d := along.Slope[x] - along.Slope[y]
			there := float64(m.share[first+i] * m.f[x])
			rise := float64(m.back[first+i]*m.f[y]) - there
			if d != 0 && math.Abs(rise) <= lumpedAlike*there && c > 0 {
				var even bool
				rise, even = m.logRise(x, y)
				if even && math.Abs(d) > evenSlopes {
					kinked = true
					rise = -d // as of Metropolis
					if along.Below {
						rise = d
					}
				}
			}
			upper := measure[x]
			if rise >= 0 {
				upper = measure[y]
			}
			total += c * d * (v[x] - v[y]) * upper
		}
		first += r.n
	}
	return total, kinked
}

const (
	// lumpedAlike is alike for members of two classes: their f comes from numbers of some hundreds
	// of nats, and has the rounding of these.
	lumpedAlike = 1e-10
	// evenSlopes is the difference of slopes below which two classes may have members of the same
	// g. What an edge between them adds is as small, on whichever side of the kink it is taken.
	evenSlopes = 1e-11
)

// logRise returns log f of a member of y minus that of a member of x, and whether it is no more
// than the rounding of log f of whole classes.
func (m *lumpedMetropolis) logRise(x, y int) (rise float64, even bool) {
	const roundings = 16 * 0x1p-53
	logf := m.law.LogF()
	members := m.kernel.Quotient().LogMembers()
	rise = (logf[y] - members[y]) - (logf[x] - members[x])
	size := math.Abs(logf[x]) + math.Abs(logf[y]) + members[x] + members[y]
	return rise, math.Abs(rise) <= roundings*size
}

// lumpedBarker accepts with f(y)/(f(x)+f(y)) of single members.
type lumpedBarker struct{ *edges }

// Load implements Operator.
func (b *lumpedBarker) Load(d *Distribution) {
	b.takeLaw(d)
	b.conduct(func(s, share, back, x, y []float64) {
		share = share[:len(s)]
		back = back[:len(s)]
		x = x[:len(s)]
		y = y[:len(s)]
		for i := range s {
			there := share[i] * x[i]
			here := back[i] * y[i]
			s[i] = 0
			if there > 0 { // else the edge is there only so that its run goes on
				s[i] = there * (here / (there + here))
			}
		}
	})
}

// Twin implements Operator.
func (b *lumpedBarker) Twin() Operator { return &lumpedBarker{b.edges.twin()} }

// Reversal implements Operator: the kernel is reversible.
func (b *lumpedBarker) Reversal() Operator { return b }

// AverageTerms implements Operator.
func (b *lumpedBarker) AverageTerms(dst, v []float64) {
	b.refuse(func(_ run, share, back, x, y, refusedX, refusedY []float64) {
		for i := range x {
			there := share[i] * x[i]
			here := back[i] * y[i]
			if there == 0 {
				continue
			}
			perSum := 1 / (there + here)
			refusedX[i] += there * (there * perSum)
			refusedY[i] += here * (here * perSum)
		}
	})
	b.terms(dst, v)
}

// Derived implements Operator, as that of Barker does.
func (b *lumpedBarker) Derived(measure, v []float64, along Direction) (total float64, kinked bool) {
	first := 0
	for _, r := range b.runs {
		for i := range r.n {
			x, y := r.x+i, r.y+i
			there := b.share[first+i] * b.f[x]
			here := b.back[first+i] * b.f[y]
			if there+here == 0 { // the edge is there only so that its run goes on
				continue
			}
			share := there / (there + here)
			mean := share*measure[x] + (1-share)*measure[y]
			total += b.conductance[first+i] * (along.Slope[y] - along.Slope[x]) * (v[y] - v[x]) * mean
		}
		first += r.n
	}
	return total, false
}

// scattered holds the edges of a network with very short runs, such as one between the classes of a
// symmetric target: by state, the states at the other ends. Each edge is stored at both ends, so
// that each state gathers its own gains, and any number of workers can share the work with the same
// sums.
type scattered struct {
	start []int32 // of the edges of each state
	to    []int32 // the other end
	// the probabilities with which a member here proposes there, and one there proposes here
	there, back []float64
}

// shortRuns is the mean number of edges in a run below which the overhead of runs exceeds the cost
// of the edges.
const shortRuns = 4

// scatter returns the edges of a network by state if its runs are short, and nil otherwise.
func (e *network) scatter() *scattered {
	if len(e.share) >= shortRuns*len(e.runs) {
		return nil
	}
	return e.byState()
}

// byState returns the edges of a network by state.
func (e *network) byState() *scattered {
	states := e.states
	s := &scattered{start: make([]int32, states+1)}
	e.ends(func(x, y, _ int) { s.start[x+1]++; s.start[y+1]++ })
	for x := range states {
		s.start[x+1] += s.start[x]
	}
	count := s.start[states]
	s.to = make([]int32, count)
	s.there = make([]float64, count)
	s.back = make([]float64, count)
	next := append([]int32(nil), s.start[:states]...)
	e.ends(func(x, y, edge int) {
		s.to[next[x]], s.there[next[x]], s.back[next[x]] = int32(y), e.share[edge], e.back[edge]
		s.to[next[y]], s.there[next[y]], s.back[next[y]] = int32(x), e.back[edge], e.share[edge]
		next[x]++
		next[y]++
	})
	return s
}

// ends calls what with the two ends and the number of each edge that has a share.
func (e *network) ends(what func(x, y, edge int)) {
	edge := 0
	for _, r := range e.runs {
		for i := range r.n {
			if e.share[edge] > 0 || e.back[edge] > 0 {
				what(r.x+i, r.y+i, edge)
			}
			edge++
		}
	}
}

// gatherGains writes the flow to each state, f (T v - v), to dst, for a kernel with Metropolis
// acceptance. The conductance of an edge is the same from both ends to the last bit.
func (e *edges) gatherGains(dst, v []float64) {
	s := e.scattered
	f := e.f
	block := func(i int) {
		for x := i * partStates; x < min((i+1)*partStates, len(dst)); x++ {
			fx := f[x]
			vx := v[x]
			gain := 0.0
			first := s.start[x]
			end := s.start[x+1]
			to := s.to[first:end]
			there := s.there[first:end]
			back := s.back[first:end]
			for k, y := range to {
				gain += float64(min(float64(there[k]*fx), float64(back[k]*f[y])) * (v[y] - vx))
			}
			dst[x] = gain
		}
	}
	blocks := (len(dst) + partStates - 1) / partStates
	if e.crew != nil {
		e.crew.Run(blocks, block)
		return
	}
	for i := range blocks {
		block(i)
	}
}

// AverageThree is Average for three functions, to the last bit. Between classes the conductances,
// which cost as much as an average, are found once.
func AverageThree(o Operator, dst, v *[3][]float64) {
	m, is := o.(*lumpedMetropolis)
	if !is || m.scattered == nil || m.crew != nil {
		for i := range v {
			o.Average(dst[i], v[i])
		}
		return
	}
	m.gatherThree(dst, v)
	for i := range v {
		average(dst[i], v[i], m.inverse)
	}
}

// gatherThree is gatherGains for three functions. They are interleaved with f in memory, since all
// four are read together.
func (e *edges) gatherThree(dst, v *[3][]float64) {
	states := e.states
	if len(e.together) != states {
		e.together = make([][4]float64, states)
	}
	for x := range e.together {
		e.together[x] = [4]float64{v[0][x], v[1][x], v[2][x], e.f[x]}
	}
	s := e.scattered
	for x := range e.together {
		here := e.together[x]
		gain := [3]float64{}
		first := s.start[x]
		end := s.start[x+1]
		to := s.to[first:end]
		there := s.there[first:end]
		back := s.back[first:end]
		there = there[:len(to)]
		back = back[:len(to)]
		for k, y := range to {
			at := &e.together[y]
			c := min(float64(there[k]*here[3]), float64(back[k]*at[3]))
			gain[0] += float64(c * (at[0] - here[0]))
			gain[1] += float64(c * (at[1] - here[1]))
			gain[2] += float64(c * (at[2] - here[2]))
		}
		dst[0][x], dst[1][x], dst[2][x] = gain[0], gain[1], gain[2]
	}
}
