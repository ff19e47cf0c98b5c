package samplers

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/exact/averages"
	"breadboard/exact/kernel"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/columns"
	"breadboard/toys"
)

// TimesRow has the two times of a kernel on a target from a start.
type TimesRow struct {
	Setting // without a function and a number of samples
	// the bounds: of the mutual information in nats, and of the total variation distance
	MI, TV float64
	Mixing averages.Time // the least k with MI(x_k; x_0) <= MI; independent of the start
	// the least k with TV(distribution of x_k, target) <= TV, counted from the first sample
	BurnIn averages.Time
	Curve  *Curve // nil unless requested
}

// shownBelow is the factor below a bound at which a curve ends: lower values do not matter for the
// time.
const shownBelow = 10

// Curve has the mutual information and the distance by the number of moves.
type Curve struct {
	Moves  []int64   // from none on
	MI, TV []float64 // by number of moves; there is no MI on classes
}

// rowNote says what the two times cannot.
func (r *TimesRow) rowNote() string {
	if r.Mixing.Note == "" || r.BurnIn.Note == "" || r.Mixing.Note == r.BurnIn.Note {
		return cmp.Or(r.Mixing.Note, r.BurnIn.Note)
	}
	return r.Mixing.Note + "; " + r.BurnIn.Note
}

// TimesOptions are the options of Times.
type TimesOptions struct {
	MI, TV float64 // the bounds
	Curves bool    // whether the rows have curves
}

// Standard is the default bound of both times.
const Standard = 0.01

func (o *TimesOptions) validate() error {
	switch {
	case !(o.MI > 0) || math.IsInf(o.MI, 1):
		return errs.New("{mi} %v; give a bound of the mutual information above zero, in nats", o.MI)
	case !(o.TV > 0 && o.TV < 1):
		return errs.New("{tv} %v; give a bound of the total variation distance between zero and one", o.TV)
	}
	return nil
}

// timesPlan finds the times of every problem. The rows are ordered by problem and start. A time
// that cannot be found is NaN, with a note that says why. It fails if that is every one.
func timesPlan(_ context.Context, problems []Problem, o *TimesOptions) (study.Plan[TimesRow], error) {
	plan := study.Jobs(Jobs(problems, func(p *Problem) int { return 1 + len(p.Starts) }, o.rows))
	all := plan.Run
	plan.Run = func(ctx context.Context, h study.How) ([]TimesRow, error) {
		rows, err := all(ctx, h)
		if subject.Usable(err) && len(rows) > 0 && !slices.ContainsFunc(rows,
			func(r TimesRow) bool { return !math.IsNaN(r.Mixing.Moves) || !math.IsNaN(r.BurnIn.Moves) }) {
			return nil, fmt.Errorf("no time could be found: %s: %s", rows[0].Problem.Name(), rows[0].Mixing.Note)
		}
		return rows, err
	}
	return plan, o.validate()
}

func (o *TimesOptions) rows(ctx context.Context, p *Problem, h study.How) ([]TimesRow, error) {
	mixing := averages.Time{Moves: math.NaN(), Error: math.NaN()}
	if p.Ladder != nil {
		return o.tempered(ctx, p, h)
	}
	rows := make([]TimesRow, len(p.Starts))
	burnIn := mixing
	wanted := h.Columns.Any("mixing_mi", "mixing_error", "note")
	var err error
	if wanted {
		mixing, err = o.mixing(ctx, p)
		if err != nil {
			return nil, err
		}
	}
	h.Add(1)
	nothing := true // is known: the plan then fails, for which what is not wanted is found all the same
	for s, start := range p.Starts {
		if math.IsNaN(mixing.Moves) || h.Columns.Any("burn_in_tv", "burn_in_error", "note") {
			burnIn, err = p.Chain.BurnIn(ctx, start.Law, o.TV)
			burnIn, err = known(ctx, burnIn, err)
			if err != nil {
				return nil, err
			}
		}
		rows[s] = TimesRow{
			Setting: Setting{Problem: p, Start: start},
			MI:      o.MI,
			TV:      o.TV,
			Mixing:  mixing,
			BurnIn:  burnIn,
		}
		nothing = nothing && math.IsNaN(mixing.Moves) && math.IsNaN(burnIn.Moves)
		h.Add(1)
	}
	if nothing && !wanted {
		mixing, err = o.mixing(ctx, p)
		if err != nil {
			return nil, err
		}
		for i := range rows {
			rows[i].Mixing = mixing
		}
	}
	if o.Curves {
		return rows, bothCurves(ctx, p, rows)
	}
	return rows, nil
}

