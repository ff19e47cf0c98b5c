package diagnose

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"breadboard/chains/diagnostics"
	"breadboard/experiments/mcmc/samplers"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/columns"
	"breadboard/reports/table"
)

// Calibrate declares the study of how often diagnostics are wrong.
func Calibrate() *study.Study[samplers.Problem, CalibrateOptions, CalibrateRow] {
	return study.New(CalibrateOptions{Chains: 8, N: []int{1000}, Seed: 1}, calibratePlan, study.Declaration{
		Name: "samplers calibrate",
		Cost: func(s subject.Size) subject.Cost { return s.General }, // of rows
		Asks: "Does ESS agree with the errors of chains, and do diagnostics detect failures?",
		Help: `calibrate compares diagnostics of chains with the errors that they should
predict, for every target, kernel, start, function and N.

ESS is compared with the RESS of the mean, the variance and the distribution:
once from exact expectations, and once from --chains simulated chains. Chains
are good if the RESS of their mean is at least 12. A type I error is an alarm
for good chains, a type II error no alarm for bad ones. No alarm means R-hat
below 1.1 or 1.01, a bulk ESS of 100 a chain, or |z| <= 1.96 in Geweke's test.

See breadboard help mixing.`,
		Examples: `  breadboard samplers calibrate
  breadboard samplers calibrate --toy barrier,hard --kernel heatbath --start target,uniform -N 100,1000
  breadboard samplers calibrate --corpus standard -N 300 --out results`,
		Counts: "settings", Workers: true,
		Options: study.OptionsOf(func(o *CalibrateOptions) []study.Option {
			return []study.Option{
				samplers.SamplesOption(&o.N, nil),
				study.CountOption(paramChains, "", &o.Chains, nil),
				study.SeedOption(&o.Seed, nil),
			}
		}),
		Columns: calibrateColumns(),
		View:    reports.Untyped(calibrateReport),
		About:   samplers.OnCorpus("small", "x0", "g"),
		Tables: func(_ reports.Schema) []reports.Schema {
			return []reports.Schema{
				{Table: samplersCalibrateFile, Of: table.Empty(judgedColumns(1))},
				{Table: samplersCalibrateSharesFile, Of: sharesTable(nil, 1)},
				{Table: samplersCalibratePointsFile, Of: table.Empty(calibrateColumns()), InFile: true},
			}
		},
		Unswept: "it counts the errors of diagnostics over many chains; sweep samplers diagnose for the " +
			"numbers of each",
	})
}

// calibrateColumns lists the columns of the study: the setting, with the diagnostics and RESS that
// the exact expectations and the simulated chains give.
func calibrateColumns() columns.List {
	type row = CalibrateRow
	return slices.Concat(
		samplers.SettingColumns((*row).TheSetting, "toy", "kernel", "start", "function", "N", "warmup"),
		columns.Lift(scoreFields("expected_", "", "exact: "),
			func(r *row) *Scores { return r.Exact }),
		columns.Lift(drawnFields(), func(r *row) *Scores { return r.Simulated }),
	)
}

// drawnFields returns the fields of the scores of simulated chains, which are empty if none were
// simulated.
func drawnFields() columns.List {
	const of = "simulated: "
	return slices.Concat(scoreFields("", "chains_", of), columns.List{
		scoreField("rhat_split", of+"the split R-hat", func(s *Scores) float64 { return s.RHatSplit }),
		scoreField("rhat_rank", of+"the rank-normalised R-hat", func(s *Scores) float64 { return s.RHatRank }),
		scoreField("geweke_median", of+"the median of |z| of Geweke",
			func(s *Scores) float64 { return s.GewekeMedian }),
		scoreField("essd", of+"the ESS deviation of their mean", func(s *Scores) float64 { return s.ESSD }),
	})
}

// scoreFields returns the fields that both kinds of scores have, with what the names of diagnostics
// and of RESS begin with, and what their meanings begin with.
func scoreFields(diagnostic, real, of string) columns.List {
	geweke := "the root mean square of Geweke's score"
	if real != "" {
		geweke = "the largest |z| of Geweke"
	}
	return columns.List{
		scoreField(diagnostic+"ess", of+"ESS of one chain",
			func(s *Scores) float64 { return s.ESS }),
		scoreField(diagnostic+"ess_all", of+"ESS of all chains",
			func(s *Scores) float64 { return s.All }),
		scoreField(diagnostic+"rhat_basic", of+"R-hat", func(s *Scores) float64 { return s.RHat }),
		scoreField(diagnostic+"geweke", of+geweke, func(s *Scores) float64 { return s.Geweke }),
		scoreField(real+"ress_mean", of+"RESS of the mean",
			func(s *Scores) float64 { return s.Mean }),
		scoreField(real+"ress_var", of+"RESS of the variance",
			func(s *Scores) float64 { return s.Variance }),
		scoreField(real+"ress_cvm", of+"RESS of the distribution",
			func(s *Scores) float64 { return s.Distribution }),
		scoreField(real+"ress_ks_low", of+"a lower bound on RESS by the KS distance",
			func(s *Scores) float64 { return s.KSLow }),
		scoreField(real+"ress_ks_high", of+"an upper bound on it", func(s *Scores) float64 { return s.KSHigh }),
	}
}

