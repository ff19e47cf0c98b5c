package operator

import (
	"math"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/exact/internal/crew"
)

// Masses moves masses of states by a kernel, under any distribution without zeros: f is f times a
// power of two, so that log f may span thousands of nats. Only one goroutine may use it.
type Masses struct {
	steps  [][]weighted // mixtures, in the order of the moves
	logf   []float64
	f      []float64 // from 0.7 to 1.5
	powers []int32   // of two
}

// weighted is a part of a mixture.
type weighted struct {
	gather gatherer
	weight float64
}

// gatherer adds the masses after a move, times weight, to next: those of the states from first to
// end without the latter.
type gatherer func(m *Masses, next, mass [][]float64, weight float64, first, end int)

// MassesOf returns the moves of a kernel on the given number of states. It is nil unless the kernel
// is made of heat baths on axes and of single moves on a box with Metropolis acceptance.
func MassesOf(k chains.Kernel, states int) *Masses {
	list, order, apart := chains.Sequence(k)
	if !apart {
		list = []chains.Kernel{k}
		order = []int{0}
	}
	m := &Masses{f: make([]float64, states), powers: make([]int32, states)}
	for _, i := range order {
		step := mixtureOf(list[i], states, 1)
		if step == nil {
			return nil
		}
		m.steps = append(m.steps, step)
	}
	return m
}

// mixtureOf returns the parts of a mixture with a weight, and nil if not all of them are such
// moves.
func mixtureOf(k chains.Kernel, states int, weight float64) (m []weighted) {
	if bath, is := k.(kernels.HeatBathAxis); is {
		return []weighted{{gatherLines(bath), weight}}
	}
	if b, is := BoxOf(k); is && !b.Around {
		return []weighted{{NewBoxed(b, states).box.gather, weight}}
	}
	if parts, combined := chains.PartsOf(k); combined && !parts.Sequential {
		for i, part := range parts.Kernels {
			of := mixtureOf(part, states, weight*parts.Weights[i])
			if of == nil {
				return nil
			}
			m = append(m, of...)
		}
	}
	return m
}

// Load sets the distribution. The values of log f must not change until the next Load.
func (m *Masses) Load(logf []float64, c *crew.Crew) {
	// log 2, of which the first has zeros at the end
	const high, low = 6.93147180369123816490e-01, 1.90821492927058770002e-10
	m.logf = logf
	m.inParts(c, func(first, end int) {
		for x := first; x < end; x++ {
			k := math.Round(logf[x] / math.Ln2)
			m.f[x], m.powers[x] = math.Exp(logf[x]-float64(k*high)-float64(k*low)), int32(k)
		}
	})
}

func (m *Masses) inParts(c *crew.Crew, do func(first, end int)) {
	c.Run((len(m.f)+blockStates-1)/blockStates,
		func(i int) { do(i*blockStates, min((i+1)*blockStates, len(m.f))) })
}

// power returns two to a power, which is brought into the range of float64.
func power(k int32) float64 { return math.Float64frombits(uint64(max(-1022, min(1023, k))+1023) << 52) }

// Move replaces each of several masses by that after a move. No term of a mass is negative. It
// exchanges the arrays with those of spare, which are overwritten. The results are the same to the
// last bit for any number of workers.
func (m *Masses) Move(mass, spare [][]float64, c *crew.Crew) {
	for _, step := range m.steps {
		m.inParts(c, func(first, end int) {
			for j := range spare {
				clear(spare[j][first:end])
			}
			for _, part := range step {
				part.gather(m, spare, mass, part.weight, first, end)
			}
		})
		for j := range mass {
			mass[j], spare[j] = spare[j], mass[j]
		}
	}
}

// gather implements gatherer: single moves with Metropolis acceptance.
//
//	next(x) = sum over the neighbours y of x of mass(y) min(1, f(x)/f(y))/D
//	          + mass(x) (1 - sum over these y of min(1, f(y)/f(x))/D)
//
// for D directions. The last bracket is computed as the sum of what is rejected, so that nothing is
// subtracted. Time is O(D states) for each mass.
func (b *boxed) gather(m *Masses, next, mass [][]float64, weight float64, first, end int) {
	var gains, stays [blockStates]float64
	each := b.share * weight
	along := func(x, y, n int) {
		stay := stays[x-first:][:n]
		gain := gains[:n]
		here := m.f[x:][:n]
		there := m.f[y:][:n]
		at := m.powers[x:][:n]
		from := m.powers[y:][:n]
		for i, f := range here {
			ratio := f / there[i] * power(at[i]-from[i])
			fall := 1 - 1/ratio
			if math.Abs(fall) < closest {
				fall = -math.Expm1(m.logf[y+i] - m.logf[x+i])
			}
			stay[i] += max(0, fall)
			gain[i] = each * min(1, ratio)
		}
		addScaled(next, mass, gain, x, y)
	}
	for k := range b.axes {
		b.axes[k].up(first, end, along)
		b.axes[k].down(first, end, along)
	}
	for i := range end - first {
		stays[i] = each * (stays[i] + b.outside(first+i))
	}
	addScaled(next, mass, stays[:end-first], first, first)
}

// addScaled adds scale times the masses from y on to the next ones from x on.
func addScaled(next, mass [][]float64, scale []float64, x, y int) {
	for j := range next {
		to := next[j][x:][:len(scale)]
		from := mass[j][y:][:len(scale)]
		for i, v := range scale {
			to[i] += float64(v * from[i])
		}
	}
}

// gatherLines returns the gatherer of a heat bath on an axis.
func gatherLines(k kernels.HeatBathAxis) gatherer {
	side := k.Space.Side(k.Axis)
	step := k.Space.Stride(k.Axis)
	return func(m *Masses, next, mass [][]float64, weight float64, first, end int) {
		var memory [blockStates]float64
		sums := memory[:end-first] // of f over the line, in multiples of f here
		others := func(visit func(x, y, n int)) {
			for shift := 1; shift < side; shift++ {
				(&stride{step: shift * step, period: side * step, ring: true}).up(first, end, visit)
			}
		}
		others(func(x, y, n int) {
			sum := sums[x-first:][:n]
			for i := range sum {
				sum[i] += m.f[y+i] / m.f[x+i] * power(m.powers[y+i]-m.powers[x+i])
			}
		})
		for i, v := range sums {
			sums[i] = weight / (1 + v)
		}
		addScaled(next, mass, sums, first, first)
		others(func(x, y, n int) { addScaled(next, mass, sums[x-first:][:n], x, y) })
	}
}
