package diagnose

import (
	"fmt"
	"math"

	"breadboard/chains/diagnostics"
	"breadboard/experiments/curves"
	"breadboard/experiments/mcmc/samplers"
	"breadboard/reports"
	"breadboard/reports/columns"
	"breadboard/reports/table"
)

// The names of the tables of the calibration of diagnostics. The figure has the first name too.
const (
	samplersCalibrateFile       = "samplers_calibrate"
	samplersCalibrateSharesFile = "samplers_calibrate_shares"
	samplersCalibratePointsFile = "samplers_calibrate_points"
)

// calibrateReport returns the report of the predictions of diagnostics from K chains: how
// often each is wrong, whether RESS is in the region of a correct effective sample size, and the
// numbers of every setting, which are for files.
func calibrateReport(rows []CalibrateRow) *reports.Report {
	chains := rows[0].Chains
	judged := Judge(rows, chains)
	r := reports.New(samplersCalibrateFile, table.New(judgedColumns(chains), judged))
	r.Begin(columns.Sentence{
		Text: "{diagnostic}, {chains} chains: {type_1} of {good} good settings raise an alarm, " +
			"and {type_2} of the failing ones pass",
	}, judgedColumns(chains), judged)
	shares := count(rows, chains)
	r.Add(reports.Table{
		Name:  samplersCalibrateSharesFile,
		Place: reports.BesideResults,
		Table: sharesTable(shares, chains),
	},
		reports.Table{
			Name:  samplersCalibratePointsFile,
			Place: reports.InFile,
			Table: table.New(Calibrate().Declaration.Columns, rows),
		},
	)
	samplersCalibratePlot(r, rows)
	for _, line := range samplersCalibrateNotes(rows, chains) {
		r.Note("%s", line)
	}
	return r
}

// kindText says of what chains numbers are, as "exact" or "8 simulated".
func kindText(k Kind, chains int) string {
	if k == Drawn {
		return fmt.Sprintf("%d simulated", chains)
	}
	return string(k)
}

// judgedColumns returns the columns of the errors of diagnostics.
func judgedColumns(chains int) columns.List {
	type row = Errors
	return columns.List{
		columns.Of("diagnostic", "diagnostic", "the diagnostic whose alarms are counted",
			func(e *row) string { return e.Name }),
		columns.Of("limit", "limit", "what the diagnostic asks of chains", func(e *row) string { return e.Limit }),
		columns.Of("chains", "chains", "the chains: exact expectations, or the number that is simulated",
			func(e *row) string { return kindText(e.Kind, chains) }),
		columns.Of("good", "good",
			"settings whose chains have a RESS of the mean of at least 12",
			func(e *row) int { return e.Good }),
		columns.Of("alarms_though_good", "alarms", "good settings with an alarm",
			func(e *row) int { return e.TypeI }),
		columns.Any("type_1", "type I", columns.Float, "alarms_though_good over good; empty if there are none",
			func(e *row) any { return rate(e.TypeIRate(), e.Good) }).Answer(),
		columns.Of("failing", "failing", "the other settings",
			func(e *row) int { return e.Failing }),
		columns.Of("quiet_though_failing",
			"no alarm", "failing settings without an alarm",
			func(e *row) int { return e.TypeII }),
		columns.Any("type_2", "type II", columns.Float, "quiet_though_failing over failing; empty if there are none",
			func(e *row) any { return rate(e.TypeIIRate(), e.Failing) }).Answer(),
	}
}

// rate returns the cell of a share of a number of settings, which is empty if there are none.
func rate(v float64, settings int) any {
	if settings == 0 {
		return nil
	}
	return table.Both{Machine: v, People: table.Percent(v)}
}

