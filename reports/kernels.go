package reports

import (
	"errors"

	"breadboard/chains"
	"breadboard/chains/selector"
	"breadboard/experiments/kernelcheck"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// KernelsReport returns the report that lists the kernels of the library.
func KernelsReport(forms []selector.Description) *Report { return newReport("kernels", Kernels(forms)) }

// Kernels returns the table of the library of kernels.
func Kernels(forms []selector.Description) *table.Table {
	return table.New([]table.Field[selector.Description]{
		{Column: table.Column{Name: "kernel", Type: table.String, Title: "kernel", Meaning: meansKernel}, Of: func(f *selector.Description) any { return f.Syntax }},
		{Column: table.Column{Name: "reversible", Type: table.Bool, Title: "reversible", Meaning: "whether the kernel is reversible"}, Of: func(f *selector.Description) any { return f.Reversible }},
		{Column: table.Column{Name: "description", Type: table.String, Title: "description", Meaning: "what the kernel does"}, Of: func(f *selector.Description) any { return f.Doc }},
	}, forms)
}

// KernelCheckReport returns the report of the examination of a kernel, which is named by its selector, with the figure of its
// spectral gap and figures of the states at which it is wrong. It has a Fault where the kernel is wrong.
func KernelCheckReport(selector string, checks []kernelcheck.Row) *Report {
	r := newReport("kernel_check", KernelCheck(checks))
	r.add(Figure{
		Missing: "no figure of the spectral gap", File: "spectral_gap",
		Draw: func() (*figure.Figure, error) { return GapFigure(checks) },
	})
	wrong := false
	for i := range checks {
		wrong = wrong || checks[i].Wrong()
		// Missing is empty: a right kernel has no defect, and no note is needed about a figure that does not exist.
		r.add(Figure{Draw: func() (*figure.Figure, error) { return DefectFigure(&checks[i]) }})
	}
	if wrong {
		r.Fault = chains.NewFault(errors.New("the kernel is wrong; see the findings that say fault"))
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

// findingRow is a finding about a kernel.
type findingRow struct {
	kernel string
	kernelcheck.Finding
}

func findingFields() []table.Field[findingRow] {
	return []table.Field[findingRow]{
		{Column: table.Column{Name: "kernel", Type: table.String, Meaning: meansKernel}, Of: func(r *findingRow) any { return r.kernel }},
		{Column: table.Column{Name: "toy", Type: table.String, Title: "toy", Meaning: meansRows}, Of: func(r *findingRow) any { return r.Toy }},
		{Column: table.Column{Name: "beta", Type: table.Float, Title: "beta", Meaning: "the inverse temperature of the distribution; empty where the finding is about all"}, Of: func(r *findingRow) any { return orNil(r.Beta) }},
		{Column: table.Column{Name: "finding", Type: table.String, Title: "finding", Meaning: "what was looked at, such as invariance or spectral_gap"}, Of: func(r *findingRow) any { return r.Name }},
		{Column: table.Column{Name: "value", Type: table.Float, Title: "value", Meaning: "the number that was found; empty where the finding is none"}, Of: func(r *findingRow) any { return orNil(r.Value) }},
		{Column: table.Column{Name: "bound", Type: table.Float, Title: "+/-", Digits: 2, Meaning: "how far value may be off; empty where it is exact to rounding"}, Of: func(r *findingRow) any { return orNil(r.Bound) }},
		{Column: table.Column{Name: "tolerance", Type: table.Float, Title: "tolerance", Digits: 2, Meaning: meansTolerance}, Of: func(r *findingRow) any { return orNil(r.Tolerance) }},
		{Column: table.Column{Name: "verdict", Type: table.String, Title: "verdict", Meaning: "pass, fault, open where a bound is too wide to decide, or info where nothing is judged"}, Of: func(r *findingRow) any { return string(r.Verdict) }},
		{Column: table.Column{Name: "where", Type: table.String, Title: "where", Meaning: meansWhere}, Of: func(r *findingRow) any { return r.Where }},
	}
}

// KernelCheck returns the table of findings, one row each.
func KernelCheck(checks []kernelcheck.Row) *table.Table {
	var rows []findingRow
	for _, k := range checks {
		for _, f := range k.Findings {
			rows = append(rows, findingRow{k.Kernel, f})
		}
	}
	return table.New(findingFields(), rows)
}
