package networks

import (
	"math"
	"slices"

	"breadboard/chains/errs"
	"breadboard/chains/number"
)

// table is a factor. Its numbers are values times scale, or wide if they are too far apart for
// that.
type table struct {
	scope  []int
	values []float64
	scale  number.Wide // a power of two
	low    int         // the values that are not zero are 2^low or more
	high   int         // and below 2^high
	wide   []number.Wide
}

const (
	// leastExponent bounds below how small a product of values may be that is computed without
	// Wide: nothing is lost then in it, nor in its share of a sum; and mostExponent how large.
	leastExponent = -900
	mostExponent  = 100
	// looseLow and looseHigh are the bounds of a sum of products from which on it is looked through
	// for its true ones, and scaled.
	looseLow  = -200
	looseHigh = 50
)

// newTable returns the table of the numbers that at returns.
func newTable(scope []int, n int, at func(i int) number.Wide) table {
	low, high := math.MaxInt, math.MinInt
	for i := range n {
		if v := at(i); v.M > 0 {
			e := 512*v.E + math.Ilogb(v.M)
			low, high = min(low, e), max(high, e)
		}
	}
	if low > high { // all are zero
		low, high = 0, 0
	}
	high++ // the power of two above them
	t := table{scope: scope, scale: powerOfTwo(high), low: low - high}
	if t.low < leastExponent {
		t.wide = make([]number.Wide, n)
		for i := range t.wide {
			t.wide[i] = at(i)
		}
		return t
	}
	t.values = make([]float64, n)
	for i := range t.values {
		t.values[i] = at(i).Div(t.scale).Float()
	}
	return t
}

// settled returns a table of sums of products of which bounds are known. If these are far apart it
// looks for the true ones, and scales the values by a power of two, which rounds nothing. No value
// is subnormal.
func settled(t table) table {
	if t.low >= looseLow && t.high <= looseHigh {
		return t
	}
	least, most := uint64(math.MaxUint64), uint64(0)
	for _, v := range t.values {
		bits := math.Float64bits(v)
		least, most = min(least, bits-1), max(most, bits) // of zero, bits - 1 is the largest number
	}
	if most == 0 {
		t.low, t.high = 0, 0
		return t
	}
	const digits, bias = 52, 1023
	t.low, t.high = int((least+1)>>digits)-bias, int(most>>digits)-bias+1
	if t.low-t.high < leastExponent {
		return newTable(t.scope, len(t.values), t.entry)
	}
	factor := math.Ldexp(1, -t.high)
	for i := range t.values {
		t.values[i] *= factor
	}
	t.scale = t.scale.Mul(powerOfTwo(t.high))
	t.low -= t.high
	t.high = 0
	return t
}

func powerOfTwo(e int) number.Wide { return number.Scaled(math.Ldexp(1, e%512), e/512) }

// entry returns an entry.
func (t *table) entry(i int) number.Wide {
	if t.wide != nil {
		return t.wide[i]
	}
	return number.Scaled(t.values[i], 0).Mul(t.scale)
}

// len returns the number of entries.
func (t *table) len() int { return max(len(t.values), len(t.wide)) }

// narrow reports whether products of entries of tables need no Wide numbers, and returns the scale
// of these products and the bounds of their exponents.
func narrow(tables []table) (is bool, product table) {
	product.scale = number.Wide{M: 1}
	for _, t := range tables {
		if t.wide != nil {
			return false, product
		}
		product.low, product.high, product.scale = product.low+t.low, product.high+t.high,
			product.scale.Mul(t.scale)
	}
	return product.low >= leastExponent && product.high <= mostExponent, product
}

// factors returns the table as factors of float64. The first has all digits, and the others are
// powers of two.
func (t table) factors() []Factor {
	first := Factor{Scope: t.scope, Values: make([]float64, t.len())}
	left := make([]int, t.len()) // the powers of 2^512 that no factor has yet
	for i := range left {
		v := t.entry(i)
		first.Values[i], left[i] = v.M, v.E
	}
	all := []Factor{first}
	for slices.ContainsFunc(left, func(e int) bool { return e != 0 }) {
		next := Factor{Scope: t.scope, Values: make([]float64, len(left))}
		for i, e := range left {
			next.Values[i] = math.Ldexp(1, 512*max(-1, min(1, e)))
			left[i] -= max(-1, min(1, e))
		}
		all = append(all, next)
	}
	return all
}

// maxLog bounds the logarithms of factors: those beyond would need thousands of tables.
const maxLog = 1e5

// LogFactor returns factors whose product has the given logarithms (nats), -Inf for zero. The first
// factor has all digits; the others are powers of two, for values out of the range of float64. It
// fails if a logarithm is beyond 1e5 nats in size.
func LogFactor(scope []int, logs []float64) ([]Factor, error) {
	for _, g := range logs {
		if math.IsNaN(g) || g > maxLog || g < -maxLog && !math.IsInf(g, -1) {
			return nil, errs.New("a factor is exp(%.4g), and elimination takes those up to exp(%.0e) and down to "+
				"exp(-%.0e); make the couplings smaller", g,
				maxLog, maxLog)
		}
	}
	return table{scope: scope, wide: wideOf(logs)}.factors(), nil
}

func wideOf(logs []float64) []number.Wide {
	wide := make([]number.Wide, len(logs))
	for i, g := range logs {
		wide[i] = number.WideExp(g)
	}
	return wide
}

// runLength is how many entries of a run of a table are looked for at once, about.
const runLength = 256

// walk goes through the entries of a table over a scope in runs, and calls visit with the number of
// the first of each run. The entry j of a run belongs to the entry at+run[j], of the same
// configuration, in a table over some of these variables, the inner ones, in any order.
func walk(scope, inner, cards []int, visit func(first, at int, run []int)) {
	strides := make([]int, len(scope))
	size := 1
	for k := len(inner) - 1; k >= 0; k-- {
		strides[slices.Index(scope, inner[k])] = size
		size *= cards[inner[k]]
	}
	// the variables from outer on make a run
	run := []int{0}
	outer := len(scope)
	for outer > 0 && len(run) < runLength {
		outer--
		var longer []int
		for c := range cards[scope[outer]] {
			for _, at := range run {
				longer = append(longer, at+c*strides[outer])
			}
		}
		run = longer
	}
	through(scope[:outer], cards, strides, func(i, at int) { visit(i*len(run), at, run) })
}

// through goes through the configurations of a scope, the last variable fastest, and calls visit
// with the number of each and with its entry in a table, in which the entry moves by the strides.
func through(scope, cards, strides []int, visit func(i, at int)) {
	at := 0
	configuration := make([]int, len(scope))
	for i := range int(entries(scope, cards)) {
		visit(i, at)
		for k := len(scope) - 1; k >= 0; k-- {
			at += strides[k]
			configuration[k]++
			if configuration[k] < cards[scope[k]] {
				break
			}
			at -= configuration[k] * strides[k]
			configuration[k] = 0
		}
	}
}
