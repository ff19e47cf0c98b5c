package exact_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/number"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact"
	"breadboard/grid"
	"breadboard/grid/longtest"
	"breadboard/toys"
	"breadboard/toys/forms"
)

// TestMagnitudes holds J, B and both divergences of random annealings to a computation in 240 bits:
// constants of up to 1e12 in log f, targets that are flat up to 1e-12 of a nat, ties, zeros, ranges
// of hundreds of nats, on every path, start, kernel and schedule. Every number is right to 1e-12,
// or a note says how many digits it lacks.
func TestMagnitudes(t *testing.T) {
	cases := longtest.Times(24, 300)
	if !longtest.Enabled() {
		cases = 4
	}
	for part := range 4 {
		t.Run(strconv.Itoa(part), func(t *testing.T) {
			t.Parallel()
			noted := 0
			refused := 0
			worst := 0.0
			for i := part; i < cases; i += 4 {
				c := drawMagnitude(rand.New(rand.NewPCG(11, uint64(i))))
				if exact.Validate(c.a) != nil {
					refused++ // a power mean near the geometric path that comes out of a zero
					continue
				}
				off, withNote, err := c.compare()
				if err != nil {
					t.Errorf("case %d: %s: %v", i, c.name, err)
				}
				if withNote {
					noted++
				} else {
					worst = max(worst, off)
				}
			}
			t.Logf("%d noted, %d refused, worst error of the others %.2g", noted, refused, worst)
			if refused > 1+cases/200 {
				t.Errorf("%d cases are refused", refused)
			}
		})
	}
}

// magnitude is an annealing together with the numbers and functions that the plain computation in
// 240 bits needs.
type magnitude struct {
	name     string
	a        *chains.Annealing
	from, to []num // log f of both ends, relative to the two constants
	zero     [2][]bool
	constant num // the constant of the target minus that of the initial distribution
	path     func(c *magnitude, b [2]num) []num
	kernel   func(p []num) plainMatrix
}

// compare returns the largest relative error of a number without a note.
func (c *magnitude) compare() (worst float64, noted bool, err error) {
	s, err := exact.Solve(context.Background(), c.a, exact.Options{})
	if err != nil {
		return 0, false, err
	}
	want := c.plain()
	n := s.Numbers()
	var errs []error
	for _, v := range []struct {
		name string
		got  number.Bounded
		want float64
	}{{"J", n.J, want.j}, {"KL(q||p)", n.KLQP, want.qp}, {"KL(p||q)", n.KLPQ, want.pq}, {"B", n.B, want.b}} {
		// below 1e-75 the wanted value is itself mostly rounding
		off := math.Abs(v.got.Value-v.want) / max(v.want, 1e-75)
		switch {
		case v.got.Value == v.want:
		case off <= 1e-12:
			worst = max(worst, off)
		case math.Abs(v.got.Value-v.want) <= v.got.Error:
			noted = true
		default:
			errs = append(errs, fmt.Errorf("%s is %v, in 240 bits %v: off by %.2g", v.name, v.got, v.want, off))
		}
	}
	for _, v := range []struct {
		got  number.Bounded
		want float64
	}{{n.MeanLogWForward, want.forward}, {n.MeanLogWReverse, want.reverse},
		{number.Exactly(s.LogZRatio), want.logZ}} {
		if v.got.Value != v.want &&
			!(math.Abs(v.got.Value-v.want) <= max(v.got.Error, 1e-12*(1+math.Abs(v.want)))) {
			errs = append(errs,
				fmt.Errorf("an expected log weight or log Z ratio is %v, in 240 bits %v", v.got, v.want))
		}
	}
	return worst, noted, errors.Join(errs...)
}

// plain computes the annealing in 240 bits.
func (c *magnitude) plain() plainSolution {
	T := c.a.Distributions()
	betas := plainBetas(c.a.Schedule(), T)
	p := make([][]num, T+1)
	logf := make([][]num, T+1)
	increments := make([][]num, T+1)
	for t := 1; t <= T; t++ {
		logf[t] = c.path(c, betas[t])
		p[t] = c.law(logf[t], betas[t])
	}
	for t := 2; t <= T; t++ {
		increments[t] = make([]num, len(c.from))
		for x := range c.from {
			increments[t][x] = toNum(0)
			if !p[t][x].zero() && !p[t-1][x].zero() {
				increments[t][x] = logf[t][x].sub(logf[t-1][x])
			}
		}
	}
	out := solvePlainly(p, c.kernel, increments)
	out.logZ = logSumNum(logf[T], p[T]).sub(logSumNum(logf[1], p[1])).add(c.constant).float()
	out.forward, out.reverse = out.forward+c.constant.float(), out.reverse+c.constant.float()
	return out
}

