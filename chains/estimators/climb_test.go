package estimators

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"gonum.org/v1/gonum/floats"
	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// smallClusters draws a model with at most 4 data, 3 clusters and 2 columns. The ratio of the
// variances, the scale of the data and their distance from zero are drawn over many orders of
// magnitude; data may be equal. The scales are such that no variance of the data is that of the
// noise, where two clusters begin to part and ascents do not end.
func smallClusters(t *rapid.T) *clustering {
	n := rapid.IntRange(1, 4).Draw(t, "N")
	k := rapid.IntRange(1, 3).Draw(t, "K")
	d := rapid.IntRange(1, 2).Draw(t, "D")
	noise := math.Pow(10, float64(rapid.IntRange(-6, 6).Draw(t, "log10 sn2")))
	m := &clustering{Clusters: Clusters{
		NoiseVariance:  noise,
		CentreVariance: noise * math.Pow(10, float64(rapid.IntRange(-6, 6).Draw(t, "log10 st2/sn2"))),
	}}
	scale := math.Sqrt(noise+m.CentreVariance) *
		rapid.SampledFrom([]float64{0, 1e-9, 0.9371, 1.1153, 3.0217}).Draw(t, "scale")
	shift := scale * rapid.SampledFrom([]float64{0, 0, 1, 100}).Draw(t, "shift")
	for range n {
		row := make([]float64, d)
		for j := range row {
			row[j] = shift +
				scale*rapid.SampledFrom([]float64{-2, -1, -0.4, 0, 0.7, 1.1, 1.1, 2.6}).Draw(t, "y")
		}
		m.Y = append(m.Y, row)
	}
	total := 0.0
	for range k {
		m.Pi = append(m.Pi, rapid.SampledFrom([]float64{1, 1, 2, 0.01}).Draw(t, "pi"))
		total += m.Pi[len(m.Pi)-1]
	}
	floats.Scale(1/total, m.Pi)
	return m
}

// The instances of toys/models, which this test cannot import.
func clu4() *clustering {
	return &clustering{[][]float64{{0.4}, {-0.7}, {0.9}, {-0.2}}, Clusters{[]float64{0.5, 0.5}, 0.05, 1}}
}

func clu8() *clustering {
	return &clustering{[][]float64{{2.3}, {3.1}, {-1.7}, {2.0}, {-2.9}, {-1.2}, {3.4}, {0.6}},
		Clusters{[]float64{0.5, 0.5}, 9, 1}}
}

// spaceOf returns the lattice of the assignments.
func spaceOf(m *clustering) *grid.Lattice { return grid.MustNew(m.sides()...) }

// logJointOf returns log p(z, y) of each assignment by another route than bound: the data are
// predicted one after another, each given those before it in its cluster.
func logJointOf(m *clustering) []float64 {
	space := spaceOf(m)
	joint := make([]float64, space.States())
	for x := range joint {
		precision := make([]float64, len(m.Pi)) // of the centres given the data so far
		shift := make([][]float64, len(m.Pi))   // their means times the precision
		for k := range shift {
			precision[k], shift[k] = 1/m.CentreVariance, make([]float64, len(m.Y[0]))
		}
		for i, row := range m.Y {
			k := space.Coord(x, i)
			joint[x] += math.Log(m.Pi[k])
			for j, y := range row {
				mean, variance := shift[k][j]/precision[k], 1/precision[k]+m.NoiseVariance
				joint[x] -= math.Log(2*math.Pi*variance)/2 + (y-mean)*(y-mean)/(2*variance)
				shift[k][j] += y / m.NoiseVariance
			}
			precision[k] += 1 / m.NoiseVariance
		}
	}
	return joint
}

// sizeOf returns the size of the numbers of which the bounds of a model are sums: rounding is this
// times 2^-52.
func sizeOf(m *clustering) float64 {
	size := 1.0
	for _, row := range m.Y {
		for _, y := range row {
			size += 4*y*y/m.NoiseVariance + math.Abs(math.Log(m.NoiseVariance)) +
				math.Abs(math.Log(m.CentreVariance)) + 10
		}
	}
	return size
}

