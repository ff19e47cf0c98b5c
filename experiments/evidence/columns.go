package evidence

import (
	"math"
	"slices"
	"strings"

	"breadboard/experiments"
	"breadboard/experiments/columns"
)

// fields lists the columns of the study; those of runs are empty where a row has none.
func fields() []columns.Field[Row] {
	text := func(name, title string, spare int, meaning string, of func(*Row) string) columns.Field[Row] {
		return columns.Field[Row]{Column: columns.Column{Name: name, Type: columns.String, Title: title, Spare: spare, Meaning: meaning}, Of: func(r *Row) any { return of(r) }}
	}
	anywhere := columns.Kept{Low: math.Inf(-1), High: math.Inf(1), Missing: true}
	positive := columns.Kept{High: math.Inf(1), Missing: true, Shown: true}
	shown := func(k columns.Kept) columns.Kept { k.Shown = true; return k }
	nats := func(name, title string, digits, spare int, k columns.Kept, meaning string, of func(*Row) float64) columns.Field[Row] {
		return columns.Number(columns.Column{Name: name, Title: title, Unit: "nats", Digits: digits, Spare: spare, Meaning: meaning}, k, of)
	}
	of := func(r *Row) *experiments.Case { return &r.Case }
	return slices.Concat(
		experiments.CaseColumns(of, "toy"),
		[]columns.Field[Row]{
			text("estimator", "estimator", 0, "the estimator, as on the command line in canonical form", func(r *Row) string { return r.Estimator }),
			text("settings", "settings", 0, "the setting that the work pays for, such as K=100 or T=51", func(r *Row) string { return r.Settings }),
			text("combined", "combined", 0, "how many estimates are combined and how, as 25 arithmetic; empty for a single one", (*Row).Combined),
			columns.Number(columns.Column{Name: "work", Title: "work", Digits: 4, Spare: 1, Meaning: "the evaluations of log f and exact draws of all trials together, on average"},
				columns.Kept{Former: "cost", High: math.Inf(1), Missing: true, Shown: true}, func(r *Row) float64 { return r.Work }),
			{Column: columns.Column{Name: "needs_exact_draw", Type: columns.Bool, Spare: 3, Title: "needs exact draw", Meaning: "whether it takes exact draws, of the posterior or of the prior above a likelihood, which nobody has on real data"}, Of: func(r *Row) any { return r.NeedsExactDraw }},
			text("bound", "bound", 3, "lower where E log Zhat is at most log Z on every target, upper where it is at least log Z, none where neither is known", func(r *Row) string { return string(r.Bound) }),
			nats("log_z_ratio", "log Z", 0, 0, columns.Kept{Low: -math.MaxFloat64, High: math.MaxFloat64}, "log Z, which is log(Z_T/Z_1)", func(r *Row) float64 { return r.LogZRatio }),
			nats("mean", "E log Zhat", 0, 0, shown(anywhere), "the mean of log Zhat", func(r *Row) float64 { return r.Mean }),
			nats("bias", "bias", 4, 0, shown(anywhere), "the mean of log Zhat less log_z_ratio", func(r *Row) float64 { return r.Bias }),
			nats("sd", "sd", 4, 0, positive, "the standard deviation of log Zhat", func(r *Row) float64 { return r.SD }),
			nats("rmse", "RMSE", 4, 0, positive, "the root mean squared error of log Zhat", func(r *Row) float64 { return r.RMSE }),
			nats("log_mean_z", "log E Zhat", 0, 2, anywhere, "log E Zhat, of all trials combined", func(r *Row) float64 { return r.LogMeanZ }),
			columns.Number(columns.Column{Name: "p_above_1", Title: "P(> +1)", Digits: 4, Meaning: "P(log Zhat > log Z + 1): the middle of what is known, whose half width note has"},
				columns.Kept{Low: -exactBracket, High: 1 + exactBracket, Missing: true, Shown: true}, func(r *Row) float64 { return r.PAbove1 }),
			text("method", "method", 1, "how the law is known: closed form, transform, annealing, propagation, pairs, starts, or none", func(r *Row) string { return r.Method }),
		},
		columns.Lift(ofSample(), func(r *Row) *Sample { return r.Sample }),
		[]columns.Field[Row]{
			text("error", "", 0, "why there is no exact law; empty where there is one", func(r *Row) string { return r.Error }),
			text("note", "", 0, columns.MeansNote, func(r *Row) string { return strings.Join(slices.Concat(r.Notes, r.NotesAbove), "; ") }),
		}, experiments.CaseColumns(of, "path", "initial", "schedule", "kernel"))
}

// ofSample lists the columns of what runs of an estimator say.
func ofSample() []columns.Field[Sample] {
	return []columns.Field[Sample]{
		{Column: columns.Column{Name: "estimate_mean", Type: columns.Float, Title: "estimate", Unit: "nats", Optional: true, Meaning: "the mean of log Zhat in simulated runs of the estimator; empty where none were asked for"}, Of: func(s *Sample) any { return s.Mean }},
		{Column: columns.Column{Name: "standard_error", Type: columns.Float, Title: "+/-", Unit: "nats", Digits: 2, Optional: true, Meaning: "the standard error of estimate_mean; empty where none were asked for"}, Of: func(s *Sample) any { return s.StandardError }},
		{Column: columns.Column{Name: "z", Type: columns.Float, Title: "z", Digits: 2, Optional: true, Meaning: columns.MeansZ}, Of: func(s *Sample) any { return s.Z }},
	}
}
