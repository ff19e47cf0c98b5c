package samplers

import (
	"fmt"
	"math"
	"slices"

	"breadboard/exact/averages"
	"breadboard/experiments/columns"
)

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
