package logweights

import (
	"math"
	"slices"

	"breadboard/exact/weights"
	"breadboard/experiments"
	"breadboard/experiments/columns"
)

// MeansError is the meaning of the columns error_bound.
const MeansError = "how far the numbers of the row that are probabilities or bounds may be off"

// Limits of a probability: it is a sum, of which rounding may leave a little less than nothing or more than one.
const (
	below0 = -1e-12
	above1 = 1 + 1e-12
)

// anything returns how a number is kept that may be any, or missing.
func anything() columns.Kept {
	return columns.Kept{Low: math.Inf(-1), High: math.Inf(1), Missing: true}
}

// spread returns how a standard deviation is kept.
func spread() columns.Kept { return columns.Kept{High: math.Inf(1), Missing: true, Shown: true} }

// lawColumns lists the columns of the study of laws.
func lawColumns() []columns.Field[Row] {
	type row = Row
	infinite := math.Inf(1)
	of := func(r *row) *experiments.Case { return &r.Case }
	resolved := columns.Kept{High: 1}
	frequencies := columns.Kept{High: weights.MaxFrequencies}
	nats := func(name, title string, digits int, meaning string, k columns.Kept, of func(*row) float64) columns.Field[row] {
		return columns.Number(columns.Column{Name: name, Title: title, Unit: "nats", Narrow: title != "", Digits: digits, Meaning: meaning}, k, of)
	}
	cumulant := func(name, unit, meaning string, of func(*row) float64) columns.Field[row] {
		return columns.Number(columns.Column{Name: name, Unit: unit, Meaning: meaning}, anything(), of)
	}
	return slices.Concat(
		experiments.ShortCase(of),
		[]columns.Field[row]{
			nats("mean_forward", "mean fwd", 0, "the mean log weight of forward chains", columns.Kept{Low: -infinite, High: math.MaxFloat64, Shown: true}, func(r *row) float64 { return r.Moments[0].Mean }),
			nats("sd_forward", "sd fwd", 5, "the standard deviation of the log weight of forward chains", spread(), func(r *row) float64 { return math.Sqrt(r.Moments[0].Variance) }),
			nats("mean_reverse", "mean rev", 0, "the mean log weight of reverse chains", columns.Kept{Low: -math.MaxFloat64, High: infinite, Shown: true}, func(r *row) float64 { return r.Moments[1].Mean }),
			nats("sd_reverse", "sd rev", 5, "the standard deviation of the log weight of reverse chains", spread(), func(r *row) float64 { return math.Sqrt(r.Moments[1].Variance) }),
			columns.Number(columns.Column{Name: "p_bhat_below_J", Title: "P(B-hat < J)", Meaning: "the probability that the estimate of B from one pair of chains is below J"},
				columns.Kept{Low: below0, High: above1, Shown: true}, func(r *row) float64 { return r.BelowJ.Value }),
			columns.Number(columns.Column{Name: "p_bhat_below_0", Title: "P(B-hat < 0)", Meaning: "the probability that the estimate of B from one pair of chains is below zero"},
				columns.Kept{Low: below0, High: above1, Shown: true}, func(r *row) float64 { return r.Below0.Value }),
			columns.Number(columns.Column{Name: "ess_fraction", Spare: 1, Title: "ESS", Digits: 4, Meaning: "the effective sample size of forward chains, as a share of their number"},
				columns.Kept{High: above1, Shown: true}, func(r *row) float64 { return r.ESSFraction }),
			{Column: columns.Column{Name: "method", Type: columns.String, Spare: 2, Title: "method", Meaning: "how the law is known"}, Of: func(r *row) any { return string(r.Law.Method) }},
			columns.Number(columns.Column{Name: "error_bound", Title: "error", Digits: 2, Meaning: MeansError}, columns.Kept{High: infinite}, (*row).ErrorBound),
		},
		experiments.RestOfCase(of),
		[]columns.Field[row]{
			nats("J", "", 0, columns.MeansJ, columns.Kept{High: infinite}, func(r *row) float64 { return r.Solution.J }),
			nats("B", "", 0, columns.MeansB, columns.Kept{Low: -infinite, High: infinite}, func(r *row) float64 { return r.Solution.B }),
			nats("log_z_ratio", "", 0, columns.MeansLogZRatio, columns.Kept{Low: -math.MaxFloat64, High: math.MaxFloat64}, func(r *row) float64 { return r.Law.LogZRatio }),
			cumulant("third_cumulant_forward", "nats^3", "the third cumulant of the forward log weight", func(r *row) float64 { return r.Moments[0].Third }),
			cumulant("fourth_cumulant_forward", "nats^4", "the fourth cumulant of the forward log weight", func(r *row) float64 { return r.Moments[0].Fourth }),
			cumulant("third_cumulant_reverse", "nats^3", "the third cumulant of the reverse log weight", func(r *row) float64 { return r.Moments[1].Third }),
			cumulant("fourth_cumulant_reverse", "nats^4", "the fourth cumulant of the reverse log weight", func(r *row) float64 { return r.Moments[1].Fourth }),
			nats("renyi_half", "", 0, "the Rényi divergence of order 1/2 between the laws of the paths", columns.Kept{Low: -infinite, High: infinite}, func(r *row) float64 { return r.RenyiHalf }),
			columns.Number(columns.Column{Name: "p_zero_weight", Meaning: "the probability that a forward weight is zero"}, columns.Kept{High: above1}, func(r *row) float64 { return r.Law.Forward.Zero }),
			columns.Number(columns.Column{Name: "p_infinite_weight", Meaning: "the probability that a reverse weight is infinite"}, columns.Kept{High: above1}, func(r *row) float64 { return r.Law.Reverse.Infinite }),
			columns.Number(columns.Column{Name: "crooks_residual", Meaning: "the largest violation of the relation of Crooks between both laws, relative on a lattice"},
				columns.Kept{High: infinite, Missing: true}, func(r *row) float64 { return r.Law.Crooks }),
			{
				Column: columns.Column{Name: "frequencies", Type: columns.Int, Meaning: "at how many frequencies a characteristic function was computed; 0 for a law on a lattice"},
				Kept:   &frequencies, Of: func(r *row) any { return r.Law.Frequencies },
			},
			{
				Column: columns.Column{Name: "resolved", Type: columns.Bool, Meaning: "whether the characteristic function has died out within the frequencies; in sweeps 1 where it has, and 0 where it has not"},
				Kept:   &resolved, Of: func(r *row) any { return r.Law.Resolved },
			},
		})
}