// TestBoundOfHardAssignments: if q(z) is one at an assignment and q(theta) the best for it, F is
// the collapsed log joint.
func TestBoundOfHardAssignments(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := smallClusters(t)
		v := longtest.Sure(NewVariationalBayes(m.Y, m.Clusters, AllNamings, Patience{}))
		want := logJointOf(m)
		for x, got := range v.joint {
			if math.Abs(got-want[x]) > 1e-14*sizeOf(m) {
				t.Fatalf("assignment %d: %.15g, want %.15g", x, got, want[x])
			}
		}
	})
}

// TestAscentsEnd: from every start the ascents end, at a value that no further sweep changes, and
// the bounds are at most log Z; the bound of all namings is not below that of one where the
// clusters are alike, and at most log K! above the best value of q(z).
func TestAscentsEnd(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := smallClusters(t)
		joint := logJointOf(m)
		logZ := floats.LogSumExp(joint)
		one := &VariationalBayes{model: m}
		all := &VariationalBayes{model: m, symmetry: AllNamings, joint: joint}
		space := spaceOf(m)
		field := longtest.Sure(NewMeanField(space, joint, OneNaming))
		bic := &BIC{model: m}
		rounding := 1e-14 * sizeOf(m)
		alike := slices.Min(m.Pi) == slices.Max(m.Pi)
		start := make([]int, len(m.Y))
		for x := range space.States() {
			StartOf(start, m.sides(), x)
			var values []float64
			for _, climber := range []Climber{one, all, field, bic} {
				a, err := climber.Climb(context.Background(), start)
				if err != nil {
					t.Fatalf("%T from %v: %v", climber, start, err)
				}
				if a.Sweeps < 1 || math.IsNaN(a.Value) {
					t.Fatalf("%T from %v: %+v", climber, start, a)
				}
				values = append(values, a.Value)
			}
			for _, v := range values[:3] {
				if v > logZ+rounding {
					t.Fatalf("from %v: the bounds %v are above log Z = %.15g", start, values, logZ)
				}
			}
			if values[0] < joint[x]-rounding || values[2] < joint[x]-rounding {
				t.Fatalf("from %v: the bounds %v are below that of the start, %.15g", start, values, joint[x])
			}
			if alike && values[1] < values[0]-rounding {
				t.Fatalf("from %v: all namings %.15g, one %.15g", start, values[1], values[0])
			}
		}
	})
}

// TestEMClimbs: the log likelihood never falls, and if EM ends its gradient in the centres is zero.
func TestEMClimbs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := smallClusters(t)
		b := &BIC{model: m}
		rounding := 1e-14 * sizeOf(m)
		start := make([]int, len(m.Y))
		for i := range start {
			start[i] = rapid.IntRange(0, len(m.Pi)-1).Draw(t, "start")
		}
		q := m.hard(start)
		c := m.centresAtZero()
		last := math.Inf(-1)
		place := func(q memberships, c *centres) {
			b.setCentres(q, c)
			if l := logLikelihood(m, c); l < last-rounding {
				t.Fatalf("the log likelihood falls from %.15g to %.15g", last, l)
			} else {
				last = l
			}
		}
		a := longtest.Sure(m.climb(
			context.Background(),
			q,
			c,
			climbing{place: place, cost: func(*centres) float64 { return 0 }},
		))
		if math.Abs(a.Value-last) > rounding {
			t.Fatalf("EM ends at %.15g, where the log likelihood is %.15g", a.Value, last)
		}
		for k, mean := range c.means {
			for j := range mean {
				was := mean[j]
				h := 1e-4 * math.Sqrt(m.NoiseVariance)
				mean[j] = was + h
				up := logLikelihood(m, c)
				mean[j] = was - h
				down := logLikelihood(m, c)
				mean[j] = was
				// The gradient in units of the noise is a difference of two values over 2e-4; its
				// own error is of the order of h^2.
				if slope := (up - down) / 2e-4; math.Abs(slope) > 1e4*rounding+1e-6*(1+math.Abs(last)) {
					t.Fatalf("cluster %d, column %d: the slope is %v in units of the noise", k, j, slope)
				}
			}
		}
	})
}