// sharesTable returns the table of the shares of RESS below, in and above the region of
// Eq. 9.
func sharesTable(shares []Shares, chains int) *table.Table {
	type row = Shares
	low, high := diagnostics.Region(chains, level)
	return table.New(columns.List{
		columns.Of("estimate", "RESS of",
			"what the RESS is of: the mean, the variance, or the distribution",
			func(s *row) string { return s.Estimate }),
		columns.Of("chains", "chains", "the chains: exact expectations, or the number that is simulated",
			func(s *row) string { return kindText(s.Kind, chains) }),
		columns.Of("settings", "settings", "the number of settings in which it is known", (*row).Settings),
		columns.Of("region_low", "", "the lower end of the 95% region of Eq. 9, over the ESS",
			func(*row) float64 { return low }),
		columns.Of("region_high", "", "the upper end of the 95% region of Eq. 9, over the ESS",
			func(*row) float64 { return high }),
		columns.Any("below", "below the region", columns.Float,
			"the share of settings below the region",
			func(s *row) any { return rate(s.BelowRate(), s.Settings()) }).Answer(),
		columns.Any("within", "within", columns.Float, "the share within it",
			func(s *row) any { return rate(s.WithinRate(), s.Settings()) }).Answer(),
		columns.Any("above", "above", columns.Float, "the share above it",
			func(s *row) any { return rate(s.AboveRate(), s.Settings()) }).Answer(),
	}, shares)
}

// samplersCalibrateNotes says what the tables show, and what they leave out.
func samplersCalibrateNotes(rows []CalibrateRow, chains int) (lines []string) {
	low, high := diagnostics.Region(chains, level)
	lines = append(lines,
		fmt.Sprintf("the region is %s to %s times the ESS; of %d chains that are as good as their ESS says, "+
			"%.3g%% have an RESS below it (Eq. 9)",
			table.People(low, 4), table.People(high, 4), chains, 100*(1-level)/2),
		fmt.Sprintf("chains are good where the RESS of their mean is at least %d", samplers.SuccessRESS))
	for _, s := range count(rows, chains) {
		if s.Settings() < len(rows) {
			lines = append(lines,
				fmt.Sprintf("%s, %s chains: %d settings without an RESS or an ESS, or with bounds that do not "+
					"decide, are left out of the shares",
					s.Estimate,
					kindText(s.Kind, chains), len(rows)-s.Settings()))
		}
	}
	return lines
}

// samplersCalibratePlot adds the figure of RESS against ESS on logarithmic axes: a row for each
// estimate, with the exact expectations on the left and simulated chains on the right, one colour a
// kernel, the diagonal and the region of Eq. 9. Of bounds on RESS it has the middle.
func samplersCalibratePlot(r *reports.Report, rows []CalibrateRow) {
	low, high := diagnostics.Region(rows[0].Chains, level)
	var cells [][]any
	names := []string{"chains", "kernel", "ESS of a chain", "RESS = ESS", "region_low", "region_high"}
	var estimates []string
	for _, e := range Estimates() {
		estimates = append(estimates, "RESS of "+e.Name)
	}
	for i := range rows {
		for _, k := range kinds(rows) {
			of := "exact"
			scores := rows[i].Scores(k)
			if k == Drawn {
				of = fmt.Sprintf("K = %d simulated chains", rows[0].Chains)
			}
			at := []any{of, rows[i].Kernel, scores.ESS, scores.ESS, low * scores.ESS, high * scores.ESS}
			for _, e := range Estimates() {
				from, to := e.RESS(scores)
				at = append(at, math.Sqrt(from*to))
			}
			cells = append(cells, at)
		}
	}
	t := curves.Cells(cells, append(names, estimates...)...)
	t.Columns[4].Title, t.Columns[5].Title = "95% region", "95% region"
	var parts []columns.Part
	for _, e := range estimates {
		parts = append(parts, columns.Part{
			X:      "ESS of a chain",
			XScale: columns.Decades,
			Y:      []string{e},
			YScale: columns.Decades,
			Level:  []string{"region_low", "region_high", "RESS = ESS"},
		})
	}
	r.Plots(t, columns.Plot{
		Name:   samplersCalibrateFile,
		Title:  "Real effective sample size against what chains say of it",
		Parts:  parts,
		By:     []string{"kernel"},
		Panels: []string{"chains"},
		Dots:   estimates,
	})
}
