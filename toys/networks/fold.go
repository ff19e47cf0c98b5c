package networks

import "slices"

// fold takes a step whose tables are a large one and a small one at most, as along a lattice, in one pass through the large one: runs of the message
// are sums over the values of the variable of runs of the large table times entries of the small one, which are the same all along the run. It returns
// false where it does not apply, or runs would be short.
func (t *tape) fold(s *step, in []table, out []float64) bool {
	big, small := &in[0], &table{values: slices.Repeat([]float64{1}, t.cards[s.variable]), scope: []int{s.variable}}
	if len(in) == 2 {
		small = &in[1]
	}
	if len(in) > 2 || small.len() > smallEntries {
		return false
	}
	f := folding{n: t.cards[s.variable], fresh: 1, length: 1, most: t.most, out: out, big: big.values, small: small.values}
	outer := len(s.scope)
	for outer > 0 && !slices.Contains(big.scope, s.scope[outer-1]) {
		outer--
		f.fresh *= t.cards[s.scope[outer]]
	}
	for outer > 0 && !slices.Contains(small.scope, s.scope[outer-1]) {
		outer--
		f.length *= t.cards[s.scope[outer]]
	}
	const short = 16
	if len(out) > f.length*f.fresh && f.length*f.fresh < short {
		return false
	}
	through(s.scope[:outer], t.cards, stridesIn(s.scope[:outer], big.scope, t.cards), stridesIn(s.scope[:outer], small.scope, t.cards), f.run)
	return true
}

// stridesIn returns by how many entries a table over inner moves with each variable of a scope.
func stridesIn(scope, inner, cards []int) []int {
	strides, own := make([]int, len(scope)), stridesOf(inner, cards)
	for k, v := range scope {
		if at := slices.Index(inner, v); at >= 0 {
			strides[k] = own[at]
		}
	}
	return strides
}

// folding is a step as fold takes it.
type folding struct {
	n          int // the values of the variable that is eliminated
	fresh      int // the configurations of the fastest variables of the message, which are in the small table alone
	length     int // those of the variables before them, which are in the large table alone
	most       bool
	out        []float64
	big, small []float64
}

// run writes a run of the message. Products are rounded before they are added, on every machine.
func (f *folding) run(i, at, st int) {
	out := f.out[i*f.length*f.fresh:][:f.length*f.fresh]
	bigs, smalls := len(f.big)/f.n, len(f.small)/f.n
	first, second := f.big[at:][:f.length], f.big[(f.n-1)*bigs+at:][:f.length]
	switch s, r := f.small[st:][:f.fresh], f.small[(f.n-1)*smalls+st:][:f.fresh]; {
	case f.n == 2 && f.fresh == 2 && !f.most:
		pair(out, first, second, s[0], s[1], r[0], r[1])
		return
	case f.n == 2 && f.fresh == 1 && !f.most:
		a, b := s[0], r[0]
		for k, x := range first {
			out[k] = float64(x*a) + float64(second[k]*b)
		}
		return
	}
	for value := range f.n {
		from := f.big[value*bigs+at:][:f.length]
		for w, factor := range f.small[value*smalls+st:][:f.fresh] {
			switch {
			case value == 0:
				for k, x := range from {
					out[k*f.fresh+w] = x * factor
				}
			case f.most:
				for k, x := range from {
					out[k*f.fresh+w] = max(out[k*f.fresh+w], x*factor)
				}
			default:
				for k, x := range from {
					out[k*f.fresh+w] += float64(x * factor)
				}
			}
		}
	}
}

// pair is a run of two variables of two values, of which one is eliminated and the other is new.
func pair(out, first, second []float64, a, b, c, d float64) {
	for k, x := range first {
		y, to := second[k], out[2*k:2*k+2]
		to[0], to[1] = float64(x*a)+float64(y*c), float64(x*b)+float64(y*d)
	}
}