// logLikelihood returns the log likelihood of known centres, by its definition.
func logLikelihood(m *clustering, c *centres) float64 {
	total := 0.0
	for _, row := range m.Y {
		logs := make([]float64, len(m.Pi))
		for k, p := range m.Pi {
			logs[k] = math.Log(p)
			for j, y := range row {
				logs[k] -= math.Log(2*math.Pi*m.NoiseVariance)/2 +
					(y-c.means[k][j])*(y-c.means[k][j])/(2*m.NoiseVariance)
			}
		}
		total += floats.LogSumExp(logs)
	}
	return total
}

// randomField draws log f over a lattice with sides 2, 3 and 2, with zeros where they are asked
// for.
func randomField(t *rapid.T, zeros bool) (*grid.Lattice, []float64) {
	space := grid.MustNew(2, 3, 2)
	scale := rapid.SampledFrom([]float64{1e-12, 0.1, 1, 40}).Draw(t, "scale")
	logf := make([]float64, space.States())
	for x := range logf {
		logf[x] = scale * rapid.Float64Range(-1, 1).Draw(t, "log f")
		if zeros && rapid.IntRange(0, 2).Draw(t, "zero") == 0 {
			logf[x] = math.Inf(-1)
		}
	}
	return space, logf
}

// naiveELBO returns E_q[log f - log q] state by state.
func naiveELBO(space *grid.Lattice, logf []float64, factors [][]float64) float64 {
	total := 0.0
	for x, l := range logf {
		q := 1.0
		for k, f := range factors {
			q *= f[space.Coord(x, k)]
		}
		if q > 0 {
			total += q * (l - math.Log(q))
		}
	}
	return total
}

// TestMeanFieldBound: the bound is what the definition says, and not below the start, from every
// start; if f is zero on all of what is in reach, it is -Inf.
func TestMeanFieldBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		space, logf := randomField(t, rapid.Bool().Draw(t, "zeros"))
		if math.IsInf(slices.Max(logf), -1) {
			t.Skip("f is zero")
		}
		logZ := floats.LogSumExp(logf)
		m := longtest.Sure(NewMeanField(space, logf, OneNaming))
		for x := range logf {
			factors := make([][]float64, space.Dims())
			for k, at := range space.Coords(x) {
				factors[k] = make([]float64, space.Side(k))
				factors[k][at] = 1
			}
			p := longtest.Sure(m.Fit(context.Background(), factors))
			if want := naiveELBO(space, logf, p.Factors); !(math.Abs(p.ELBO-want) <= 1e-12 || p.ELBO == want) {
				t.Fatalf("from state %d: ELBO %.15g, want %.15g", x, p.ELBO, want)
			}
			if p.ELBO < logf[x]-1e-12 || p.ELBO > logZ+1e-12 || math.IsNaN(p.ELBO) {
				t.Fatalf("from state %d: ELBO %.15g, log f %.15g, log Z %.15g", x, p.ELBO, logf[x], logZ)
			}
			if math.IsInf(p.ELBO, -1) != (p.Stuck >= 0) {
				t.Fatalf("from state %d: ELBO %v, stuck at axis %d", x, p.ELBO, p.Stuck)
			}
		}
	})
}

// TestMeanFieldPassesZeros: a factor that meets a zero at all its values waits until another one
// has moved away.
func TestMeanFieldPassesZeros(t *testing.T) {
	zero := math.Inf(-1)
	m := longtest.Sure(NewMeanField(grid.MustNew(2, 2), []float64{0, zero, 1, zero}, OneNaming))
	for _, start := range [][]int{{0, 0}, {0, 1}, {1, 1}} {
		a, err := m.Climb(context.Background(), start)
		if want := math.Log(1 + math.E); err != nil || math.Abs(a.Value-want) > 1e-15 {
			t.Errorf("from %v: %v, %v, want %v", start, a.Value, err, want)
		}
	}
	m = longtest.Sure(NewMeanField(
		grid.MustNew(2, 2, 2),
		[]float64{0, zero, zero, zero, zero, zero, zero, zero},
		OneNaming,
	))
	if a, err := m.Climb(context.Background(), []int{1, 1, 1}); err != nil || a.Value != zero {
		t.Errorf("far from all mass: %v, %v", a, err)
	}
}

