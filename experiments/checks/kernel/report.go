package kernel

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/selector"
	"breadboard/experiments/curves"
	"breadboard/experiments/data/show"
	"breadboard/reports"
	"breadboard/reports/check"
	"breadboard/reports/columns"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// KernelsReport returns the report that lists the kernels of the library.
func KernelsReport(forms []selector.Description) *reports.Report {
	return reports.New("kernels", Kernels(forms))
}

// Kernels returns the table of the library of kernels.
func Kernels(forms []selector.Description) *table.Table {
	return table.New(columns.List{
		columns.Of("kernel", "kernel", columns.MeansKernel,
			func(f *selector.Description) string { return f.Syntax }),
		columns.Of("reversible",
			"reversible", "whether the kernel is reversible, if the kernels that it is made of are",
			func(f *selector.Description) bool { return f.Reversible }),
		columns.Of("description", "description", "what the kernel does",
			func(f *selector.Description) string { return f.Doc }).Prose(),
	}, forms)
}

// KernelCheckReport returns the report of the examination of a kernel, which is named by its
// selector: for people a summary and the findings that say fault or open, or all of them if the
// report is made Whole. It has the figure of its spectral gap and figures of the states at which it
// is wrong. It has a Fault if the kernel is wrong.
func KernelCheckReport(selector string, checks []Row) *reports.Report {
	r := &reports.Report{}
	fields := FindingColumns()
	findings := allFindings(checks, func(k *Row) []Finding { return k.Findings })
	r.Add(reports.Table{
		Name:    "kernel_check",
		Table:   table.New(fields, findings),
		Brief:   table.New(check.ReasonFirst(fields), check.Unsettled(findings)),
		Summary: func(paint func(string) string) string { return kernelSummary(selector, checks, paint) },
	})
	r.Checked = check.JUnitCases(fields, findings)
	var gaps [][]any
	for i := range checks {
		for k, gap := range checks[i].SpectralGaps {
			gaps = append(gaps, []any{checks[i].Toy.Name, checks[i].Betas[k], gap})
		}
	}
	plotGaps(r, gaps)
	wrong := false
	instead := ""
	others := []OtherState(nil)
	var apart []string
	for i := range checks {
		k := &checks[i]
		wrong = wrong || k.Wrong()
		cause := k.Cause()
		for j, f := range findings {
			if f.Toy == k.Toy.Name && f.Name != ProgramFinding {
				r.Checked[j].Cause = cause
			}
		}
		if named := k.Other.Named(); named != "" { // who reads rows alone gets it too
			instead = ": what it leaves invariant is " + named
		}
		if k.Other != nil {
			others = append(others, k.Other.States...)
		}
		if f, is := k.Reducible(); is {
			apart = append(apart, fmt.Sprintf("%s at beta %v: %s", k.Toy.Name, f.Beta, f.Where))
		}
		// Missing is empty: a right kernel has no defect, and no note is needed about a figure that
		// does not exist.
		r.Add(curves.Figure("What a move changes of the probabilities on "+k.Toy.Name, "", k, DefectFigure))
	}
	if others != nil {
		r.Add(reports.Table{
			Name:  "invariant",
			Place: reports.BesideResults,
			Table: table.New(OtherColumns(), others),
		})
	}
	says := Conclusion(selector, checks)
	switch {
	case !wrong && Unknown(checks):
		r.Fault = chains.NewFault(errors.New(says))
	case !wrong && check.Faulty(findings):
		r.Fault = chains.NewFault(
			errors.New("the kernel leaves the distributions invariant, and does not join all states: " +
				strings.Join(apart, "; ")),
		)
	case !wrong && apart != nil:
		r.Note("kernel %s leaves the distributions invariant, and does not sample them: no chain leaves "+
			"the class of states in which it begins",
			selector)
	case !wrong && says != "":
		r.NoteAt(reports.WithResults, "%s", says)
	case !wrong: // which the summary says
	case !slices.ContainsFunc(findings, func(f Finding) bool {
		return f.Verdict == check.Fault && f.Name != ProgramFinding
	}):
		r.Fault = chains.NewFault(errs.New(
			"the program of the kernel failed, which is not a verdict on the kernel; see what is said of the program",
		))
	case builtIn(checks):
		r.Fault = chains.NewFault(errs.New(
			"the kernel is right at beta 1 and wrong at every other; if it has its target built in, give {beta} 1",
		))
	default:
		r.Fault = chains.NewFault(errs.New("the kernel is wrong%s; see the findings that say fault", instead))
	}
	if slices.ContainsFunc(checks, func(k Row) bool { return k.Open() }) {
		r.Note("what says open is not decided: no bound is known, or one that is too wide")
	}
	return r
}