// law returns p of log f; the states without mass are those where log f has no value.
func (c *magnitude) law(logf []num, b [2]num) []num {
	f := make([]num, len(logf))
	for x := range logf {
		f[x] = toNum(0)
		if logf[x].v != nil {
			f[x] = logf[x].exp()
		}
	}
	return normal(f)
}

func logSumNum(logf, p []num) num {
	total := toNum(0)
	for x := range logf {
		if !p[x].zero() {
			total = total.add(logf[x].exp())
		}
	}
	return total.log()
}

// The functions below are the paths. They return log f_b of each state, a num without a value where
// f_b is zero.

func plainGeometric(c *magnitude, b [2]num) []num { return lerp(b, c.from, c.to, c.zero[0], c.zero[1]) }

// lerp returns (1-b) from + b to at the states where every end with a positive weight is positive.
func lerp(b [2]num, from, to []num, zeroFrom, zeroTo []bool) []num {
	out := make([]num, len(from))
	for x := range from {
		switch {
		case b[0].zero():
			if !zeroFrom[x] {
				out[x] = from[x]
			}
		case b[1].zero():
			if !zeroTo[x] {
				out[x] = to[x]
			}
		case !zeroFrom[x] && !zeroTo[x]:
			out[x] = b[1].mul(from[x]).add(b[0].mul(to[x]))
		}
	}
	return out
}

func plainMean(q float64) func(c *magnitude, b [2]num) []num {
	k := toNum(1).sub(toNum(q))
	return func(c *magnitude, b [2]num) []num {
		p0, p1 := c.law(hide(c.from, c.zero[0]), b), c.law(hide(c.to, c.zero[1]), b)
		logZ0, logZ1 := logSumNum(hide(c.from, c.zero[0]), p0), logSumNum(hide(c.to, c.zero[1]), p1)
		scale := b[1].mul(logZ0).add(b[0].mul(logZ1))
		out := make([]num, len(p0))
		for x := range p0 {
			zero0, zero1 := p0[x].zero(), p1[x].zero()
			switch {
			case b[0].zero():
				if !zero0 {
					out[x] = p0[x].log().add(scale)
				}
				continue
			case b[1].zero():
				if !zero1 {
					out[x] = p1[x].log().add(scale)
				}
				continue
			case zero0 && zero1, (zero0 || zero1) && k.v.Sign() < 0:
				continue
			}
			mean := toNum(0)
			if !zero0 {
				mean = mean.add(b[1].mul(p0[x].pow(k)))
			}
			if !zero1 {
				mean = mean.add(b[0].mul(p1[x].pow(k)))
			}
			out[x] = mean.log().quo(k).add(scale)
		}
		return out
	}
}

// hide returns a copy of v without values at the states where f is zero.
func hide(v []num, zero []bool) []num {
	out := slices.Clone(v)
	for x := range out {
		if zero[x] {
			out[x] = num{}
		}
	}
	return out
}