// TestMixtureBound holds the bound of all namings to its definition, state by state and naming by
// naming, and to the bounds that hold for every mixture.
func TestMixtureBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(1, 4).Draw(t, "K")
		n := rapid.IntRange(1, 3).Draw(t, "N")
		sides := make([]int, n)
		factors := make([][]float64, n)
		for i := range sides {
			sides[i] = k
			factors[i] = make([]float64, k)
			for j := range factors[i] {
				factors[i][j] = rapid.SampledFrom([]float64{0, 1e-200, 1e-9, 0.1, 1, 1, 2}).Draw(t, "q")
			}
			if floats.Sum(factors[i]) < 1e-9 {
				factors[i][0] = 1
			}
			floats.Scale(1/floats.Sum(factors[i]), factors[i])
		}
		space := grid.MustNew(sides...)
		logf := make([]float64, space.States())
		for x := range logf {
			logf[x] = rapid.SampledFrom([]float64{0, 1, -1, 2.5, -40}).Draw(t, "log f")
		}
		if rapid.Bool().Draw(t, "a zero") {
			logf[0] = math.Inf(-1)
		}
		names := [][]int{}
		permute(k, func(p []int) { names = append(names, slices.Clone(p)) })
		want := 0.0
		for x, l := range logf {
			q := 0.0
			for _, name := range names {
				product := 1.0
				for i := range factors {
					product *= factors[i][name[space.Coord(x, i)]]
				}
				q += product / float64(len(names))
			}
			if q > 0 {
				want += q * (l - math.Log(q))
			}
		}
		got := mixtureBound(factors, logf)
		if !(math.Abs(got-want) <= 1e-12 || got == want) {
			t.Fatalf("%.15g, want %.15g", got, want)
		}
		if logZ := floats.LogSumExp(logf); got > logZ+1e-12 {
			t.Fatalf("%.15g is above log Z = %.15g", got, logZ)
		}
	})
}

// TestClimbersRefuse: what makes no model, no field and no number of restarts is refused with one
// line that says what to change.
func TestClimbersRefuse(t *testing.T) {
	y := [][]float64{{1, 2}, {3, 4}}
	one := EqualClusters(2)
	square := grid.MustNew(2, 2)
	many := &clustering{slices.Repeat(y, 11), one}
	for want, err := range map[string]error{
		"no data":                             second(NewVariationalBayes(nil, one, OneNaming, Patience{})),
		"sum to 0":                            second(NewBIC(y, Clusters{}, Patience{})),
		"give fewer data, or fewer clusters":  second(NewVariationalBayes(many.Y, one, AllNamings, Patience{})),
		"2 and with 3 values":                 second(NewMeanField(grid.MustNew(2, 3), make([]float64, 6), LogFactorial)),
		"symmetry 3":                          second(NewMeanField(square, make([]float64, 4), Symmetry(3))),
		"3 values of log f for 4 states":      second(NewMeanField(square, make([]float64, 3), OneNaming)),
		"log f = NaN at state 1":              second(NewMeanField(grid.MustNew(2), []float64{0, math.NaN()}, OneNaming)),
		"log f = +Inf at state 0":             second(NewMeanField(grid.MustNew(2), []float64{math.Inf(1), 0}, OneNaming)),
		"zero at all 1 states":                second(NewMeanField(grid.MustNew(1), []float64{math.Inf(-1)}, OneNaming)),
		"0 restarts":                          second(NewRestarts(&BIC{model: clu4()}, 0)),
		"a whole number from 1 to 1000000000": second(NewRestarts(&BIC{model: clu4()}, MaxDraws+1)),
		"take a smaller space, as that of":    CheckStarts(&BIC{model: many}),
	} {
		refused(t, err, want)
	}
}

// refused fails the test unless there is an error of one line with that text.
func refused(t *testing.T, err error, want string) {
	longtest.Refused(t, err, want)
	if err != nil && strings.Contains(err.Error(), "\n") {
		t.Errorf("%v has several lines", err)
	}
}

func second[T any](_ T, err error) error { return err }

// TestClimbsEndWithTheContext: what takes long can be ended.
func TestClimbsEndWithTheContext(t *testing.T) {
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	field := longtest.Sure(NewMeanField(spaceOf(clu8()), logJointOf(clu8()), OneNaming))
	for _, climber := range []Climber{field, &BIC{model: clu8()}, &VariationalBayes{model: clu8()}} {
		if _, err := climber.Climb(ended, make([]int, 8)); !errors.Is(err, context.Canceled) {
			t.Errorf("%T: %v", climber, err)
		}
	}
}