// sampleColumns lists the columns of the study of many samples: for machines the bounds, for people how far they are from log R.
func sampleColumns() []columns.Field[SampleRow] {
	type row = SampleRow
	of := func(r *row) *experiments.Case { return &r.Case }
	bound := func(name, meaning string, low, high float64, of func(*row) float64) columns.Field[row] {
		return columns.Number(columns.Column{Name: name, Unit: "nats", Meaning: meaning}, columns.Kept{Low: low, High: high, Missing: true}, of)
	}
	distance := func(name, title, meaning string, of func(*row) float64) columns.Field[row] {
		return columns.Number(columns.Column{Name: name, Title: title, Unit: "nats", Bare: true, Meaning: meaning}, columns.Kept{Missing: true, Shown: true, Derived: true}, of)
	}
	return slices.Concat(
		experiments.ShortCase(of),
		[]columns.Field[row]{
			{Column: columns.Column{Name: "K", Type: columns.Int, Title: "K", Meaning: "the number of chains whose weights are averaged"}, Of: func(r *row) any { return r.K }},
			bound("forward_bound", "the mean log of the mean of K forward weights, a lower bound on log_z_ratio", math.Inf(-1), math.MaxFloat64, func(r *row) float64 { return r.Forward }),
			bound("reverse_bound", "the mean log of the harmonic mean of K reverse weights, an upper bound on log_z_ratio", -math.MaxFloat64, math.Inf(1), func(r *row) float64 { return r.Reverse }),
			bound("mixed_bound", "the mean log of the mean of one reverse weight and K - 1 forward weights, an upper bound on log_z_ratio", -math.MaxFloat64, math.Inf(1), func(r *row) float64 { return r.Mixed }),
			columns.Number(columns.Column{Name: "log_z_ratio", Title: "log R", Unit: "nats", Narrow: true, Meaning: columns.MeansLogZRatio},
				columns.Kept{Low: -math.MaxFloat64, High: math.MaxFloat64, Shown: true}, func(r *row) float64 { return r.LogZRatio }),
			distance("forward_below", "forward, below", "how far forward_bound is below log_z_ratio", func(r *row) float64 { return r.LogZRatio - r.Forward }),
			distance("reverse_above", "reverse, above", "how far reverse_bound is above log_z_ratio", func(r *row) float64 { return r.Reverse - r.LogZRatio }),
			distance("mixed_above", "mixed, above", "how far mixed_bound is above log_z_ratio", func(r *row) float64 { return r.Mixed - r.LogZRatio }),
			columns.Number(columns.Column{Name: "error_bound", Title: "error", Unit: "nats", Narrow: true, Digits: 2, Meaning: MeansError}, columns.Kept{High: math.Inf(1)}, func(r *row) float64 { return r.Error }),
		},
		experiments.RestOfCase(of),
		[]columns.Field[row]{
			{Column: columns.Column{Name: "note", Type: columns.String, Meaning: columns.MeansNote}, Of: func(r *row) any { return r.Note }},
		})
}