// drawMagnitude draws a case.
func drawMagnitude(r *rand.Rand) *magnitude {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	l := []*grid.Lattice{grid.MustNew(3, 3), grid.MustNew(2, 3), grid.MustNew(5), grid.MustNew(2, 2, 2),
		longtest.Sure(grid.NewWrapped([]int{3, 2}, []bool{true, false}))}[r.IntN(5)]
	n := l.States()
	size := pick("ordinary", "ordinary", "flat", "flat", "quanta", "wide", "peaks")
	constant := 0.0
	if r.IntN(2) == 0 {
		constant = math.Pow(10, float64(r.IntN(13))) * (2*r.Float64() - 1)
	}
	scale := 2.0
	switch size {
	case "flat":
		scale = math.Pow(10, -12*r.Float64())
	case "wide":
		scale = 100
	}
	draw := func(zeros bool) []float64 {
		g := make([]float64, n)
		for x := range g {
			g[x] = scale * r.NormFloat64()
			if size == "quanta" {
				g[x] = math.Round(g[x]*64) / 64
			}
			if size == "peaks" { // some states far above the others, and nearly equal to each other
				g[x] = []float64{500 + 1e-4*r.NormFloat64(), -1000}[r.IntN(2)]
			}
			g[x] += constant
			if zeros && r.IntN(12) == 0 {
				g[x] = math.Inf(-1)
			}
		}
		return g
	}
	zeros := r.IntN(5) == 0
	target := draw(zeros)
	for !slices.ContainsFunc(target, func(v float64) bool { return !math.IsInf(v, -1) }) {
		target = draw(zeros)
	}
	toy := &toys.Toy{Name: "drawn", Space: l, G: target}
	c := &magnitude{}
	var ends *paths.Ends
	var initial []num
	zero0 := make([]bool, n)
	c.to, c.zero[1] = relative(target)
	top := toNum(slices.Max(target))
	base := toNum(0)
	start := pick("uniform", "tempered", "near", "far")
	switch start {
	case "uniform":
		ends = longtest.Sure(paths.NewEnds(nil, target))
		for range n {
			initial = append(initial, toNum(0))
		}
	case "tempered":
		power := []float64{0, 0.1, 0.5, 1 - r.Float64()*1e-6, r.Float64()}[r.IntN(5)]
		ends = longtest.Sure(forms.Targets().ParseInitial(context.Background(),
			fmt.Sprintf("tempered:%s", strconv.FormatFloat(power, 'f', -1, 64)), toy)).Ends
		base = top.scale(power)
		for _, v := range c.to {
			initial = append(initial, v.scale(power))
		}
		zero0 = c.zero[1]
	default:
		g := draw(zeros)
		if start == "near" {
			for x := range g {
				g[x] = target[x]*(1+1e-9*r.NormFloat64()) + 3
			}
		}
		ends = longtest.Sure(paths.NewEnds(nil, target))
		initial = nil
		if e, err := paths.NewEnds(g, target); err == nil {
			ends = e
			initial, zero0 = relative(g)
			base = toNum(slices.Max(g))
		} else {
			for range n {
				initial = append(initial, toNum(0))
			}
		}
	}
	c.from, c.zero[0], c.constant = initial, zero0, top.sub(base)
	c.addPath(r, ends)
	kernel, name := drawBoth(r, l, 0)
	c.kernel = kernel.plain
	T := 2 + r.IntN(12)
	if r.IntN(8) == 0 {
		T = 20 + r.IntN(80)
	}
	schedule := []chains.Schedule{
		schedules.Linear{}, schedules.Sigmoid{Delta: 4}, schedules.Sigmoid{Delta: 30}, schedules.Power{P: 3},
		schedules.Power{P: 0.3}, schedules.Spaced{First: 0.01}, drawPoints(r, T)}[r.IntN(7)]
	c.a = longtest.Sure(chains.NewAnnealing(c.a.Path(), schedule, kernel.library, T))
	c.name = fmt.Sprintf("%v, %s %.1g, constant %.6g, start %s, path %v, kernel %s, schedule %v, T %d, zeros %v",
		l, size, scale, constant, start, c.a.Path(), name, schedule, T, zeros)
	return c
}

// relative returns log f minus its largest value, exactly, and for each state whether f is zero
// there.
func relative(logf []float64) (out []num, zero []bool) {
	top := toNum(slices.Max(logf))
	for _, v := range logf {
		zero = append(zero, math.IsInf(v, -1))
		if math.IsInf(v, -1) {
			v = slices.Max(logf)
		}
		out = append(out, toNum(v).sub(top))
	}
	return out, zero
}

// addPath draws a path between the ends. If the path that is drawn does not exist for these ends it
// takes the mixture.
func (c *magnitude) addPath(r *rand.Rand, ends *paths.Ends) {
	path := chains.Path(paths.ArithmeticBetween(ends))
	plain := plainMean(0)
	switch r.IntN(4) {
	case 0:
		if p, err := paths.GeometricBetween(ends); err == nil {
			path = p
			plain = plainGeometric
		}
	case 1, 2:
		q := []float64{0.5, -2, 2, 1 - 1e-9, 3*r.Float64() - 1}[r.IntN(5)]
		if p, err := paths.PowerMeanBetween(q, ends); err == nil {
			path, plain = p, plainMean(q)
		}
	}
	a, err := chains.NewAnnealing(path, schedules.Linear{}, kernels.Stay{}, 2)
	c.a = longtest.Sure(a, err)
	c.path = plain
}

