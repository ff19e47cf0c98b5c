// Package scaling answers: how do the errors of annealing grow with the size of a model? It solves
// models of several sizes exactly, finds the numbers of distributions that they need, and fits
// powers of the size. It samples only if there are too many states to list: then chains on factors
// estimate B, beside the exact log Z.
//
// A size is the number of spins, or of the other parts of a model. On classes of states (see
// package quotients) it may be a thousand and more:
//
//	breadboard scaling --toy "curie-weiss:{100..400..100}:1" --kernel flip -T 100
package scaling

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/exact"
	"breadboard/exact/weights"
	"breadboard/experiments/annealing/ais"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/toys"
)

// Options are the options of the study.
type Options struct {
	PerSize bool    // whether the number of distributions is T times the size
	Limit   float64 // the limit for J and B, in nats, above 0
	MostT   int     // the largest number of distributions to try for Limit; 0 searches none
	Chains  int     // the number of chains in each direction if states are not listed; 0 for DefaultChains
	Seed    uint64  // the seed of their random numbers
}

// DefaultChains is the default number of chains.
const DefaultChains = 400

// Row is the answer for a model of one size.
type Row struct {
	subject.Case
	*exact.Solution          // if states are not listed, its B and mean log weights are estimates, and its J is NaN
	BSE              float64 // the standard error of B; NaN if B is exact
	Chains           int     // the number of chains in each direction; 0 if states are listed
	Options          Options
	Family           string  // the model, whatever its size
	Size             int     // see SizeOf
	LogStates        float64 // the log of the number of states, which may be 2^1000
	Used             int     // the number of distributions, which is T or T times the size
	RelativeVariance float64 // log(1 + the relative variance of a weight) of forward chains, in nats
	NeedJ, NeedB     int     // the smallest numbers of distributions for which J and B are within the limit; 0 if none was found
}

// sizeOfCase returns sizeOf of the toy of a case. A toy on factors without a family has as size the
// number of its free variables.
func sizeOfCase(c *subject.Case) (family string, size int) {
	f := c.Factored()
	switch {
	case f == nil:
		return sizeOf(c.Toy)
	case f.Query.Family != "":
		return f.Query.Family, f.Query.Size
	}
	return c.Param("toy"), f.Free()
}

// sizeOf returns the size of a toy, and the family of toys that differ in it alone. A toy without a
// family is its own family; its size is the number of axes if it has more than two, as for spins on
// a lattice, and otherwise the number of states. Classes of states have the size of their states.
func sizeOf(t *toys.Toy) (family string, size int) {
	switch l := t.Lattice(); {
	case t.Family != "":
		return t.Family, t.Size
	case t.States() != nil:
		return sizeOf(t.States())
	case l != nil && l.Dims() > 2:
		return t.Name, l.Dims()
	}
	return t.Name, t.Space.States()
}

// plan refuses invalid limits and too large numbers of distributions. Its errors name the case.
func plan(_ context.Context, cases []subject.Case, o *Options) (study.Plan[Row], error) {
	switch {
	case !(o.Limit > 0) || math.IsInf(o.Limit, 1):
		return study.Plan[Row]{}, chains.NewAdvice("{limit} %v; give a number of nats above 0", o.Limit)
	case o.MostT != 0 && o.MostT < 2:
		return study.Plan[Row]{}, fmt.Errorf("the largest number of distributions to try is %d; give 2 or more, or 0 to search none", o.MostT)
	}
	for i := range cases {
		T, err := used(&cases[i], o)
		if err != nil {
			return study.Plan[Row]{}, cases[i].Wrong(err)
		}
		for _, other := range []int{T, min(3, o.MostT)} {
			if other == 0 {
				continue
			}
			if _, err := cases[i].OfLength(other); err != nil {
				return study.Plan[Row]{},
					chains.NewAdvice(
						"schedule %v has T = %d only, and other numbers of distributions are tried; give a schedule for any T, such as linear, or search no number of distributions and leave {per-size} out",
						cases[i].Param("schedule"), cases[i].Distributions())
			}
		}
	}
	switch {
	case o.Chains == 1:
		return study.Plan[Row]{}, chains.NewAdvice("{chains} 1; a standard error needs at least 2")
	case o.Chains != 0 && subject.Listed(cases):
		return study.Plan[Row]{}, chains.NewAdvice("all states can be listed, so that nothing is sampled; leave {chains} out")
	}
	return study.Each(cases, func(*subject.Case) int { return 1 }, func(ctx context.Context, c *subject.Case, h study.How) (Row, error) {
		r, err := rowOf(ctx, c, o, h)
		if err != nil {
			return r, c.Wrong(err)
		}
		h.Add(1)
		return r, nil
	}), nil
}

