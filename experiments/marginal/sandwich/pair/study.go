package pair

import (
	"math"

	"breadboard/chains/number"
	"breadboard/exact"
	"breadboard/experiments/annealing/ais"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/check"
	"breadboard/reports/columns"
	"breadboard/reports/table"
)

// Study declares the study. Its command is that of the sandwich, which reads the log weights.
func Study() *study.Study[subject.Case, Options, Row] {
	return study.New(Options{LogZ: math.NaN()}, plan, study.Declaration{
		Says: columns.Sentence{Text: "log(Z_T/Z_1) is between {lower} and {upper} nats; BAR is {bar}"},
		Name: "sandwich pair",
		Asks: "What do log weights of both directions say, and do they belong together?",
		Behind: &study.Behind{
			Command: "sandwich", Flag: "forward",
		},
		Columns: rowColumns(),
		View:    reports.Untyped(report),
		Tables: func(own reports.Schema) []reports.Schema {
			checks := own
			checks.Table += "_check"
			checks.Of = table.New(findingColumns(), []check.Finding(nil))
			return []reports.Schema{own, checks}
		},
		Unswept: "its log weights come from files",
	})
}

// rowColumns are the columns of the study.
func rowColumns() columns.List {
	estimate := func(name, title, se, meaning string, of func(*Row) ais.Estimate) columns.List {
		return columns.List{
			columns.Estimated(name, title, meaning,
				func(r *Row) float64 { return of(r).Value }).OrEmpty().In("nats").Answer(),
			columns.Estimated(name+"_se", se, "the standard error of "+name,
				func(r *Row) float64 { return of(r).StandardError }).OrEmpty().In("nats").Digits(2),
		}
	}
	exactly := func(name, title, meaning string, of func(exact.Numbers) number.Bounded) columns.Field {
		return columns.Of(name, title, meaning+"; empty without a toy", func(r *Row) number.Bounded {
			if r.Exact == nil {
				return number.Exactly(math.NaN())
			}
			return of(r.Exact.Numbers())
		}).In("nats").Answer()
	}
	list := columns.List{
		columns.Of("forward", "forward", "the number of forward log weights",
			func(r *Row) int { return len(r.Forward) }),
		columns.Of("reverse", "reverse", "the number of reverse log weights",
			func(r *Row) int { return len(r.Reverse) }),
	}
	list = append(list, estimate("lower", "lower", "", "the mean forward log weight",
		func(r *Row) ais.Estimate { return r.Lower })...)
	list = append(list, estimate("upper", "upper", "", "the mean reverse log weight",
		func(r *Row) ais.Estimate { return r.Upper })...)
	list = append(list, estimate("B", "B", "se of B", "upper - lower, a bound on the Jeffreys divergence",
		func(r *Row) ais.Estimate { return r.B })...)
	list = append(list, estimate("bar", "BAR", "se of BAR", "log(Z_T/Z_1) by Bennett's acceptance ratio",
		func(r *Row) ais.Estimate { return r.BAR })...)
	return append(list,
		columns.Of("forward_ess", "ESS forward", "the effective number of forward weights w",
			func(r *Row) float64 { return r.ForwardESS }).OrEmpty().Digits(3),
		columns.Of("reverse_ess", "ESS reverse", "the effective number of reverse weights 1/w",
			func(r *Row) float64 { return r.ReverseESS }).OrEmpty().Digits(3),
		exactly("J", "J", columns.MeansJ, func(n exact.Numbers) number.Bounded { return n.J }),
		exactly("B_exact", "B exactly", "the exact B", func(n exact.Numbers) number.Bounded { return n.B }),
		exactly("log_z_ratio", "log Z_T/Z_1", columns.MeansLogZRatio,
			func(n exact.Numbers) number.Bounded { return n.LogZRatio }).Absolute(),
		columns.Of("verdict", "verdict", "pass, fault or open: that of all findings together",
			func(r *Row) string { return string(check.Count(r.Findings).Overall()) }),
	)
}

// findingColumns are the columns of the check.
func findingColumns() columns.List {
	return check.Columns[check.Finding](onePair, knownZ, lowerMean, upperMean)
}