// counted counts its climbs.
type counted struct {
	Climber
	climbs *atomic.Int64
}

func (c counted) Climb(ctx context.Context, start []int) (Ascent, error) {
	c.climbs.Add(1)
	return c.Climber.Climb(ctx, start)
}

// TestKeep: there is one climb from each start, for all callers, and ascents that fail are not
// kept.
func TestKeep(t *testing.T) {
	longtest.Only(t)
	c := counted{&BIC{model: clu4()}, &atomic.Int64{}}
	keeper := keep(c)
	if keep(keeper) != keeper {
		t.Error("what keeps is kept")
	}
	var group sync.WaitGroup
	for range 3 {
		r := longtest.Sure(NewRestarts(keeper, 2))
		r.Work()
		group.Go(func() { r.Estimate(chains.NewSampler(rand.NewPCG(1, 2))) })
	}
	group.Wait()
	if n := c.climbs.Load(); n != 16 {
		t.Errorf("%d climbs from 16 starts", n)
	}
	many := clu4()
	many.Y = slices.Repeat(many.Y, 6)
	if _, keeps := keep(&BIC{model: many}).(*kept); keeps {
		t.Error("2^24 ascents are kept")
	}
	slow := keep(&BIC{model: parting()})
	for range 2 {
		longtest.Refuses(slow.Climb(context.Background(), []int{0, 1}))(t, "has not come to an end")
	}
}

// parting returns two data at -1 and 1 and centres that are not known before, which EM parts from
// sn2 = 1 downwards: the ascent slows down without bound.
func parting() *clustering { return &clustering{[][]float64{{-1}, {1}}, EqualClusters(2)} }

// TestPatience holds when an ascent is given up to its definition, on the list of all values.
func TestPatience(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := Patience{rapid.SampledFrom([]float64{1e-3, 0.5, 3}).Draw(t, "gain"),
			rapid.IntRange(1, 6).Draw(t, "sweeps")}
		longtest.NoError(t, p.Validate())
		last := p.last()
		values := []float64{}
		for value := -10.0; len(values) < 40; value += rapid.SampledFrom([]float64{0, 1e-4, 0.1, 1}).Draw(t, "rise") {
			values = append(values, value)
			want := false
			if before := len(values) - 1 - p.Sweeps; before >= 0 {
				want = value-values[before] < p.Gain
			}
			if got := last(value, rapid.Bool().Draw(t, "moved")); got != want {
				t.Fatalf("after %v: %v, want %v", values, got, want)
			}
		}
	})
}

// TestPatienceValidate: what would never end or end at once is refused, and the zero Patience waits
// until nothing moves.
func TestPatienceValidate(t *testing.T) {
	for _, p := range []Patience{
		{}, {0, 50}, {math.NaN(), 50}, {math.Inf(1), 50}, {0.01, 0}, {0.01, maxSweeps + 1}} {
		longtest.Refused(t, p.Validate(), "give a")
		if _, of := newClustering(clu8().Y, clu8().Clusters, p); (of == nil) != (p == Patience{}) {
			t.Errorf("%+v: %v", p, of)
		}
	}
	if last := (Patience{}).last(); last(0, true) || !last(0, false) {
		t.Error("the zero Patience does not wait until nothing moves")
	}
}

