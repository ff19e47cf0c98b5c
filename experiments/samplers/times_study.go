package samplers

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"breadboard/exact/averages"
	"breadboard/experiments"
	"breadboard/experiments/columns"
	"breadboard/experiments/study"
)

// Times declares the study of the mixing and burn-in times of Turner and Neal 2017.
func Times() *study.Study[Problem, TimesOptions, TimesRow] {
	return &study.Study[Problem, TimesOptions, TimesRow]{
		Name: "samplers times",
		Asks: "After how many moves does a chain forget where it began? Mixing and burn-in times",
		Help: `times computes the two times of Turner and Neal (2017, section 4.4), exactly. The mixing time is the least number k of
moves with MI(x_k; x_0) <= 0.01 nats, for x_0 from the target: it is the kernel's alone. The burn-in time is the least k
with TV(law of x_k, target) <= 0.01, for x_0 from the start: it depends on both, and a good start has none.

A chain that is reducible or periodic never forgets: its time is infinite. Where the spectral gap is so small that digits
are lost, a note says how many are left.

With --out it also draws MI and TV against k.`,
		Examples: `  breadboard samplers times
  breadboard samplers times --toy barrier --kernel metropolis,heatbath-scan --start uniform,mode,point:0
  breadboard samplers times --toy easy --mi 0.001 --tv 0.05 --out results`,
		Counts: "times", Workers: "number of chains whose times are computed at once",
		Standard: TimesOptions{MI: Standard, TV: Standard},
		Options: []study.Option[TimesOptions]{
			bound("mi", "bound of the mutual information, in nats", 1e6, func(o *TimesOptions) *float64 { return &o.MI }),
			bound("tv", "bound of the total variation distance", 1-leastBound, func(o *TimesOptions) *float64 { return &o.TV }),
		},
		Columns: timesColumns(), Plan: timesPlan,
		Swept: &study.Swept[Problem, TimesRow]{
			Former: "samplers-times", Parameters: ChainParameters("uniform"), Build: Build, Subject: Subject,
			Note:  func(r *TimesRow) (string, error) { return r.note(), nil },
			Check: timesContradiction, Cost: timesCost,
		},
	}
}

// leastBound is the smallest bound of a sweep.
const leastBound = 1e-12

// bound returns the option of a bound, which in a sweep is at most a largest one.
func bound(name, doc string, most float64, of func(*TimesOptions) *float64) study.Option[TimesOptions] {
	return study.Option[TimesOptions]{
		Name: name, Doc: doc, Value: func(o *TimesOptions) study.Value { return study.Number(of(o)) },
		Swept: &experiments.Parameter{
			Name: name, Doc: "the " + doc, Defaults: experiments.Just(strconv.FormatFloat(Standard, 'g', -1, 64)),
			Number: &experiments.Range{Low: leastBound, High: most, Real: true},
		},
	}
}

// timesContradiction: times are whole numbers, and one that could not be told has a note that says why.
func timesContradiction(k study.Kept) error {
	for _, name := range []string{"mixing", "burn_in"} {
		switch v := k.Get(name); {
		case math.IsNaN(v) && k.Note == "":
			return fmt.Errorf("it has no %s, and no note that says why", name)
		case !math.IsNaN(v) && !math.IsInf(v, 0) && v != math.Trunc(v):
			return fmt.Errorf("its %s is %v, no whole number", name, v)
		}
	}
	return nil
}

// Measured for a space of n states: the seconds of the products of matrices by which a time is found, each n^3.
const (
	productsCost   = 60e-9
	timesStartCost = 1e-3
)

// timesCost estimates what a row takes.
func timesCost(s experiments.Size) experiments.Cost {
	n := float64(s.States)
	return experiments.Cost{Seconds: timesStartCost + productsCost*n*n*n, Bytes: 500 * n * n}
}

// timesColumns lists the columns of the study.
func timesColumns() []columns.Field[TimesRow] {
	type row = TimesRow
	setting := func(r *row) *Setting { return &r.Setting }
	moves := func(name, former, title, meaning string, of func(*row) any) columns.Field[row] {
		c := columns.Column{Name: name, Type: columns.Float, Title: title, Unit: "moves", Narrow: true, Meaning: meaning}
		return columns.Field[row]{Column: c, Kept: &columns.Kept{Former: former, High: math.Inf(1), Missing: true, Shown: title != ""}, Of: of}
	}
	return slices.Concat(
		SettingColumns(setting, "toy", "kernel", "start"),
		[]columns.Field[row]{
			moves("mixing_mi", "mixing", "mixing", "the least k for which the mutual information of x_k and x_0, drawn from the target, is at most mi; +Inf where there is none, and NaN where it could not be found", func(r *row) any { return movesCell(r.Mixing) }),
			moves("burn_in_tv", "burn_in", "burn-in", "the least number of moves after which the total variation distance of the law of a chain with this start from the target is at most tv; +Inf where there is none, and NaN where it could not be found", func(r *row) any { return movesCell(r.BurnIn) }),
			moves("mixing_error", "", "", "about how far rounding may have put the mixing time off", func(r *row) any { return r.Mixing.Error }),
			moves("burn_in_error", "", "", "about how far rounding may have put the burn-in time off", func(r *row) any { return r.BurnIn.Error }),
			{Column: columns.Column{Name: "mi", Type: columns.Float, Unit: "nats", Meaning: "the limit on the mutual information for the mixing time"}, Of: func(r *row) any { return r.MI }},
			{Column: columns.Column{Name: "tv", Type: columns.Float, Meaning: "the limit on the total variation distance for the burn-in time"}, Of: func(r *row) any { return r.TV }},
			{Column: columns.Column{Name: "note", Type: columns.String, Meaning: columns.MeansNote}, Of: func(r *row) any { return r.note() }},
		},
		SettingColumns(setting, "warmup"),
	)
}

// movesCell returns the cell of a number of moves. It is a float64, since it may be infinite; people see all its digits, and "never".
func movesCell(t averages.Time) any {
	if math.IsInf(t.Moves, 1) {
		return columns.Both{Machine: t.Moves, People: "never"}
	}
	return columns.Both{Machine: t.Moves, People: fmt.Sprintf("%.0f", t.Moves)}
}
