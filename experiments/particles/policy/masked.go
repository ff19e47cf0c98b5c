package policy

import (
	"fmt"
	"math"
	"slices"

	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/exact/policies"
	"breadboard/toys"
	"breadboard/toys/networks"
)

// maxPartial is the largest number of partial states: 3^16 for 16 spins.
const maxPartial = 50_000_000

// partial are the partial states of a target on a lattice: each axis is masked, or has one of its
// values. The digit of an axis in the number of a state is 0 if it is masked, else its value plus
// one.
type partial struct {
	cards  []int
	stride []int // of the digits, by axis
	value  []int // the strides of the values in the number of a whole state
	size   int
	logf   []float64
}

func partialOf(toy *toys.Toy) (*partial, error) {
	space := toy.Lattice()
	if space == nil {
		return nil, errs.New("toy %s has no axes that can be masked; give a target on a grid", toy.Title())
	}
	p := &partial{cards: space.Sides(), size: 1, logf: toy.G}
	p.stride = make([]int, len(p.cards))
	p.value = make([]int, len(p.cards))
	whole := 1
	for i := len(p.cards) - 1; i >= 0; i-- {
		p.stride[i], p.value[i] = p.size, whole
		p.size = p.size * (p.cards[i] + 1)
		whole *= p.cards[i]
		if p.size > maxPartial {
			return nil, errs.New(
				"toy %s has more than %d partial states; take a smaller target, such as ising:4x4:0.6",
				toy.Title(),
				maxPartial,
			)
		}
	}
	return p, nil
}

// mostAxes bounds the number of axes: each has two values or more, so that 26 have too many states.
const mostAxes = 26

// digits are the digits of a partial state.
type digits [mostAxes]uint32

func (p *partial) digits(code int) (d digits) {
	for i := len(p.cards) - 1; i >= 0 && code > 0; i-- {
		side := p.cards[i] + 1
		d[i] = uint32(code % side)
		code /= side
	}
	return d
}

// wholeState returns the state of the target of a partial state in which no axis is masked.
func (p *partial) wholeState(d *digits) (x int) {
	for i := range p.cards {
		x += (int(d[i]) - 1) * p.value[i]
	}
	return x
}

// half returns the number of partial states of the last axes, which are half of all. A sum over the
// digits of a state is one of its number/half and one of its number%half.
func (p *partial) half() int { return p.stride[len(p.cards)/2] }

// conditional returns the log probability of a value of an axis, given the number of the state in
// which the axis is masked.
type conditional func(code, axis, value int) float64

// exactly returns the conditionals of the target itself.
func (p *partial) exactly() conditional {
	logf := centred(p.logf)
	mass := make([]float64, p.size) // log of the sum of f over the whole states of a partial one
	for code := p.size - 1; code >= 0; code-- {
		d := p.digits(code)
		axis := slices.Index(d[:len(p.cards)], 0)
		if axis < 0 {
			mass[code] = logf[p.wholeState(&d)]
			continue
		}
		var sum number.LogSum
		for v := range p.cards[axis] {
			sum.Add(mass[code+(v+1)*p.stride[axis]])
		}
		mass[code] = sum.Log()
	}
	return func(code, axis, value int) float64 {
		if math.IsInf(mass[code], -1) {
			return -number.Log(float64(p.cards[axis]))
		}
		return mass[code+(value+1)*p.stride[axis]] - mass[code]
	}
}

// centred returns log f less its largest value, so that a constant costs no digits.
func centred(logf []float64) []float64 {
	_, high := number.Bounds(logf)
	out := make([]float64, len(logf))
	for x, v := range logf {
		out[x] = v - high
	}
	return out
}

// independently returns the marginals of the target, whatever has been revealed.
func (p *partial) independently() conditional {
	all := make([][]float64, len(p.cards))
	logf := centred(p.logf)
	for i, card := range p.cards {
		sums := make([]number.LogSum, card)
		for x, v := range logf {
			sums[x/p.value[i]%card].Add(v)
		}
		for v := range sums {
			all[i] = append(all[i], sums[v].Log())
		}
		normalize(all[i])
	}
	return func(_, axis, value int) float64 { return all[axis][value] }
}

