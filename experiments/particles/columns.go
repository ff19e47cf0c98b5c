package particles

import (
	"math"
	"slices"
	"strings"

	"breadboard/experiments"
	"breadboard/experiments/ais"
	"breadboard/experiments/columns"
)

// fields lists the columns of the study: for machines all, for people those of the exact numbers, or where systems were
// simulated the estimates beside them. Exact numbers without a route are NaN, and missing in a sweep.
func fields() []columns.Field[Row] {
	nats := func(name, title string, spare int, low, high float64, meaning string, of func(*Row) float64) columns.Field[Row] {
		return columns.Number(columns.Column{Name: name, Spare: spare, Title: title, Unit: "nats", Meaning: meaning},
			columns.Kept{Low: low, High: high, Missing: true, Shown: title != ""}, of)
	}
	infinite, largest := math.Inf(1), math.MaxFloat64
	ratio := nats("log_z_ratio", "", 0, -largest, largest, columns.MeansLogZRatio, func(r *Row) float64 { return r.LogZRatio })
	ratio.Kept.Missing = false // it is always known
	of := func(r *Row) *experiments.Case { return &r.Case }
	return slices.Concat(
		experiments.WholeCase(of),
		[]columns.Field[Row]{
			{Column: columns.Column{Name: "particles", Type: columns.Int, Title: "particles", Meaning: "the number P of particles"}, Of: func(r *Row) any { return r.Particles }},
			{Column: columns.Column{Name: "resample", Type: columns.String, Title: "resample", Meaning: "the resampling scheme; never for a threshold of 0"}, Of: func(r *Row) any { return r.Resample() }},
			{Column: columns.Column{Name: "threshold", Type: columns.Float, Spare: 1, Title: "threshold", Meaning: "particles are resampled where their effective sample size is below this share of P; 1 is at every stage, and 0 is never"}, Of: func(r *Row) any { return r.Threshold }},
			nats("J", "J", 0, 0, infinite, "the Jeffreys divergence of the law of the chosen particle from the target; NaN where there is no exact route", func(r *Row) float64 { return r.J }),
			nats("kl_q_p", "", 0, 0, infinite, "KL of the law of the chosen particle from the target", func(r *Row) float64 { return r.KLQP }),
			nats("kl_p_q", "", 0, 0, infinite, "KL of the target from the law of the chosen particle", func(r *Row) float64 { return r.KLPQ }),
			nats("mean_log_z_forward", "E log Z fwd", 2, -infinite, largest, "the mean of log Zhat of runs", func(r *Row) float64 { return r.MeanLogZForward }),
			nats("mean_log_z_conditional", "E log Z cond.", 2, -largest, infinite, "the mean of log Zhat of conditional runs, which hold a draw of the target", func(r *Row) float64 { return r.MeanLogZConditional }),
			nats("B", "B", 0, -infinite, infinite, "the bound on J, which is mean_log_z_conditional - mean_log_z_forward; NaN where there is no exact route", func(r *Row) float64 { return r.B }),
			ratio,
			columns.Number(columns.Column{Name: "relative_variance", Spare: 1, Title: "rel. variance", Meaning: "E[Zhat^2]/Z^2 - 1"}, columns.Kept{Low: -infinite, High: infinite, Missing: true, Shown: true}, func(r *Row) float64 { return r.RelativeVariance }),
			columns.Number(columns.Column{Name: "limit_P_relative_variance", Meaning: "what particles times relative_variance tends to as the number of particles grows"}, columns.Kept{Low: -infinite, High: infinite, Missing: true}, func(r *Row) float64 { return r.Limits.P }),
			columns.Number(columns.Column{Name: "limit_P2_J", Unit: "nats", Meaning: "what particles^2 J tends to as the number of particles grows"}, columns.Kept{Low: -infinite, High: infinite, Missing: true}, func(r *Row) float64 { return r.Limits.P2J }),
			columns.Number(columns.Column{Name: "extinct", Meaning: "the probability that the weights of all particles become zero"}, columns.Kept{High: 1 + 1e-12, Missing: true}, func(r *Row) float64 { return r.Extinct }),
			{Column: columns.Column{Name: "method", Type: columns.String, Spare: 1, Title: "method", Meaning: "how the numbers are known: annealing, pairs, triples, quadruples, counts, integral, enumeration, or none"}, Of: func(r *Row) any { return string(r.Method) }},
			{Column: columns.Column{Name: "note", Type: columns.String, Meaning: columns.MeansNote}, Of: func(r *Row) any { return strings.Join(r.Notes, "; ") }},
		},
		columns.Lift(estimateFields(), func(r *Row) *Estimates { return r.Estimates }))
}

// estimateFields lists the columns of what simulated systems say.
func estimateFields() (fields []columns.Field[Estimates]) {
	add := func(name, short, unit string, of func(*Estimates) ais.Estimate) {
		value := columns.Column{Name: "estimate_" + name, Type: columns.Float, Unit: unit, Narrow: true, Optional: true, Meaning: "what simulated systems give for " + name + "; empty where none were asked for"}
		spread := columns.Column{Name: "standard_error_" + name, Type: columns.Float, Unit: unit, Narrow: true, Optional: true, Digits: 2, Meaning: "the standard error of estimate_" + name}
		if short != "" {
			value.Title, spread.Title = "estimate, "+short, "std. error, "+short
		}
		fields = append(fields,
			columns.Field[Estimates]{Column: value, Of: func(e *Estimates) any { return of(e).Value }},
			columns.Field[Estimates]{Column: spread, Of: func(e *Estimates) any { return of(e).StandardError }})
	}
	add("mean_log_z_forward", "fwd", "nats", func(e *Estimates) ais.Estimate { return e.MeanLogZForward })
	add("mean_log_z_conditional", "cond.", "nats", func(e *Estimates) ais.Estimate { return e.MeanLogZConditional })
	add("B", "", "nats", func(e *Estimates) ais.Estimate { return e.B })
	add("relative_variance", "", "", func(e *Estimates) ais.Estimate { return e.RelativeVariance })
	add("extinct", "", "", func(e *Estimates) ais.Estimate { return e.Extinct })
	return fields
}