func scoreField(name, meaning string, of func(*Scores) float64) columns.Field {
	return columns.Of(name, strings.ReplaceAll(name, "_", " "), meaning, of)
}

// Kind is the source of numbers.
type Kind string

const (
	Expected Kind = "exact"     // the exact expectations, and exact RESS
	Drawn    Kind = "simulated" // K simulated chains, and their RESS
)

// Scores returns the numbers of one kind, and nil if there are none.
func (r *CalibrateRow) Scores(k Kind) *Scores {
	if k == Drawn {
		return r.Simulated
	}
	return r.Exact
}

// kinds returns the kinds that rows have.
func kinds(rows []CalibrateRow) []Kind {
	if len(rows) > 0 && rows[0].Simulated != nil {
		return []Kind{Expected, Drawn}
	}
	return []Kind{Expected}
}

// Diagnostic is a usual test of chains, with its limit.
type Diagnostic struct {
	Name  string
	Limit string // the condition for no alarm
	// passes reports whether the diagnostic raises no alarm. NaN raises it.
	passes func(s *Scores, chains int) bool
	// expected says whether the exact expectations have the diagnostic too.
	expected bool
}

// calibrateDiagnostics returns the diagnostics of a kind of numbers with their usual limits; the
// last one is all of them together. The usual limit of R-hat has been 1.1, and is 1.01 today; the
// ESS of all chains should be at least 100 for each.
//
// Sources: Gelman and Rubin 1992; Vehtari et al. 2021; Geweke 1992.
func calibrateDiagnostics(k Kind) []Diagnostic {
	below := func(name string, limit float64, of func(*Scores) float64, expected bool) Diagnostic {
		return Diagnostic{
			name, fmt.Sprintf("< %v", limit), func(s *Scores, _ int) bool { return of(s) < limit }, expected}
	}
	basic := func(s *Scores) float64 { return s.RHat }
	split := func(s *Scores) float64 { return s.RHatSplit }
	rank := func(s *Scores) float64 { return s.RHatRank }
	list := []Diagnostic{
		below("R-hat", diagnostics.LooseRHat, basic, true),
		below("R-hat", diagnostics.StrictRHat, basic, true),
		below("split R-hat", diagnostics.LooseRHat, split, false),
		below("split R-hat", diagnostics.StrictRHat, split, false),
		below("rank R-hat", diagnostics.LooseRHat, rank, false),
		below("rank R-hat", diagnostics.StrictRHat, rank, false),
		{"ESS", ">= 100 K", func(s *Scores, chains int) bool { return s.All >= 100*float64(chains) }, true},
		{"Geweke", "|z| <= 1.96", func(s *Scores, _ int) bool { return s.Geweke <= 1.96 }, true},
	}
	if k == Expected {
		list = slices.DeleteFunc(list, func(d Diagnostic) bool { return !d.expected })
	}
	return append(list, Diagnostic{"all together", "", func(s *Scores, chains int) bool {
		return !slices.ContainsFunc(list, func(d Diagnostic) bool { return !d.passes(s, chains) })
	}, true})
}

// Errors count the errors of a diagnostic. An alarm for good chains is an error of type I, no alarm
// for failing ones an error of type II.
type Errors struct {
	Diagnostic
	Kind          Kind
	Good, Failing int // the settings whose chains are good, and those whose chains fail
	TypeI, TypeII int // the numbers of either with an error
}

// TypeIRate and TypeIIRate return the shares of the settings with an error; NaN if there are none.
func (e *Errors) TypeIRate() float64  { return share(e.TypeI, e.Good) }
func (e *Errors) TypeIIRate() float64 { return share(e.TypeII, e.Failing) }

func share(part, of int) float64 {
	if of == 0 {
		return math.NaN()
	}
	return float64(part) / float64(of)
}

// Judge returns the errors of each diagnostic on rows, for K chains.
func Judge(rows []CalibrateRow, chains int) (out []Errors) {
	for _, k := range kinds(rows) {
		for _, d := range calibrateDiagnostics(k) {
			e := Errors{Diagnostic: d, Kind: k}
			for i := range rows {
				s := rows[i].Scores(k)
				good := s.Mean >= samplers.SuccessRESS
				passes := d.passes(s, chains)
				if good {
					e.Good++
				} else {
					e.Failing++
				}
				switch {
				case good && !passes:
					e.TypeI++
				case !good && passes:
					e.TypeII++
				}
			}
			out = append(out, e)
		}
	}
	return out
}