func drawPoints(r *rand.Rand, T int) chains.Schedule {
	b := make([]float64, T)
	for i := range b {
		b[i] = r.Float64()
		if r.IntN(4) == 0 {
			b[i] = 1 - b[i]*1e-9
		}
	}
	slices.Sort(b)
	b[0], b[T-1] = 0, 1
	return longtest.Sure(schedules.NewPoints("points", b))
}

// bothKernels is a kernel of the library beside its definition.
type bothKernels struct {
	library chains.Kernel
	plain   func(p []num) plainMatrix
}

// drawBoth draws a kernel whose definition has no cases for ties: on a very flat target float64 and
// 240 bits may disagree about which values are equal.
func drawBoth(r *rand.Rand, l *grid.Lattice, depth int) (k bothKernels, name string) {
	axis := r.IntN(l.Dims())
	part := func(axis int) bothKernels {
		return bothKernels{kernels.HeatBathAxis{Space: l, Axis: axis},
			func(p []num) plainMatrix { return heatBath(l, axis, p) }}
	}
	kinds := 7
	if depth < 2 {
		kinds = 12
	}
	switch r.IntN(kinds) {
	case 0, 1:
		k = bothKernels{kernels.Metropolis{Space: l},
			func(p []num) plainMatrix { return proposing(p, nearest(l), metropolisRule) }}
	case 2:
		k = bothKernels{kernels.Barker{Space: l},
			func(p []num) plainMatrix { return proposing(p, nearest(l), barkerRule) }}
	case 3:
		k = bothKernels{kernels.Moore{Space: l},
			func(p []num) plainMatrix { return proposing(p, around(l), metropolisRule) }}
	case 4:
		k = part(axis)
	case 5:
		k = bothKernels{longtest.Sure(kernels.Parse("heatbath", l)), func(p []num) plainMatrix {
			m := []plainMatrix{}
			weights := []num{}
			for i := range l.Dims() {
				m, weights = append(m, heatBath(l, i, p)),
					append(weights, toNum(1).quo(toNum(float64(l.Dims()))))
			}
			return blend(weights, m...)
		}}
	case 6:
		k = bothKernels{kernels.Stay{}, plainStay}
	case 7:
		inner, _ := drawBoth(r, l, depth+1)
		k = bothKernels{kernels.Lazy(0.3, inner.library), func(p []num) plainMatrix {
			return blend([]num{toNum(0.3), toNum(1).sub(toNum(0.3))}, plainStay(p), inner.plain(p))
		}}
	case 8:
		inner, _ := drawBoth(r, l, depth+1)
		k = bothKernels{kernels.Repeat(3, inner.library), func(p []num) plainMatrix {
			m := inner.plain(p)
			return m.times(m).times(m)
		}}
	default:
		one, _ := drawBoth(r, l, depth+1)
		two, _ := drawBoth(r, l, depth+1)
		switch r.IntN(3) {
		case 0:
			k = bothKernels{kernels.Compose(one.library, two.library),
				func(p []num) plainMatrix { return one.plain(p).times(two.plain(p)) }}
		case 1:
			k = bothKernels{kernels.Palindrome(one.library, two.library), func(p []num) plainMatrix {
				m := one.plain(p)
				return m.times(two.plain(p)).times(m)
			}}
		default:
			k = bothKernels{longtest.Sure(kernels.Mixture([]float64{0.25, 0.75},
				[]chains.Kernel{one.library, two.library})), func(p []num) plainMatrix {
				return blend([]num{toNum(0.25), toNum(0.75)}, one.plain(p), two.plain(p))
			}}
		}
	}
	return k, fmt.Sprint(k.library)
}

func plainStay(p []num) plainMatrix {
	stay := newPlainMatrix(len(p))
	for x := range stay {
		stay[x][x] = toNum(1)
	}
	return stay
}