// TestBestIsRestarts: the best of several ascents from random hard starts is what Restarts
// estimates with the same choices, and counts all sweeps. The penalty is half of log N for each
// coordinate of each centre.
func TestBestIsRestarts(t *testing.T) {
	climber := &BIC{model: clu8()}
	sampler := func() chains.Sampler { return chains.NewSampler(rand.NewPCG(1, 2)) }
	want := Ascent{Value: longtest.Sure(NewRestarts(climber, 4)).Estimate(sampler())}
	c := sampler()
	starts := NewHardStarts(climber)
	for range 4 {
		want.Sweeps += longtest.Sure(starts.Ascend(context.Background(), c)).Sweeps
	}
	if got, err := BestAscent(context.Background(), sampler(), starts, 4); err != nil || got != want ||
		starts.Work(3) != climber.Work(3) ||
		climber.Parameters() != 2 || math.Abs(climber.Penalty()-math.Log(8)) > 1e-15 {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
	longtest.Refuses(BestAscent(context.Background(), c, starts, 0))(t, "0 restarts")
	longtest.Refuses(BestAscent(longtest.EndsAfter(0), c, starts, 2))(t, "canceled")
}

// TestHostileMagnitudes: at the bounds of what is let through, the ascents end at numbers.
func TestHostileMagnitudes(t *testing.T) {
	pi := []float64{1 - 1e-10, 1e-10}
	for _, m := range []*clustering{
		{[][]float64{{1e39}, {-1e39}, {1e39}}, Clusters{pi, 1, 1}},
		{[][]float64{{1e39}, {1e39 + 1e24}, {3}}, Clusters{pi, 1e39, 1}},
		{[][]float64{{0}, {0}, {0}}, Clusters{pi, 1e-39, 1}},
		{[][]float64{{1e-39}, {0}, {-1e-39}}, Clusters{pi, 1, 1e-39}},
		{[][]float64{{1e39}, {1e38}, {-1e39}}, Clusters{pi, 1e39, 1e-39}},
		{[][]float64{{1e-39}, {1e-38}, {-1e-39}}, Clusters{pi, 1e-39, 1e-39}},
	} {
		if _, err := newClustering(m.Y, m.Clusters, Patience{}); err != nil {
			t.Errorf("%+v: %v", m, err)
			continue
		}
		for x := range 8 {
			start := make([]int, 3)
			StartOf(start, m.sides(), x)
			for _, climber := range []Climber{&VariationalBayes{model: m}, &BIC{model: m}} {
				a, err := climber.Climb(context.Background(), start)
				if err != nil || math.IsNaN(a.Value) || math.IsInf(a.Value, 0) {
					t.Errorf("%T of %+v from %v: %v, %v", climber, m, start, a, err)
				}
			}
		}
	}
}

// TestHostileFactorsAndAttributes: at the bounds of what is let through, the ascents of models of
// any size end at numbers, or with an error, if the data are so far above the noise that U and V
// hold one another fast.
func TestHostileFactorsAndAttributes(t *testing.T) {
	longtest.Only(t)
	patience := Patience{0.01, 20}
	for _, c := range []struct {
		scale, first, second, noise float64
		pinned                      bool
	}{
		{1, 1, 1, 1, false}, {0, 1, 1, 1, false}, {1e-39, 1, 1, 1, false}, {1e-39, 1e-39, 1e-39, 1, false},
		{1, 1e-9, 1e-9, 1, false},
		{1e19, 1e38, 1, 1e38, false}, {1e-19, 1e-38, 1, 1e-38, false}, {1e5, 1e5, 1e5, 1e10, false},
		{1e10, 1, 1, 1, true}, {1e39, 1e10, 1e-10, 1, true}, {1e39, 1e-29, 1, 1e-39, true},
	} {
		y := [][]float64{
			{c.scale, -c.scale, 0}, {c.scale, c.scale * (1 - 1e-15), c.scale * 3}, {-c.scale, 0, c.scale / 3}}
		f := Factors{UVariance: c.first, VVariance: c.second, NoiseVariance: c.noise}
		a := Attributes{
			Pi:              []float64{1 - 1e-10, 0.5, 1e-300},
			FeatureVariance: c.first,
			NoiseVariance:   c.noise,
		}
		for _, climber := range []Ascender{
			longtest.Sure(NewFactorsVB(y, 2, f, LogFactorial, patience)),
			longtest.Sure(NewFactorsBIC(y, 2, f)),
			longtest.Sure(NewAttributesVB(y, a, LogFactorial, patience)),
			longtest.Sure(NewAttributesBIC(y, a, patience)),
		} {
			for seed := range uint64(3) {
				got, err := climber.Ascend(context.Background(), chains.NewSampler(rand.NewPCG(seed, 1)))
				if _, factors := climber.(*FactorsVB); factors && c.pinned && err != nil &&
					strings.Contains(err.Error(), "has not come to an end") {
					break
				}
				if err != nil || math.IsNaN(got.Value) || math.IsInf(got.Value, 0) {
					t.Errorf("%T of %+v: %+v, %v", climber, c, got, err)
				}
			}
		}
	}
	lost := func() (float64, bool) { return math.NaN(), true }
	longtest.Refuses(ascend(context.Background(), lost, patience.last()))(t, "came to no number")
}