// normalize makes logarithms those of probabilities; they are uniform if all are -Inf.
func normalize(logs []float64) {
	sum := number.LogSumExp(logs)
	if math.IsInf(sum, -1) {
		for i := range logs {
			logs[i] = -number.Log(float64(len(logs)))
		}
		return
	}
	for i := range logs {
		logs[i] -= sum
	}
}

// maxLocal is the largest number of entries of the table of an axis.
const maxLocal = 1 << 20

// locally returns conditionals that know the revealed neighbours alone: the log probability of a
// value is c times the sum of the log factors of which all other axes are revealed.
func (p *partial) locally(toy *toys.Toy, c float64) (conditional, error) {
	factors, err := p.factors(toy)
	if err != nil {
		return nil, fmt.Errorf("the policy local: %w", err)
	}
	tables := make([]localTable, len(p.cards))
	for axis := range tables {
		tables[axis], err = p.localTable(factors, axis, c)
		if err != nil {
			return nil, err
		}
	}
	half := p.half()
	return func(code, axis, value int) float64 {
		t := &tables[axis]
		return t.logs[t.high[code/half]+t.low[code%half]+value]
	}, nil
}

// factors returns the factors of the target, whose variables are the axes.
func (p *partial) factors(toy *toys.Toy) ([]networks.Factor, error) {
	q, err := toy.Factored()
	if err != nil {
		return nil, fmt.Errorf("it needs a target that is a product of factors: %w", err)
	}
	if len(q.Variables) != len(p.cards) {
		return nil, errs.New(
			"it needs a target whose axes are all variables of its factors; %s has %d axes and %d variables",
			toy.Title(),
			len(p.cards),
			len(q.Variables),
		)
	}
	return q.Clamped(), nil
}

// localTable has the log probabilities of the values of an axis for all digits of its neighbours.
type localTable struct {
	neighbours, stride []int
	card               int
	logs               []float64
	// the places of the first value for the digits of the states below half, and of the multiples
	// of half
	low, high []int
}

// firstPlace returns the place of the first value of the axis, given the digits of its neighbours.
func (t *localTable) firstPlace(d digits) (at int) {
	for k, i := range t.neighbours {
		at += int(d[i]) * t.stride[k]
	}
	return at
}

func (p *partial) localTable(factors []networks.Factor, axis int, c float64) (localTable, error) {
	t := localTable{card: p.cards[axis]}
	var own []networks.Factor
	for _, f := range factors {
		if slices.Contains(f.Scope, axis) {
			own = append(own, f)
			for _, i := range f.Scope {
				if i != axis && !slices.Contains(t.neighbours, i) {
					t.neighbours = append(t.neighbours, i)
				}
			}
		}
	}
	size := t.card
	for _, i := range t.neighbours {
		t.stride = append(t.stride, size)
		size *= p.cards[i] + 1
		if size > maxLocal {
			return t, fmt.Errorf("axis %d has too many neighbours for the policy local", axis)
		}
	}
	t.logs = make([]float64, size)
	for at := 0; at < size; at += t.card {
		var d digits
		for k, i := range t.neighbours {
			d[i] = uint32(at / t.stride[k] % (p.cards[i] + 1))
		}
		row := t.logs[at : at+t.card]
		for v := range row {
			d[axis] = uint32(v + 1)
			for _, f := range own {
				if log, known := p.logFactor(f, &d); known && c != 0 {
					row[v] += float64(c * log)
				}
			}
		}
		normalize(row)
	}
	for x := range p.half() {
		t.low = append(t.low, t.firstPlace(p.digits(x)))
	}
	for x := 0; x < p.size; x += p.half() {
		t.high = append(t.high, t.firstPlace(p.digits(x)))
	}
	return t, nil
}

// logFactor returns the logarithm of a factor, and false if an axis of it is masked.
func (p *partial) logFactor(f networks.Factor, d *digits) (log float64, known bool) {
	at := 0
	for _, i := range f.Scope {
		if d[i] == 0 {
			return 0, false
		}
		at = at*p.cards[i] + int(d[i]) - 1
	}
	return number.Log(f.Values[at]), true
}

// masked reveals the axes in random order. The backward policy masks one of the revealed axes, each
// with the same probability.
type masked struct {
	*partial
	of        conditional
	logs      []float64 // of 0, 1, ...
	layers    []uint8
	low, high []digits // of the states below half, and of the multiples of half
}