// mixing finds the mixing time, which all rows of a problem have.
func (o *TimesOptions) mixing(ctx context.Context, p *Problem) (t averages.Time, err error) {
	// It asks for single states: the class of x_k says less of that of x_0 than the state does of
	// the state.
	err = subject.NeedsStates(p.Toy, "mutual information")
	if err == nil {
		t, err = p.Chain.MixingTime(ctx, o.MI)
	}
	return known(ctx, t, err)
}

// known makes a note of why a time is not known. It leaves only the error of the context.
func known(ctx context.Context, t averages.Time, err error) (averages.Time, error) {
	if err != nil && ctx.Err() == nil {
		return averages.Time{Moves: math.NaN(), Error: math.NaN(), Note: err.Error()}, nil
	}
	return t, err
}

// bothCurves adds curves to the rows of a problem, which all have the same numbers of moves. There
// are none if they are too large to find.
func bothCurves(ctx context.Context, p *Problem, rows []TimesRow) error {
	ks := append([]int64{0}, moves(2*longest(rows), p.Chain.States() <= fewStates)...)
	var mi []float64
	var err error
	if p.Toy.Members == nil { // as for the mixing time
		mi, err = p.Chain.MI(ctx, ks)
	}
	for i := 0; err == nil && i < len(rows); i++ {
		c := &Curve{Moves: ks, MI: mi}
		c.TV, err = p.Chain.TV(ctx, rows[i].Start.Law, ks)
		if err == nil {
			rows[i].Curve = c
		}
	}
	if err != nil && ctx.Err() == nil {
		return nil
	}
	return err
}

// longest returns the largest of the times, with shownOfNever instead of infinite ones.
func longest(rows []TimesRow) float64 {
	most := 1.0
	for i := range rows {
		for _, t := range []float64{rows[i].Mixing.Moves, rows[i].BurnIn.Moves} {
			switch {
			case math.IsInf(t, 1):
				most = max(most, shownOfNever)
			case t <= maxShown:
				most = max(most, t)
			}
		}
	}
	return most
}

const (
	shownOfNever = 1e6  // how many moves a curve has of a chain that never forgets
	maxShown     = 1e17 // the largest number of moves of a curve, so that twice as many fit an int64
	perDecade    = 8    // about how many points a curve has for each factor of ten
	// the largest number of states on which a curve has that many: each takes a product of matrices
	// for each binary digit
	fewStates = 128
)

// moves returns numbers of moves from one to a last one, about evenly on a logarithmic scale:
// perDecade from the last of the first few on or, if they are not to be dense, the powers of two.
func moves(last float64, dense bool) (ks []int64) {
	for i := 0; ; i++ {
		k := int64(1) << min(i, 62)
		if dense {
			k = max(int64(i+1), int64(math.Round(math.Pow(10, float64(i)/perDecade))))
		}
		ks = append(ks, k)
		if float64(k) >= last {
			return ks
		}
	}
}

