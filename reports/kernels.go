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
		{Column: table.Column{Name: "kernel", Title: "kernel"}, Of: func(f *selector.Description) any { return f.Syntax }},
		{Column: table.Column{Name: "reversible", Title: "reversible"}, Of: func(f *selector.Description) any { return f.Reversible }},
		{Column: table.Column{Name: "description", Title: "description"}, Of: func(f *selector.Description) any { return f.Doc }},
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
		{Column: table.Column{Name: "kernel"}, Of: func(r *findingRow) any { return r.kernel }},
		{Column: table.Column{Name: "toy", Title: "toy"}, Of: func(r *findingRow) any { return r.Toy }},
		{Column: table.Column{Name: "beta", Title: "beta"}, Of: func(r *findingRow) any { return orNil(r.Beta) }},
		{Column: table.Column{Name: "finding", Title: "finding"}, Of: func(r *findingRow) any { return r.Name }},
		{Column: table.Column{Name: "value", Title: "value"}, Of: func(r *findingRow) any { return orNil(r.Value) }},
		{Column: table.Column{Name: "bound", Title: "+/-", Digits: 2}, Of: func(r *findingRow) any { return orNil(r.Bound) }},
		{Column: table.Column{Name: "tolerance", Title: "tolerance", Digits: 2}, Of: func(r *findingRow) any { return orNil(r.Tolerance) }},
		{Column: table.Column{Name: "verdict", Title: "verdict"}, Of: func(r *findingRow) any { return string(r.Verdict) }},
		{Column: table.Column{Name: "where", Title: "where"}, Of: func(r *findingRow) any { return r.Where }},
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
