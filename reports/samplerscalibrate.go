package reports

import (
	"fmt"
	"slices"
	"strings"

	"breadboard/chains/diagnostics"
	"breadboard/experiments/samplers"
	"breadboard/experiments/samplers/calibrate"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// The names of the tables of the calibration of diagnostics, the first of which its figure has too.
const (
	samplersCalibrate       = "samplers_calibrate"
	samplersCalibrateShares = "samplers_calibrate_shares"
	samplersCalibratePoints = "samplers_calibrate_points"
)

// SamplersCalibrateReport returns the report of what diagnostics foretell of K chains: how often each is wrong, how RESS lies to the region
// in which it would be if the effective sample size were right, and the numbers of every setting, which are for files.
func SamplersCalibrateReport(rows []calibrate.Row, chains int) *Report {
	r := newReport(samplersCalibrate, SamplersCalibrate(calibrate.Judge(rows, chains), chains))
	shares := calibrate.Count(rows, chains)
	r.add(
		Table{Name: samplersCalibrateShares, Place: BesideResults, Table: SamplersCalibrateShares(shares, chains)},
		Table{Name: samplersCalibratePoints, Place: InFile, Table: SamplersCalibratePoints(rows)},
		Figure{Missing: "no figure of calibration", File: samplersCalibrate, Draw: func() (*figure.Figure, error) { return SamplersCalibrateFigure(rows, chains) }},
	)
	for _, line := range samplersCalibrateNotes(rows, chains) {
		r.note("%s", line)
	}
	return r
}

// kindText says of what chains numbers are, as "exact" or "8 simulated".
func kindText(k calibrate.Kind, chains int) string {
	if k == calibrate.Drawn {
		return fmt.Sprintf("%d simulated", chains)
	}
	return string(k)
}

// SamplersCalibrate returns the table of the errors of diagnostics.
func SamplersCalibrate(errors []calibrate.Errors, chains int) *table.Table {
	type row = calibrate.Errors
	return table.New([]table.Field[row]{
		{Column: table.Column{Name: "diagnostic", Title: "diagnostic"}, Of: func(e *row) any { return e.Name }},
		{Column: table.Column{Name: "limit", Title: "limit"}, Of: func(e *row) any { return e.Limit }},
		{Column: table.Column{Name: "chains", Title: "chains"}, Of: func(e *row) any { return kindText(e.Kind, chains) }},
		{Column: table.Column{Name: "good", Title: "good"}, Of: func(e *row) any { return e.Good }},
		{Column: table.Column{Name: "alarms_though_good", Title: "alarms"}, Of: func(e *row) any { return e.TypeI }},
		{Column: table.Column{Name: "type_1", Title: "type I"}, Of: func(e *row) any { return rate(e.TypeIRate(), e.Good) }},
		{Column: table.Column{Name: "failing", Title: "failing"}, Of: func(e *row) any { return e.Failing }},
		{Column: table.Column{Name: "quiet_though_failing", Title: "no alarm"}, Of: func(e *row) any { return e.TypeII }},
		{Column: table.Column{Name: "type_2", Title: "type II"}, Of: func(e *row) any { return rate(e.TypeIIRate(), e.Failing) }},
	}, errors)
}

// rate returns the cell of a share of a number of settings, which is empty where there are none.
func rate(v float64, settings int) any {
	if settings == 0 {
		return nil
	}
	return table.Both{Machine: v, People: percent(v)}
}

// SamplersCalibrateShares returns the table of how RESS lies to the region of Eq. 9.
func SamplersCalibrateShares(shares []calibrate.Shares, chains int) *table.Table {
	type row = calibrate.Shares
	low, high := diagnostics.Region(chains, calibrate.Level)
	return table.New([]table.Field[row]{
		{Column: table.Column{Name: "estimate", Title: "RESS of"}, Of: func(s *row) any { return s.Estimate }},
		{Column: table.Column{Name: "chains", Title: "chains"}, Of: func(s *row) any { return kindText(s.Kind, chains) }},
		{Column: table.Column{Name: "settings", Title: "settings"}, Of: func(s *row) any { return s.Settings() }},
		{Column: table.Column{Name: "region_low"}, Of: func(*row) any { return low }},
		{Column: table.Column{Name: "region_high"}, Of: func(*row) any { return high }},
		{Column: table.Column{Name: "below", Title: "below the region"}, Of: func(s *row) any { return rate(s.BelowRate(), s.Settings()) }},
		{Column: table.Column{Name: "within", Title: "within"}, Of: func(s *row) any { return rate(s.WithinRate(), s.Settings()) }},
		{Column: table.Column{Name: "above", Title: "above"}, Of: func(s *row) any { return rate(s.AboveRate(), s.Settings()) }},
	}, shares)
}

// SamplersCalibratePoints returns the table of the settings, with the diagnostics and RESS that the exact expectations and the simulated
// chains give.
func SamplersCalibratePoints(rows []calibrate.Row) *table.Table {
	fields := slices.Concat(
		samplersFields(func(r *calibrate.Row) *samplers.Setting { return &r.Setting }, "toy", "kernel", "start", "function", "N", "warmup"),
		table.Lift(scoreFields("expected_", ""), func(r *calibrate.Row) *calibrate.Scores { return r.Exact }),
	)
	if slices.Contains(calibrate.Kinds(rows), calibrate.Drawn) {
		drawn := slices.Concat(scoreFields("", "chains_"), []table.Field[calibrate.Scores]{
			scoreField("rhat_split", func(s *calibrate.Scores) float64 { return s.RHatSplit }),
			scoreField("rhat_rank", func(s *calibrate.Scores) float64 { return s.RHatRank }),
			scoreField("geweke_median", func(s *calibrate.Scores) float64 { return s.GewekeMedian }),
			scoreField("essd", func(s *calibrate.Scores) float64 { return s.ESSD }),
		})
		fields = append(fields, table.Lift(drawn, func(r *calibrate.Row) *calibrate.Scores { return r.Simulated })...)
	}
	return table.New(fields, rows)
}

// scoreFields returns the fields that both kinds of scores have, with what the names of diagnostics and of RESS begin with.
func scoreFields(diagnostic, real string) []table.Field[calibrate.Scores] {
	return []table.Field[calibrate.Scores]{
		scoreField(diagnostic+"ess", func(s *calibrate.Scores) float64 { return s.ESS }),
		scoreField(diagnostic+"ess_all", func(s *calibrate.Scores) float64 { return s.All }),
		scoreField(diagnostic+"rhat_basic", func(s *calibrate.Scores) float64 { return s.RHat }),
		scoreField(diagnostic+"geweke", func(s *calibrate.Scores) float64 { return s.Geweke }),
		scoreField(real+"ress_mean", func(s *calibrate.Scores) float64 { return s.Mean }),
		scoreField(real+"ress_var", func(s *calibrate.Scores) float64 { return s.Variance }),
		scoreField(real+"ress_cvm", func(s *calibrate.Scores) float64 { return s.Distribution }),
	}
}

func scoreField(name string, of func(*calibrate.Scores) float64) table.Field[calibrate.Scores] {
	return table.Field[calibrate.Scores]{Column: table.Column{Name: name, Title: strings.ReplaceAll(name, "_", " ")}, Of: func(s *calibrate.Scores) any { return of(s) }}
}

// samplersCalibrateNotes says what the tables show, and what they leave out.
func samplersCalibrateNotes(rows []calibrate.Row, chains int) (lines []string) {
	low, high := diagnostics.Region(chains, calibrate.Level)
	lines = append(lines, fmt.Sprintf("the region is %s to %s times the ESS; of %d chains that are as good as their ESS says, %.3g%% have an RESS below it (Eq. 9)",
		table.People(low, 4), table.People(high, 4), chains, 100*(1-calibrate.Level)/2),
		fmt.Sprintf("chains are good where the RESS of their mean is at least %d", samplers.SuccessRESS))
	for _, s := range calibrate.Count(rows, chains) {
		if s.Settings() < len(rows) {
			lines = append(lines, fmt.Sprintf("%s, %s chains: %d settings without an RESS or an ESS are left out of the shares", s.Estimate, kindText(s.Kind, chains), len(rows)-s.Settings()))
		}
	}
	return lines
}