// Times declares the study of the mixing and burn-in times of Turner and Neal 2017.
func Times() *study.Study[Problem, TimesOptions, TimesRow] {
	return study.New(TimesOptions{MI: Standard, TV: Standard}, timesPlan, study.Declaration{
		Says: columns.Sentence{
			Least: "burn_in_tv",
			Text: "{toy}: {kernel} is within {tv} of the target in total variation after {burn_in_tv} " +
				"moves, the fewest",
		},
		Name: "samplers times",
		Asks: "After how many moves does a chain forget its start? Mixing and burn-in times",
		Help: `times gives the exact mixing and burn-in times of a chain, as Turner and Neal
(2017, section 4.4) define them.

The mixing time is the least k with MI(x_k; x_0) <= --mi, for x_0 from the
target. The burn-in time is the least k with TV(distribution of x_k, target) <=
--tv, for x_0 from the start. Both are infinite for some reducible or periodic
chains. temper:T is parallel tempering of T replicas, which move by Metropolis,
or by KERNEL in temper:T:KERNEL; one scan counts as one move.

See breadboard help mixing.`,
		Examples: `  breadboard samplers times
  breadboard samplers times --toy barrier:3x3 --kernel metropolis,heatbath,temper:3,exact --out results
  breadboard samplers times --toy barrier --kernel metropolis,heatbath-scan --start uniform,mode,point:0
  breadboard samplers times --toy easy --mi 0.001 --tv 0.05 --out results`,
		Counts: "times", Workers: true,
		Options: study.OptionsOf(func(o *TimesOptions) []study.Option {
			return []study.Option{
				bound("mi", "bound of the mutual information, in nats", 1e6, &o.MI),
				bound("tv", "bound of the total variation distance", 1-leastBound, &o.TV),
			}
		}),
		Columns: timesColumns(),
		Cost:    timesCost,
		View:    reports.Untyped(timesReport),
		About: &Chains{Selection: Selection{
			Toys:      subject.PaperToys(),
			Kernels:   BothKernels(),
			Starts:    []string{"uniform"},
			Tempering: true,
		}},
		Swept: &study.Swept{
			Parameters: ChainParameters("uniform"), Build: Build, Subject: Subject,
			Note: study.NoteOf(func(r *TimesRow) (string, error) { return r.rowNote(), nil }),
		},
	})
}

// leastBound is the smallest bound of a sweep.
const leastBound = 1e-12

// bound returns the option of a bound, which in a sweep is at most a largest one.
func bound(name, doc string, most float64, to *float64) study.Option {
	return study.Option{
		Name: name, To: study.Number(to),
		Swept: &subject.Parameter{
			Name: name, Doc: "the " + doc, Defaults: subject.Just(strconv.FormatFloat(Standard, 'g', -1, 64)),
			Number: &subject.Range{Low: leastBound, High: most, Real: true},
		},
	}
}

// Measured for a space of n states: the seconds of the products of matrices by which a time is
// found, each n^3, and those of a time without products, by state.
const (
	productsCost   = 6e-9
	movesCost      = 3e-4
	timesStartCost = 1e-3
)

func timesCost(s subject.Size) subject.Cost {
	n := float64(s.States)
	if n > 1024 { // there are no products
		return subject.Cost{
			Seconds: timesStartCost + movesCost*n,
			Bytes:   errorBytes*n + rowsBytes*s.General.Bytes,
		}
	}
	return subject.Cost{Seconds: timesStartCost + productsCost*n*n*n, Bytes: 150 * n * n}
}

func timesColumns() columns.List {
	type row = TimesRow
	setting := (*row).TheSetting
	moves := func(name, title, meaning string, of func(*row) any) columns.Field {
		return columns.Any(name, title, columns.Float, meaning, of).In("moves").Keep(
			columns.Kept{High: math.Inf(1), Missing: true, Shown: title != ""},
		)
	}
	return slices.Concat(
		SettingColumns(setting, "toy", "kernel", "start"),
		columns.List{
			moves("mixing_mi", "mixing",
				"the least k for which the mutual information of x_k and x_0, drawn from the target, is "+
					"at most mi; +Inf if there is none",
				func(r *row) any { return movesCell(r.Mixing) }).Answer(),
			moves("burn_in_tv", "burn-in",
				"the least number of moves after which the total variation distance from the target is at "+
					"most tv; +Inf if there is none",
				func(r *row) any { return movesCell(r.BurnIn) }).Answer(),
			moves("mixing_error", "", "the approximate error of the mixing time by rounding",
				func(r *row) any { return r.Mixing.Error }),
			moves("burn_in_error", "", "the approximate error of the burn-in time by rounding",
				func(r *row) any { return r.BurnIn.Error }),
			columns.Stated("mi", "(nats)", "the limit on the mutual information for the mixing time",
				func(r *row) float64 { return r.MI }),
			columns.Of("tv", "", "the limit on the total variation distance for the burn-in time",
				func(r *row) float64 { return r.TV }),
			columns.Note((*row).rowNote),
		},
		columns.List{
			columns.Of("evaluations", "", "the mean number of evaluations of log f in a move",
				func(r *row) float64 { return r.Evaluations }).OrEmpty(),
		},
		SettingColumns(setting, "warmup"),
	)
}