// plotGaps adds the figure of spectral gaps against beta on a logarithmic axis. A row has the name
// of its target, beta and the gap.
func plotGaps(r *reports.Report, rows [][]any) {
	const rounding = 1e-15 // a gap that is no larger has no digit
	for _, row := range rows {
		if gap := row[2].(float64); !(gap > rounding) {
			row[2] = nil
		}
	}
	r.Plots(curves.Cells(rows, "target", "beta", "gap"), columns.Plot{
		Name:  "spectral_gap",
		Title: "Spectral gap against the inverse temperature",
		Parts: []columns.Part{{
			X:      "beta",
			XLabel: "inverse temperature beta",
			Y:      []string{"gap"},
			YLabel: "spectral gap",
			YScale: columns.Decades,
		}},
		By:     []string{"target"},
		Joined: true,
	})
}

// smallestDefect is the violation of invariance below which a figure would show nothing but
// rounding.
const smallestDefect = 1e-12

// DefectFigure draws at which states a kernel fails to leave the distribution invariant: (p T)(x) -
// p(x) of every state x, at the beta if this is largest, blue where a state loses mass and red
// where it gains mass. A grid that is no plane is drawn as slices or marginals. It fails on graphs
// that are too large to draw, and if there is no defect.
func DefectFigure(k *Row) (*figure.Figure, error) {
	p, err := show.PictureOf(k.Toy)
	if err != nil {
		return nil, err
	}
	high := 0.0
	for _, v := range k.Defect {
		high = max(high, math.Abs(v))
	}
	if high < smallestDefect {
		return nil, fmt.Errorf("toy %s: no defect to draw", k.Toy.Name)
	}
	f := figure.New(reports.FileName("defect_"+k.Toy.Name), func(s figure.Style) *figure.Sheet {
		m := show.StateMap{
			Toy: k.Toy, Picture: p, Values: k.Defect, Low: -high, High: high,
			At:      func(v float64) float64 { return (v/high + 1) / 2 },
			Color:   s.Diverging(),
			Heading: fmt.Sprintf("%s on %s, beta = %g", k.Kernel, show.RowName(k.Toy), k.DefectBeta),
			Caption: "(pT)(x) - p(x): " + s.DivergingNames() + ". ",
		}
		return m.Sheet()
	})
	f.Mapped = p == show.Cells
	f.Title = fmt.Sprintf("What a move of %s changes of the probability of each state of %s, beta = %g",
		k.Kernel, k.Toy.Name, k.DefectBeta)
	f.Data = &table.Table{Columns: []table.Column{
		{Name: "state", Type: table.String, Title: "state", Meaning: "the state"},
		{
			Name:    "defect",
			Type:    table.Float,
			Title:   "(pT)(x) - p(x)",
			Meaning: "what a move changes of the probability of the state",
		},
	}}
	for x, v := range k.Defect {
		f.Data.Rows = append(f.Data.Rows, []any{k.Toy.State(x), v})
	}
	return f, nil
}

// summaryToys is the largest number of toys of which the summary of a kernel has numbers.
const summaryToys = 3

