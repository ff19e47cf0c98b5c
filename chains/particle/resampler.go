package particle

// resampler is the fast form of a Scheme, on the cumulative weights of the current system of a
// crowd. The parents have the distribution of the scheme's Parents and Keep, up to the last digits
// of a uniform number.
//
// With C the cumulative weights, C_P their total, and u uniform numbers in [0, 1), slot i has the
// parent j with C_(j-1) <= C_P s_i < C_j for
//
//	multinomial s_i = u_i, stratified s_i = (i + u_i)/P, systematic s_i = (i + u)/P;
//
// residual first gives floor(P w_j) slots to each j, and draws the others from what remains. The
// time is O(P), and O(P log P) for the multinomial scheme and for the remainders.
type resampler interface {
	parents(c *crowd)
	keep(c *crowd, j int) (slot int)
}

// resamplerOf returns the fast form of a scheme of this package, and nil for any other.
func resamplerOf(s Scheme) resampler {
	switch s.(type) {
	case Multinomial:
		return fastMultinomial{}
	case Stratified:
		return fastStratified{}
	case Systematic:
		return fastSystematic{}
	case Residual:
		return fastResidual{}
	}
	return nil
}

// search returns the first entry of rising sums that is above u, which is below the last of them.
func search(cum []float64, u float64) int {
	if len(cum) <= 16 {
		n := 0
		for _, s := range cum[:len(cum)-1] { // no branch depends on u, which processors cannot predict
			k := 0
			if s <= u {
				k = 1
			}
			n += k
		}
		return n
	}
	low := 0
	n := len(cum)
	for n > 1 {
		half := n / 2
		if cum[low+half-1] <= u {
			low += half
		}
		n -= half
	}
	return low
}

func (c *crowd) totalWeight() float64 { return c.cum[len(c.cum)-1] }

type fastMultinomial struct{}

func (fastMultinomial) parents(c *crowd) {
	total := c.totalWeight()
	cum := c.cum
	gen := *c.gen
	for i := range c.parents {
		c.parents[i] = int32(search(cum, gen.Float64()*total))
	}
	*c.gen = gen
}

func (f fastMultinomial) keep(c *crowd, j int) int {
	slot := c.uniformBelow(c.slots)
	f.parents(c)
	c.parents[slot] = int32(j)
	return slot
}

// placed returns a uniform point of the part of the interval from 0 to P that belongs to particle
// j, where each particle has a part as long as its weight: the slot in whose stratum the point is,
// and how far into it. The path continues from this point. The other points then have the scheme's
// distribution with its probability times N_j/(P w_j).
func (c *crowd) placed(j int) (slot int, into float64) {
	low := 0.0
	P := float64(c.slots)
	if j > 0 {
		low = c.cum[j-1]
	}
	at := (low + c.gen.Float64()*(c.cum[j]-low)) / c.totalWeight() * P
	slot = min(int(at), c.slots-1)
	return slot, at - float64(slot)
}

// writeParents writes the parents of the slots, where the point of slot i is at(i) into its
// stratum.
func (c *crowd) writeParents(at func(i int) float64) {
	total := c.totalWeight()
	j := 0
	part := total / float64(c.slots)
	for i := range c.parents {
		point := (float64(i) + at(i)) * part
		for c.cum[j] <= point && c.cum[j] < total { // rounding never leads to a weight of zero at the end
			j++
		}
		c.parents[i] = int32(j)
	}
}

type fastStratified struct{}

func (fastStratified) parents(c *crowd) { c.writeParents(func(int) float64 { return c.gen.Float64() }) }

func (f fastStratified) keep(c *crowd, j int) int {
	slot, _ := c.placed(j)
	f.parents(c)
	c.parents[slot] = int32(j)
	return slot
}

type fastSystematic struct{}

func (fastSystematic) parents(c *crowd) {
	u := c.gen.Float64()
	c.writeParents(func(int) float64 { return u })
}

func (fastSystematic) keep(c *crowd, j int) int {
	slot, u := c.placed(j)
	c.writeParents(func(int) float64 { return u })
	c.parents[slot] = int32(j) // like walk, up to rounding
	return slot
}

type fastResidual struct{}

// floors assigns the deterministic offspring of residual resampling. It returns their number, and
// leaves in the work space the cumulative sums of the residual weights.
func (fastResidual) floors(c *crowd) (given int) {
	P := float64(c.slots)
	total := c.totalWeight()
	before := 0.0
	rest := 0.0
	for j, s := range c.cum {
		mean := (s - before) / total * P
		before = s
		n := wholePart(mean, P)
		for range int(n) {
			if given < c.slots {
				c.parents[given] = int32(j)
				given++
			}
		}
		rest += max(0, mean-n)
		c.ws[j] = rest
	}
	return given
}

func (f fastResidual) parents(c *crowd) { f.drawn(c, f.floors(c)) }

// drawn draws the parents of the slots from number given on.
func (fastResidual) drawn(c *crowd, given int) {
	total := c.ws[c.slots-1]
	for i := given; i < c.slots; i++ {
		c.parents[i] = int32(search(c.ws, c.gen.Float64()*total))
	}
}

func (f fastResidual) keep(c *crowd, j int) int {
	given := f.floors(c)
	low := 0.0
	if j > 0 {
		low = c.cum[j-1]
	}
	mean := (c.cum[j] - low) / c.totalWeight() * float64(c.slots)
	first := 0
	sure := 0
	for i, parent := range c.parents[:given] {
		if int(parent) == j {
			if sure == 0 {
				first = i
			}
			sure++
		}
	}
	if sure == 0 && given == c.slots {
		given-- // rounding has left no slot for a particle of tiny weight
	}
	f.drawn(c, given)
	if sure > 0 && (given == c.slots || c.gen.Float64()*mean < float64(sure)) {
		return first + c.uniformBelow(sure)
	}
	slot := given + c.uniformBelow(c.slots-given)
	c.parents[slot] = int32(j)
	return slot
}