// used returns the number of distributions of a case.
func used(c *subject.Case, o *Options) (int, error) {
	T := c.Distributions()
	if !o.PerSize {
		return T, nil
	}
	_, size := sizeOfCase(c)
	if most := min(subject.MaxDistributions, float64(math.MaxInt)); float64(T)*float64(size) > most {
		return 0, fmt.Errorf("the T = %d times the size %d is more than %.0f distributions; give a smaller T", T, size, most)
	}
	return T * size, nil
}

// rowOf computes the row of a case.
func rowOf(ctx context.Context, c *subject.Case, o *Options, h study.How) (r Row, err error) {
	r.Case, r.Options, r.BSE = *c, *o, math.NaN()
	r.Family, r.Size = sizeOfCase(c)
	if r.Used, err = used(c, o); err != nil {
		return r, err
	}
	s := &solver{row: &r, how: h, known: map[int]*exact.Solution{}}
	if s.at = s.exactly; c.Factored() != nil {
		s.at = s.sampled
	}
	if r.Solution, err = s.with(ctx, r.Used); err != nil {
		return r, err
	}
	if c.Factored() == nil {
		if err := r.states(ctx); err != nil {
			return r, err
		}
	}
	if o.MostT == 0 {
		return r, nil
	}
	if r.NeedJ, err = s.least(ctx, o, func(v *exact.Solution) float64 { return v.J }); err != nil {
		return r, err
	}
	r.NeedB, err = s.least(ctx, o, func(v *exact.Solution) float64 { return v.B })
	return r, err
}

// states fills in the exact numbers of a case whose states, or classes of states, are listed.
func (r *Row) states(ctx context.Context) error {
	r.LogStates = number.Log(float64(r.Toy.Space.States()))
	if r.Toy.Members != nil {
		r.LogStates = number.LogSumExp(r.Toy.Members)
	}
	c, err := r.Case.OfLength(r.Used)
	if err != nil {
		return err
	}
	moments, err := weights.CGF(ctx, c.Annealing(), chains.Forward, []float64{1, 2})
	if err != nil {
		return err
	}
	r.RelativeVariance = moments[1] - 2*moments[0]
	return nil
}

// solver solves a case with any number of distributions.
type solver struct {
	row   *Row
	how   study.How
	at    func(ctx context.Context, c subject.Case) (*exact.Solution, error) // exact or sampled
	known map[int]*exact.Solution
}

// with returns the solution with T distributions, each computed once.
func (s *solver) with(ctx context.Context, T int) (*exact.Solution, error) {
	if v := s.known[T]; v != nil {
		return v, nil
	}
	c, err := s.row.Case.OfLength(T)
	if err != nil {
		return nil, err
	}
	v, err := s.at(ctx, c)
	if err == nil {
		s.known[T] = v
	}
	return v, err
}

func (s *solver) exactly(ctx context.Context, c subject.Case) (*exact.Solution, error) {
	return exact.Solve(ctx, c.Annealing(), exact.Options{Workers: s.how.Workers})
}

// sampled estimates B and the mean log weights by chains on factors.
func (s *solver) sampled(ctx context.Context, c subject.Case) (*exact.Solution, error) {
	r, o := s.row, s.row.Options
	r.Chains = cmp.Or(o.Chains, DefaultChains)
	found, err := ais.OnFactors(ctx, c, ais.Options{Chains: r.Chains, Seed: o.Seed}, study.How{Workers: s.how.Workers})
	if err != nil {
		return nil, err
	}
	b, v := found.Quantity("B"), *found.Exact
	v.B, v.MeanLogWForward, v.MeanLogWReverse = b.Estimate, found.Quantity("mean_log_w_forward").Estimate, found.Quantity("mean_log_w_reverse").Estimate
	if c.Distributions() == r.Used {
		r.BSE, r.LogStates, r.RelativeVariance = b.StandardError, c.Factored().Query.LogStates(), math.NaN()
		if b.Note != "" {
			v.Notes = append(slices.Clone(v.Notes), "B: "+b.Note)
		}
		if o.MostT > 0 && !math.IsNaN(v.B) {
			v.Notes = append(slices.Clone(v.Notes), "T for B is the first T at which the estimate of B is within the limit; it depends on the seed")
		}
	}
	return &v, nil
}

