package diagnose

import (
	"slices"
	"strings"

	"breadboard/experiments/columns"
	"breadboard/experiments/samplers"
)

// calibrateColumns lists the columns of the study: the setting, with the diagnostics and RESS that the exact expectations and the simulated
// chains give.
func calibrateColumns() []columns.Field[CalibrateRow] {
	type row = CalibrateRow
	return slices.Concat(
		samplers.SettingColumns(func(r *row) *samplers.Setting { return &r.Setting }, "toy", "kernel", "start", "function", "N", "warmup"),
		columns.Lift(scoreFields("expected_", "", "what the exact expectations give: "), func(r *row) *Scores { return r.Exact }),
		columns.Lift(drawnFields(), func(r *row) *Scores { return r.Simulated }),
	)
}

// drawnFields returns the fields of the scores of simulated chains, which are empty where none were simulated.
func drawnFields() []columns.Field[Scores] {
	const of = "of the simulated chains: "
	fields := slices.Concat(scoreFields("", "chains_", of), []columns.Field[Scores]{
		scoreField("rhat_split", of+"the split R-hat", func(s *Scores) float64 { return s.RHatSplit }),
		scoreField("rhat_rank", of+"the rank-normalised R-hat", func(s *Scores) float64 { return s.RHatRank }),
		scoreField("geweke_median", of+"the median of |z| of Geweke", func(s *Scores) float64 { return s.GewekeMedian }),
		scoreField("essd", of+"the ESS deviation of their mean", func(s *Scores) float64 { return s.ESSD }),
	})
	for i := range fields {
		fields[i].Optional = true
	}
	return fields
}

// scoreFields returns the fields that both kinds of scores have, with what the names of diagnostics and of RESS begin with, and
// what their meanings begin with.
func scoreFields(diagnostic, real, of string) []columns.Field[Scores] {
	geweke := "the root mean square of Geweke's score"
	if real != "" {
		geweke = "the largest |z| of Geweke"
	}
	return []columns.Field[Scores]{
		scoreField(diagnostic+"ess", of+"the effective sample size of one chain", func(s *Scores) float64 { return s.ESS }),
		scoreField(diagnostic+"ess_all", of+"the effective sample size of all chains", func(s *Scores) float64 { return s.All }),
		scoreField(diagnostic+"rhat_basic", of+"R-hat", func(s *Scores) float64 { return s.RHat }),
		scoreField(diagnostic+"geweke", of+geweke, func(s *Scores) float64 { return s.Geweke }),
		scoreField(real+"ress_mean", of+"the real effective sample size of the mean", func(s *Scores) float64 { return s.Mean }),
		scoreField(real+"ress_var", of+"the real effective sample size of the variance", func(s *Scores) float64 { return s.Variance }),
		scoreField(real+"ress_cvm", of+"the real effective sample size of the distribution", func(s *Scores) float64 { return s.Distribution }),
	}
}

func scoreField(name, meaning string, of func(*Scores) float64) columns.Field[Scores] {
	return columns.Field[Scores]{
		Column: columns.Column{Name: name, Type: columns.Float, Title: strings.ReplaceAll(name, "_", " "), Meaning: meaning},
		Of:     func(s *Scores) any { return of(s) },
	}
}
