// Package scaling answers: how do the errors of annealing grow with the size of a model? It solves models of several sizes exactly, looks
// for the numbers of distributions that they need, and fits powers of the size. It never samples.
//
// A size is the number of spins, or of whatever a model has any number of. On classes of states (see package quotients) it may be a
// thousand and more:
//
//	breadboard scaling --toy "curie-weiss:{100..400..100}:1" --kernel flip -T 100
package scaling

import (
	"context"
	"fmt"
	"math"
	"strings"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/chains/sorts"
	"breadboard/exact"
	"breadboard/exact/weights"
	"breadboard/experiments"
	"breadboard/experiments/study"
	"breadboard/toys"
)

// Options say what the study asks.
type Options struct {
	PerSize bool    // whether the number of distributions is T times the size
	Limit   float64 // that J and B are to be within, in nats, above 0
	MostT   int     // the largest number of distributions that is tried for that; 0 looks for none
}

// Row is a model of one size.
type Row struct {
	experiments.Case
	*exact.Solution
	Asked            Options
	Family           string  // the model, whatever its size
	Size             int     // see SizeOf
	LogStates        float64 // the log of the number of states, of which there may be 2^1000
	Used             int     // the number of distributions, which is T or T times the size
	RelativeVariance float64 // log(1 + the relative variance of a weight) of forward chains, in nats
	NeedJ, NeedB     int     // the least numbers of distributions for which J and B are within the limit; 0 where none was found
}

// sizeOf returns the size of a toy, and the family of toys that differ in it alone. A toy that names no family is one of its own, and its size
// is the number of axes where it has more than two, as spins on a lattice, and else the number of its states. Classes that were found on states have the
// size of these.
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

// plan refuses limits that make no sense, and numbers of distributions that are too large. An error of the plan names the case.
func plan(_ context.Context, cases []experiments.Case, o *Options) (study.Plan[Row], error) {
	switch {
	case !(o.Limit > 0) || math.IsInf(o.Limit, 1):
		return study.Plan[Row]{}, chains.NewAdvice("{limit} %v; give a number of nats above 0", o.Limit)
	case o.MostT != 0 && o.MostT < 2:
		return study.Plan[Row]{}, fmt.Errorf("the largest number of distributions to try is %d; give 2 or more, or 0 to look for none", o.MostT)
	}
	for i := range cases {
		T, err := used(&cases[i], o)
		if err != nil {
			return study.Plan[Row]{}, cases[i].Wrong(err)
		}
		schedule := cases[i].Annealing().Schedule()
		for _, other := range []int{T, min(3, o.MostT)} {
			if other != 0 && schedule.Validate(other) != nil {
				return study.Plan[Row]{}, chains.NewAdvice("schedule %v is for T = %d alone, and other numbers of distributions are tried; take one that any T can have, such as linear, or look for no number of distributions, and leave {per-size} out", schedule, cases[i].Distributions())
			}
		}
	}
	return study.Each(cases, func(*experiments.Case) int { return 1 }, func(ctx context.Context, c *experiments.Case, h study.How) (Row, error) {
		r, err := rowOf(ctx, c, o, h)
		if err != nil {
			return r, c.Wrong(err)
		}
		h.Add(1)
		return r, nil
	}), nil
}

// used returns the number of distributions of a case.
func used(c *experiments.Case, o *Options) (int, error) {
	T := c.Distributions()
	if !o.PerSize {
		return T, nil
	}
	_, size := sizeOf(c.Toy)
	if most := min(experiments.MaxDistributions, float64(math.MaxInt)); float64(T)*float64(size) > most {
		return 0, fmt.Errorf("with T = %d times the size %d there are more than %.0f distributions; give a smaller T", T, size, most)
	}
	return T * size, nil
}