// kernelSummary returns some lines that say what was found of a kernel: the verdict, how it mixes
// at the largest beta, J of annealing with it beside that with the kernel metropolis. Unless all
// are yes, the answers to the three questions of Answers have a line each. What is not known of any
// toy has no line.
func kernelSummary(selector string, checks []Row, paint func(string) string) string {
	var toys, betas []string
	for i := range checks {
		toys = append(toys, checks[i].Toy.Name)
		for _, beta := range checks[i].Betas {
			if text := table.Shortest(beta); !slices.Contains(betas, text) {
				betas = append(betas, text)
			}
		}
	}
	n := check.Count(allFindings(checks, func(k *Row) []Finding { return k.Findings }))
	verdict := paint(string(n.Overall())) + ": "
	answers := ""
	if list := Answers(checks); slices.ContainsFunc(
		list,
		func(a Answer) bool { return !a.Yes },
	) {
		for _, a := range list {
			answers += a.Asks + " " + a.Says + "\n"
		}
		if n.Overall() == check.Pass {
			verdict = "" // which is not one for all that is asked
		}
	}
	text := fmt.Sprintf("%skernel %s on %s at beta %s: %d pass, %d fault, %d open\n", verdict, selector,
		firstOf(toys), strings.Join(betas, ", "),
		n.Pass, n.Fault, n.Open) + answers
	gap, gapKnown := eachToy(checks, "spectral_gap")
	moves, movesKnown := eachToy(checks, "autocorrelation_time_g")
	if gapKnown || movesKnown {
		text += fmt.Sprintf("at the largest beta: spectral gap %s; autocorrelation time of g %s moves\n", gap, moves)
	}
	if j, known := eachToy(checks, "J"); known {
		metropolis, _ := eachToy(checks, "J_metropolis")
		never := ""
		if floor, stuck := eachToy(checks, "J_floor"); stuck {
			never = " (never below " + floor + ", whatever T is)"
		}
		text += fmt.Sprintf("annealing: J %s nats%s, and with the kernel metropolis %s\n", j, never, metropolis)
	}
	return text
}

// eachToy returns the value of a finding for each toy, that at the largest beta if there are
// several, and whether it is known of any; if it is not, one word says so.
func eachToy(checks []Row, name string) (text string, known bool) {
	var values []string
	for i := range checks {
		text := "unknown"
		for _, f := range checks[i].Findings {
			if f.Name == name && !math.IsNaN(f.Value) {
				text = table.People(f.Value, 3)
				known = true
			}
		}
		if len(checks) > 1 {
			text += " (" + checks[i].Toy.Name + ")"
		}
		values = append(values, text)
	}
	if !known {
		return "unknown", false
	}
	return firstOf(values), known
}

// firstOf lists the first of some texts, and says how many others there are.
func firstOf(list []string) string {
	if others := len(list) - summaryToys; others > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(list[:summaryToys], ", "), others)
	}
	return strings.Join(list, ", ")
}

// builtIn reports whether a kernel is wrong at every beta but 1, and right there: that of a program
// which looks at its own target, and not at the distribution that it is asked for.
func builtIn(checks []Row) bool {
	for i := range checks {
		wrong := map[float64]bool{}
		for _, f := range checks[i].Findings {
			if f.Verdict == check.Fault {
				wrong[f.Beta] = true
			}
		}
		for _, beta := range checks[i].Betas {
			if wrong[beta] == (beta == 1) {
				return false
			}
		}
		if len(checks[i].Betas) < 2 || !slices.Contains(checks[i].Betas, 1) {
			return false
		}
	}
	return len(checks) > 0
}

// allFindings returns the findings of rows, one row after another.
func allFindings[R, F any](rows []R, of func(*R) []F) (all []F) {
	for i := range rows {
		all = append(all, of(&rows[i])...)
	}
	return all
}
