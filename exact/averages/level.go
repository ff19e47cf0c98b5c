package averages

import "breadboard/chains/number"

// blockLevels is the number of levels that go through the recursion together.
const blockLevels = 4

// uncertainLevels returns the number of levels of which the empirical distribution can be wrong. At the highest it is one unless a
// state of probability zero is above it.
func (f *Function) uncertainLevels() int {
	for _, l := range f.Level {
		if l == len(f.Levels) {
			return len(f.Levels)
		}
	}
	return len(f.Levels) - 1
}

// split returns F(v) and 1 - F(v) for a level v, each with its own digits.
func (f *Function) split(level int) (below, above float64) {
	var low, high number.Sum
	for l, m := range f.Masses {
		if l <= level {
			low.Add(m)
		} else {
			high.Add(m)
		}
	}
	return low.Value(), high.Value()
}

// indicator is the indicator I(g <= v) of a level v of a function, less its mean F(v) under the target.
type indicator struct {
	mass     float64   // the probability of the level
	variance float64   // of the indicator under the target, F (1 - F)
	values   []float64 // by state
}

// indicator returns that of a level.
func (f *Function) indicator(level int) indicator {
	below, above := f.split(level)
	out := indicator{f.Masses[level], below * above, make([]float64, len(f.Level))}
	for x, at := range f.Level {
		if out.values[x] = above; at > level {
			out.values[x] = -below
		}
	}
	return out
}

// indicators returns those of the levels at which the empirical distribution can be wrong.
func (f *Function) indicators() []indicator {
	out := make([]indicator, f.uncertainLevels())
	for l := range out {
		out[l] = f.indicator(l)
	}
	return out
}

// levelBlock is, for each of some levels v, the system of E[S | x_1] and half of E[S^2 | x_1] for S the sum of I(g <= v) - F(v), which is
// N times the error of the empirical distribution at v. The functions of S are the first four of its lanes, those of S^2 the others.
type levelBlock struct {
	lanes8
	chain  *Chain
	values [][blockLevels]float64 // I(g <= v) - F(v)
	masses [blockLevels]float64   // the probability of each level
	known  [blockLevels]float64   // half of F (1 - F)
	square [blockLevels]number.SizedSum
	levels int // the number of levels, which is less than the block holds in the last one
}

// newLevelBlock returns the system of the levels from one on.
func newLevelBlock(c *Chain, f *Function, low int) *levelBlock {
	b := &levelBlock{lanes8: newLanes8(c.States()), chain: c, values: make([][blockLevels]float64, c.States())}
	b.levels = min(blockLevels, f.uncertainLevels()-low)
	for k := range b.levels {
		level := f.indicator(low + k)
		b.masses[k], b.known[k] = level.mass, 0.5*level.variance
		for x, v := range level.values {
			b.values[x][k] = v
		}
	}
	return b
}

func (b *levelBlock) lanes() int { return 2 * blockLevels }

func (b *levelBlock) centre() { b.centreUnder(b.chain.Target) }

func (b *levelBlock) tau(n int64) float64 {
	largest := 0.0
	for k := range b.levels {
		if b.known[k] > 0 {
			largest = max(largest, b.square[k].Value()/b.known[k]/float64(n))
		}
	}
	return largest
}

func (b *levelBlock) step() {
	p, rows, at, next, means := b.chain.Target, b.chain.Rows, b.at, b.next, b.means
	var rise [blockLevels]number.Sum
	for low := 0; low < len(p); low += chunk {
		var r0, r1, r2, r3 float64
		for x := low; x < min(low+chunk, len(p)); x++ {
			t0, t1, t2, t3, t4, t5, t6, t7 := gather8(rows.Row(x), at)
			t0, t1, t2, t3 = t0-means[0], t1-means[1], t2-means[2], t3-means[3]
			t4, t5, t6, t7 = t4-means[4], t5-means[5], t6-means[6], t7-means[7]
			h := &b.values[x]
			h0, h1, h2, h3 := h[0], h[1], h[2], h[3]
			v0, v1, v2, v3 := float64(h0*t0), float64(h1*t1), float64(h2*t2), float64(h3*t3)
			next[x] = [8]float64{
				t0 + h0, t1 + h1, t2 + h2, t3 + h3,
				t4 + (v0 + float64(h0*h0)*0.5), t5 + (v1 + float64(h1*h1)*0.5),
				t6 + (v2 + float64(h2*h2)*0.5), t7 + (v3 + float64(h3*h3)*0.5),
			}
			q := p[x]
			r0 += float64(q * v0)
			r1 += float64(q * v1)
			r2 += float64(q * v2)
			r3 += float64(q * v3)
		}
		for k, r := range [blockLevels]float64{r0, r1, r2, r3} {
			rise[k].Add(r)
		}
	}
	b.means = [8]float64{} // the indicators have mean zero
	for k := range rise {
		b.square[k].Add(b.known[k], 1)
		b.square[k].Add(rise[k].Value(), 1)
		b.means[blockLevels+k] = b.known[k] + rise[k].Value()
	}
	b.at, b.next = next, at
}

func (b *levelBlock) read(from deviation, r *reading) {
	for k := range b.levels {
		r.level(b.masses[k], 2*b.known[k], b.part(from, blockLevels+k, sized(&b.square[k])).times(2))
	}
}
