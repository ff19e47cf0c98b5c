package reports

import (
	"errors"

	"breadboard/chains"
	"breadboard/chains/selector"
	"breadboard/experiments/columns"
	"breadboard/experiments/kernelcheck"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// KernelsReport returns the report that lists the kernels of the library.
func KernelsReport(forms []selector.Description) *Report { return newReport("kernels", Kernels(forms)) }

// Kernels returns the table of the library of kernels.
func Kernels(forms []selector.Description) *table.Table {
	return table.New([]table.Field[selector.Description]{
		{Column: table.Column{Name: "kernel", Type: table.String, Title: "kernel", Meaning: columns.MeansKernel}, Of: func(f *selector.Description) any { return f.Syntax }},
		{Column: table.Column{Name: "reversible", Type: table.Bool, Title: "reversible", Meaning: "whether the kernel is reversible"}, Of: func(f *selector.Description) any { return f.Reversible }},
		{Column: table.Column{Name: "description", Type: table.String, Prose: true, Title: "description", Meaning: "what the kernel does"}, Of: func(f *selector.Description) any { return f.Doc }},
	}, forms)
}

// KernelCheckReport returns the report of the examination of a kernel, which is named by its selector: for people a summary and the
// findings that say fault or open, or all of them where the report is made Whole. It has the figure of its
// spectral gap and figures of the states at which it is wrong. It has a Fault where the kernel is wrong.
func KernelCheckReport(selector string, checks []kernelcheck.Row) *Report {
	r := &Report{}
	r.add(Table{
		Name: "kernel_check", Table: KernelCheck(checks), Brief: kernelTable(checks, undecided),
		Summary: func(paint func(string) string) string { return kernelSummary(selector, checks, paint) },
	})
	r.add(Figure{
		Title:   "Spectral gap against the inverse temperature",
		Missing: "no figure of the spectral gap", File: "spectral_gap",
		Draw: func() (*figure.Figure, error) { return GapFigure(checks) },
	})
	wrong := false
	for i := range checks {
		wrong = wrong || checks[i].Wrong()
		// Missing is empty: a right kernel has no defect, and no note is needed about a figure that does not exist.
		r.add(Figure{Title: "What a move changes of the probabilities on " + checks[i].Toy.Name, Draw: func() (*figure.Figure, error) { return DefectFigure(&checks[i]) }})
	}
	if wrong && programsAlone(checks) {
		r.Fault = chains.NewFault(errors.New("the program of the kernel failed, and nothing is known of the kernel itself; see what is said of the program"))
	} else if wrong {
		r.Fault = chains.NewFault(errors.New("the kernel is wrong; see the findings that say fault"))
		if builtIn(checks) {
			r.Fault = chains.NewFault(chains.NewAdvice("the kernel is right at beta 1 and wrong at every other; where it has its target built in, give {beta} 1"))
		}
	} else {
		r.note("%s", kernelcheck.Conclusion(selector, checks))
	}
	for i := range checks {
		if checks[i].Open() {
			r.note("what says open is not decided: no bound is known, or one that is too wide")
			break
		}
	}
	return r
}

// programsAlone reports whether no finding of the checks is about anything but the program of a kernel, such as one that does not start.
func programsAlone(checks []kernelcheck.Row) bool {
	for i := range checks {
		for _, f := range checks[i].Findings {
			if f.Name != kernelcheck.ProgramFinding {
				return false
			}
		}
	}
	return true
}

// findingRow is a finding about a kernel.
type findingRow struct {
	kernel string
	kernelcheck.Finding
}

func findingFields() []table.Field[findingRow] {
	return []table.Field[findingRow]{
		{Column: table.Column{Name: "kernel", Type: table.String, Meaning: columns.MeansKernel}, Of: func(r *findingRow) any { return r.kernel }},
		{Column: table.Column{Name: "toy", Type: table.String, Title: "toy", Meaning: columns.MeansRows}, Of: func(r *findingRow) any { return r.Toy }},
		{Column: table.Column{Name: "beta", Type: table.Float, Title: "beta", Meaning: "the inverse temperature of the distribution; empty where the finding is about all"}, Of: func(r *findingRow) any { return columns.OrEmpty(r.Beta) }},
		{Column: table.Column{Name: "finding", Type: table.String, Labels: "value", Title: "finding", Meaning: "what was looked at, such as invariance or spectral_gap"}, Of: func(r *findingRow) any { return r.Name }},
		{Column: table.Column{Name: "value", Type: table.Float, Title: "value", Meaning: "the number that was found; empty where the finding is none"}, Of: func(r *findingRow) any { return columns.OrEmpty(r.Value) }},
		{Column: table.Column{Name: "bound", Type: table.Float, Spare: 1, Title: "+/-", Digits: 2, Meaning: "how far value may be off; empty where it is exact to rounding"}, Of: func(r *findingRow) any { return columns.OrEmpty(r.Bound) }},
		{Column: table.Column{Name: "tolerance", Type: table.Float, Spare: 1, Title: "tolerance", Digits: 2, Meaning: columns.MeansTolerance}, Of: func(r *findingRow) any { return columns.OrEmpty(r.Tolerance) }},
		{Column: table.Column{Name: "verdict", Type: table.String, Spare: table.Keep, Title: "verdict", Meaning: "pass; fault; open where a bound is missing or too wide to decide; or note where nothing is judged"}, Of: func(r *findingRow) any { return string(r.Verdict) }},
		{Column: table.Column{Name: "where", Type: table.String, Spare: 2, Prose: true, Title: "where", Meaning: columns.MeansWhere}, Of: func(r *findingRow) any { return r.Where }},
	}
}

// undecided reports whether a finding says that a kernel is wrong, or leaves something open.
func undecided(f *kernelcheck.Finding) bool {
	return f.Verdict == kernelcheck.Fault || f.Verdict == kernelcheck.Open
}

// KernelCheck returns the table of findings, one row each.
func KernelCheck(checks []kernelcheck.Row) *table.Table {
	return kernelTable(checks, func(*kernelcheck.Finding) bool { return true })
}

// kernelTable returns the table of those findings that a function chooses.
func kernelTable(checks []kernelcheck.Row, chosen func(*kernelcheck.Finding) bool) *table.Table {
	var rows []findingRow
	for _, k := range checks {
		for i := range k.Findings {
			if chosen(&k.Findings[i]) {
				rows = append(rows, findingRow{k.Kernel, k.Findings[i]})
			}
		}
	}
	return table.New(findingFields(), rows)
}