// movesCell returns the cell of a number of moves. It is a float64, since it may be infinite;
// people see all its digits, and "never".
func movesCell(t averages.Time) any {
	switch {
	case math.IsInf(t.Moves, 1):
		return columns.Both{Machine: t.Moves, People: "never"}
	case math.IsNaN(t.Moves):
		return t.Moves
	}
	return columns.Both{Machine: t.Moves, People: fmt.Sprintf("%.0f", t.Moves)}
}

// Tau is the integrated autocorrelation time of a function, in samples: N over the real effective
// sample size in the long run.
type Tau struct {
	Value number.Bounded // NaN if there is none
	Note  string         // the reason why there is none
}

// TauOf returns the integrated autocorrelation time of a variance.
func TauOf(v kernel.Variance) Tau { return Tau{Value: number.Within(v.Autocorrelation, v.Error)} }

// tau returns the integrated autocorrelation time of a function. It fails only if the context ends:
// a chain without such a time, as a reducible one, has a note that says why.
func (p *Problem) tau(ctx context.Context, f *averages.Function) (Tau, error) {
	v, err := p.Chain.Variance(ctx, f)
	switch {
	case ctx.Err() != nil:
		return Tau{}, ctx.Err()
	case err == nil:
		return TauOf(v), nil
	}
	if all, err := Classes(ctx, p.Toy, p.Chain); err != nil {
		return Tau{}, err
	} else if all != "" {
		return Tau{number.Exactly(math.NaN()),
				"the chain never leaves the class of states in which it starts, so tau does not exist; " +
					all},
			nil
	}
	return Tau{number.Exactly(math.NaN()), "no tau: " + err.Error()}, nil
}

// class is a set of states that a chain never leaves.
type class struct {
	states      int
	first       string  // the name of one state
	probability float64 // under the target
}

// Classes describes the classes between which a chain on a toy never moves. It is empty if there is
// only one.
func Classes(ctx context.Context, toy *toys.Toy, chain *averages.Chain) (text string, err error) {
	of, count, err := chain.Classes(ctx)
	if err != nil || count == 1 {
		return "", err
	}
	all := make([]class, count)
	for x, i := range of {
		if i < 0 {
			continue
		}
		c := &all[i]
		if c.states == 0 {
			c.first = toy.State(x)
		}
		c.states++
		c.probability += chain.Target[x]
	}
	slices.SortStableFunc(all, func(a, b class) int { return cmp.Compare(b.probability, a.probability) })
	return named(all), nil
}

// maxNamed is how many classes a note names.
const maxNamed = 4

// named lists classes in words.
func named(all []class) string {
	var list []string
	for _, c := range all[:min(len(all), maxNamed)] {
		what := "state " + c.first
		if c.states > 1 {
			what = fmt.Sprintf("%d states, with %s,", c.states, c.first)
		}
		list = append(list, fmt.Sprintf("%s of probability %.4g", what, c.probability))
	}
	if more := len(all) - maxNamed; more > 0 {
		list = append(list, fmt.Sprintf("%d more", more))
	}
	return fmt.Sprintf("there are %d: %s", len(all), strings.Join(list, "; "))
}