// rowOf computes the row of a case.
func rowOf(ctx context.Context, c *experiments.Case, o *Options, h study.How) (r Row, err error) {
	s := &solver{case_: c, how: h, known: map[int]*exact.Solution{}}
	r.Case, r.Asked = *c, *o
	r.Family, r.Size = sizeOf(c.Toy)
	r.LogStates = number.Log(float64(c.Toy.Space.States()))
	if c.Toy.Members != nil {
		r.LogStates = number.LogSumExp(c.Toy.Members)
	}
	if r.Used, err = used(c, o); err != nil {
		return r, err
	}
	a, err := s.annealing(r.Used)
	if err != nil {
		return r, err
	}
	if r.Solution, err = s.at(ctx, r.Used); err != nil {
		return r, err
	}
	moments, err := weights.CGF(ctx, a, chains.Forward, []float64{1, 2})
	if err != nil {
		return r, err
	}
	r.RelativeVariance = moments[1] - 2*moments[0]
	if o.MostT == 0 {
		return r, nil
	}
	if r.NeedJ, err = s.least(ctx, o, func(v *exact.Solution) float64 { return v.J }); err != nil {
		return r, err
	}
	r.NeedB, err = s.least(ctx, o, func(v *exact.Solution) float64 { return v.B })
	return r, err
}

// solver solves a case with any number of distributions.
type solver struct {
	case_ *experiments.Case
	how   study.How
	known map[int]*exact.Solution
}

// annealing returns the case with T distributions.
func (s *solver) annealing(T int) (*chains.Annealing, error) {
	a := s.case_.Annealing()
	if T == a.Distributions() {
		return a, nil
	}
	return chains.NewAnnealingBy(a.Path(), a.Schedule(), a.Transitions(), T)
}

// at returns the solution with T distributions, each found once.
func (s *solver) at(ctx context.Context, T int) (*exact.Solution, error) {
	if v := s.known[T]; v != nil {
		return v, nil
	}
	a, err := s.annealing(T)
	if err != nil {
		return nil, err
	}
	v, err := exact.Solve(ctx, a, exact.Options{Workers: s.how.Workers})
	if err == nil {
		s.known[T] = v
	}
	return v, err
}

// least returns a number of distributions at which a quantity is within the limit, and is not with one less: it doubles T from 2 on and
// bisects the last octave. It is 0 where none up to the largest is.
func (s *solver) least(ctx context.Context, o *Options, of func(*exact.Solution) float64) (int, error) {
	within := func(T int) (bool, error) {
		v, err := s.at(ctx, T)
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

// Fit is a power of the size that is fitted to a quantity of a family: quantity = Factor size^Exponent.
type Fit struct {
	Family, Setting string // Setting has what else the rows have in common
	Quantity        string // a name of Quantities
	Sizes           int    // how many sizes have a value above zero; a fit takes two
	From, To        int    // the smallest and the largest of these
	Exponent        float64
	Factor          float64
	// Residual is the largest |log(value / fitted value)|, in nats: 0.1 says that no value is off by more than about ten percent. It is zero for two sizes.
	Residual float64
	// Last is the exponent between the two largest sizes alone, which differs from Exponent where no power has been reached yet.
	Last float64
}

// Quantity is a number of a row whose growth is fitted.
type Quantity struct {
	Name string
	Of   func(r *Row) float64
}

// quantities lists what is fitted.
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

// Setting names what a row has in common with others beside its family: T, path, initial distribution, schedule and kernel.
func (r *Row) Setting() string {
	parts := make([]string, 0, len(r.Params))
	for _, p := range r.Params {
		parts = append(parts, p.Value)
	}
	return strings.Join(parts, " ")
}

// Series divides rows into those of one family and setting, in the order in which these come, each sorted by size.
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
		sorts.Stable(rows, func(a, b *Row) int { return a.Size - b.Size })
	}
	return all
}

// Fits returns the powers of the size, by the least squares of logarithms, for each series and quantity with a positive value at two sizes or more.
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

// fit returns the line through logarithms of values against logarithms of sizes, which rise.
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
