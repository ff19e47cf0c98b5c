package aide

import (
	"math"
	"slices"
	"strings"

	"breadboard/experiments"
	"breadboard/experiments/columns"
)

// fields lists the columns of the study; those of runs of the estimator are empty where a row has none.
func fields() []columns.Field[Row] {
	text := func(name, title, meaning string, of func(*Row) string) columns.Field[Row] {
		return columns.Field[Row]{Column: columns.Column{Name: name, Type: columns.String, Title: title, Meaning: meaning}, Of: func(r *Row) any { return of(r) }}
	}
	count := func(name, meaning string, of func(*Row) int) columns.Field[Row] {
		return columns.Field[Row]{Column: columns.Column{Name: name, Type: columns.Int, Title: strings.ReplaceAll(name, "_", " "), Meaning: meaning}, Of: func(r *Row) any { return of(r) }}
	}
	nats := func(name, title string, digits int, low float64, meaning string, of func(*Row) float64) columns.Field[Row] {
		c := columns.Column{Name: name, Title: title, Unit: "nats", Digits: digits, Meaning: meaning}
		return columns.Number(c, columns.Kept{Low: low, High: math.Inf(1), Missing: true, Shown: title != ""}, of)
	}
	return slices.Concat(
		experiments.WholeCase(func(r *Row) *experiments.Case { return &r.Case }),
		[]columns.Field[Row]{
			text("target", "target", "the algorithm that is judged", func(r *Row) string { return r.Target }),
			text("gold", "gold", "the algorithm that stands for the gold standard", func(r *Row) string { return r.Gold }),
			count("meta", "the number of meta-inference runs for an output of the target algorithm", func(r *Row) int { return r.Meta }),
			count("gold_meta", "the number of meta-inference runs for an output of the gold standard", func(r *Row) int { return r.GoldMeta }),
			nats("J", "J", 0, -checkTolerance, "the Jeffreys divergence of target and gold", func(r *Row) float64 { return r.J }),
			nats("mean", "AIDE", 0, -checkTolerance, "the mean of one estimate of AIDE, which bounds J", func(r *Row) float64 { return r.Mean }),
			nats("sd", "sd", 0, 0, "the standard deviation of one estimate", func(r *Row) float64 { return r.SD }),
			nats("bias", "bias", 4, -checkTolerance, "mean - J", func(r *Row) float64 { return r.Bias }),
			nats("upper_half", "", 0, -checkTolerance, "what the target's traces add to the mean where all are from meta-inference", func(r *Row) float64 { return r.UpperHalf }),
			nats("lower_half", "", 0, -checkTolerance, "what the target's traces add to the mean where the first is from the run itself", func(r *Row) float64 { return r.LowerHalf }),
			nats("kl_q_p_lower", "", 0, math.Inf(-1), "a lower bound on the KL of the target algorithm from the gold standard", func(r *Row) float64 { return r.KLQPLower }),
			nats("kl_q_p_upper", "", 0, -checkTolerance, "an upper bound on the KL of the target algorithm from the gold standard", func(r *Row) float64 { return r.KLQPUpper }),
			nats("kl_p_q_upper", "", 0, -checkTolerance, "an upper bound on the KL of the gold standard from the target algorithm", func(r *Row) float64 { return r.KLPQUpper }),
			text("method", "method", "how the laws of the log weights are known", func(r *Row) string { return r.Method }),
		},
		columns.Lift(ofSample(), func(r *Row) *Sample { return r.Sample }),
		[]columns.Field[Row]{text("note", "", columns.MeansNote, func(r *Row) string { return strings.Join(r.Notes, "; ") })})
}

// ofSample lists the columns of what runs of the estimator say.
func ofSample() []columns.Field[Sample] {
	return []columns.Field[Sample]{
		{Column: columns.Column{Name: "estimate", Type: columns.Float, Title: "estimate", Unit: "nats", Optional: true, Meaning: "the mean of the estimates of runs; empty where none were asked for"}, Of: func(s *Sample) any { return s.Estimate }},
		{Column: columns.Column{Name: "standard_error", Type: columns.Float, Title: "+/-", Unit: "nats", Digits: 2, Optional: true, Meaning: "the standard error of estimate"}, Of: func(s *Sample) any { return s.StandardError }},
		{Column: columns.Column{Name: "z", Type: columns.Float, Title: "z", Digits: 2, Optional: true, Meaning: columns.MeansZ}, Of: func(s *Sample) any { return s.Z }},
	}
}