func newMasked(p *partial, of conditional) *masked {
	half := p.half()
	m := &masked{
		partial: p,
		of:      of,
		layers:  make([]uint8, p.size),
		low:     make([]digits, half),
		high:    make([]digits, p.size/half),
	}
	for k := range len(p.cards) + 1 {
		m.logs = append(m.logs, number.Log(float64(k)))
	}
	for x := range m.low {
		m.low[x] = p.digits(x)
	}
	for k := range m.high {
		m.high[k] = p.digits(k * half)
	}
	for i, step := range slices.Backward(p.stride) {
		for x := step; x < step*(p.cards[i]+1); x++ {
			m.layers[x] = m.layers[x%step] + 1
		}
	}
	return m
}

// halvesOf returns the digits of both halves of a state, which are zero in the other half.
func (m *masked) halvesOf(x int) (high, low *digits) {
	return &m.high[x/len(m.low)], &m.low[x%len(m.low)]
}

// Size implements policies.Model, as do the methods below.
func (m *masked) Size() int { return m.size }

func (m *masked) Layers() int         { return len(m.cards) + 1 }
func (m *masked) Layer(x int) int     { return int(m.layers[x]) }
func (m *masked) Initial(int) float64 { return 0 }
func (m *masked) Target(x int) (float64, bool) {
	if m.Layer(x) < len(m.cards) {
		return 0, false
	}
	d := m.digits(x)
	return m.logf[m.wholeState(&d)], true
}

func (m *masked) Out(dst []policies.Edge, x int) []policies.Edge {
	high, low := m.halvesOf(x)
	layer := m.Layer(x)
	site := m.logs[len(m.cards)-layer]
	backward := -m.logs[layer+1]
	for i := range m.cards {
		if high[i]+low[i] == 0 {
			for v := range m.cards[i] {
				dst = append(dst, policies.Edge{
					State:    x + (v+1)*m.stride[i],
					Forward:  m.of(x, i, v) - site,
					Backward: backward,
				})
			}
		}
	}
	return dst
}

func (m *masked) In(dst []policies.Edge, y int) []policies.Edge {
	high, low := m.halvesOf(y)
	layer := m.Layer(y)
	site := m.logs[len(m.cards)-layer+1]
	backward := -m.logs[layer]
	for i := range m.cards {
		if v := int(high[i] + low[i]); v > 0 {
			x := y - v*m.stride[i]
			dst = append(dst, policies.Edge{State: x, Forward: m.of(x, i, v-1) - site, Backward: backward})
		}
	}
	return dst
}

// inOrder reveals the axes one after another. The backward policy masks the last one.
func inOrder(p *partial, of conditional) (*policies.Table, error) {
	first := []int{0} // the number of the first state of each layer
	states := 1
	for _, card := range p.cards {
		first = append(first, first[len(first)-1]+states)
		states *= card
	}
	last := len(p.cards)
	size := first[last] + states
	if size > maxListed {
		return nil, errs.New("the target has more than %d states; take a smaller one", maxListed/2)
	}
	setup := policies.Setup{Layer: make([]int, size), LogF: make([]float64, size)}
	for layer := range first {
		end := size
		if layer < last {
			end = first[layer+1]
		}
		for x := first[layer]; x < end; x++ {
			setup.Layer[x], setup.LogF[x] = layer, math.NaN()
			if layer == last {
				setup.LogF[x] = p.logf[x-first[layer]]
			}
		}
	}
	setup.Forward = func(x int) (row []policies.Step, err error) {
		layer := setup.Layer[x]
		prefix := x - first[layer]
		code := 0
		for i, rest := layer-1, prefix; i >= 0; i-- {
			code += (rest%p.cards[i] + 1) * p.stride[i]
			rest /= p.cards[i]
		}
		for v := range p.cards[layer] {
			row = append(row,
				policies.Step{To: first[layer+1] + prefix*p.cards[layer] + v, LogP: of(code, layer, v)})
		}
		return row, nil
	}
	setup.Backward = func(y int) ([]policies.Step, error) {
		layer := setup.Layer[y]
		return []policies.Step{{To: first[layer-1] + (y-first[layer])/p.cards[layer-1]}}, nil
	}
	return policies.NewTable(setup)
}

// maxListed is the largest number of states of layers whose steps are listed.
const maxListed = 1 << 20