// least returns a number of distributions at which a quantity is within the limit, although it is
// not with one fewer: it doubles T from 2 on and bisects the last octave. It is 0 if no T up to the
// largest is found.
func (s *solver) least(ctx context.Context, o *Options, of func(*exact.Solution) float64) (int, error) {
	if math.IsNaN(of(s.row.Solution)) || math.IsInf(of(s.row.Solution), 1) && s.row.Chains > 0 {
		return 0, nil // unknown at every T
	}
	within := func(T int) (bool, error) {
		v, err := s.with(ctx, T)
		return err == nil && of(v) <= o.Limit, err
	}
	low, high := 1, 2
	for {
		met, err := within(high)
		if err != nil {
			return 0, err
		}
		if met {
			break
		}
		if high == o.MostT {
			return 0, nil
		}
		low, high = high, min(2*high, o.MostT)
	}
	for high-low > 1 {
		middle := low + (high-low)/2
		met, err := within(middle)
		if err != nil {
			return 0, err
		}
		if met {
			high = middle
		} else {
			low = middle
		}
	}
	return high, nil
}

// Fit is a power of the size, fitted to a quantity of a family: quantity = Factor size^Exponent.
type Fit struct {
	Family, Setting string // Setting lists the other parameters that the rows share
	Quantity        string // a name of Quantities
	Sizes           int    // the number of sizes with a value above zero; a fit needs two
	From, To        int    // the smallest and the largest of these
	Exponent        float64
	Factor          float64
	// Residual is the largest |log(value / fitted value)|, in nats: 0.1 means an error of at most
	// about ten percent. It is zero for two sizes.
	Residual float64
	// Last is the exponent between the two largest sizes. If it differs from Exponent, the growth
	// is not yet a power.
	Last float64
}

// Quantity is a number of a row whose growth is fitted.
type Quantity struct {
	Name string
	Of   func(r *Row) float64
}

// quantities lists the quantities that are fitted.
func quantities() []Quantity {
	return []Quantity{
		{"J", func(r *Row) float64 { return r.J }},
		{"B", func(r *Row) float64 { return r.B }},
		{"B_over_J", func(r *Row) float64 { return r.B / r.J }},
		{"log1p_relative_variance", func(r *Row) float64 { return r.RelativeVariance }},
		{"T_J", func(r *Row) float64 { return float64(r.NeedJ) }},
		{"T_B", func(r *Row) float64 { return float64(r.NeedB) }},
	}
}

// Setting lists what a row shares with others beside its family: T, path, initial distribution,
// schedule and kernel.
func (r *Row) Setting() string {
	parts := make([]string, 0, len(r.Params))
	for _, p := range r.Params {
		if p.Name != "toy" { // present if states are not listed
			parts = append(parts, p.Value)
		}
	}
	return strings.Join(parts, " ")
}

// Series divides rows by family and setting, in the order of their first rows, each sorted by size.
func Series(rows []Row) [][]*Row {
	var all [][]*Row
	place := map[string]int{}
	for i := range rows {
		r := &rows[i]
		key := r.Family + " " + r.Setting()
		if _, there := place[key]; !there {
			place[key], all = len(all), append(all, nil)
		}
		all[place[key]] = append(all[place[key]], r)
	}
	for _, rows := range all {
		slices.SortStableFunc(rows, func(a, b *Row) int { return a.Size - b.Size })
	}
	return all
}

// Fits returns the least-squares powers of the size (in logarithms), for each series and quantity
// with a positive value at two sizes or more.
func Fits(rows []Row) (fits []Fit) {
	for _, series := range Series(rows) {
		for _, q := range quantities() {
			var sizes, values []float64
			for _, r := range series {
				if v := q.Of(r); v > 0 && !math.IsInf(v, 1) && (len(sizes) == 0 || number.Log(float64(r.Size)) > sizes[len(sizes)-1]) {
					sizes, values = append(sizes, number.Log(float64(r.Size))), append(values, number.Log(v))
				}
			}
			if n := len(sizes); n >= 2 {
				f := fit(sizes, values)
				f.Family, f.Setting, f.Quantity = series[0].Family, series[0].Setting(), q.Name
				fits = append(fits, f)
			}
		}
	}
	return fits
}

// fit returns the line through the logarithms of values against the logarithms of ascending sizes.
func fit(sizes, values []float64) Fit {
	n := len(sizes)
	x, y := number.Total(sizes)/float64(n), number.Total(values)/float64(n)
	var both, square number.Sum
	for i, s := range sizes {
		both.Add((s - x) * (values[i] - y))
		square.Add((s - x) * (s - x))
	}
	f := Fit{Sizes: n, From: int(math.Round(math.Exp(sizes[0]))), To: int(math.Round(math.Exp(sizes[n-1]))), Exponent: both.Value() / square.Value()}
	f.Factor = math.Exp(y - f.Exponent*x)
	for i, s := range sizes {
		f.Residual = max(f.Residual, math.Abs(values[i]-y-f.Exponent*(s-x)))
	}
	if n == 2 {
		f.Residual = 0
	}
	f.Last = (values[n-1] - values[n-2]) / (sizes[n-1] - sizes[n-2])
	return f
}
