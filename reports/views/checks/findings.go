package checks

import (
	"fmt"

	"breadboard/chains"
	"breadboard/experiments/columns"
	"breadboard/experiments/study/check"
	"breadboard/reports"
	"breadboard/reports/table"
)

// addFindings adds the table of the findings of a check. People read a summary and the findings that say fault or open, or all of them
// where the report is made Whole; programs and files get all. The subject says in a few words what was checked.
func addFindings[R check.Result](r *reports.Report, name, subject string, fields []columns.Field[R], findings []R) check.Counts {
	n := check.Count(findings)
	r.Add(reports.Table{
		Name: name, Table: table.New(fields, findings), Brief: table.New(fields, check.Unsettled(findings)),
		Summary: func(paint func(string) string) string {
			return fmt.Sprintf("%s: %s: %v\n", paint(string(n.Overall())), subject, n)
		},
	})
	r.Checked = append(r.Checked, check.Cases(fields, findings)...)
	return n
}

// agreement says how many comparisons agree where none is a fault, and how many are open. They are named in the plural, as "comparisons
// of estimators with their laws", and agree is their verb.
func agreement(n check.Counts, comparisons, agree string) string {
	switch {
	case n.Pass == 0:
		return "nothing was decided: none of the " + comparisons + " could be looked at"
	case n.Open == 1:
		return fmt.Sprintf("%d %s %s, and 1 is open: nothing was compared there, and its row says why", n.Pass, comparisons, agree)
	case n.Open > 0:
		return fmt.Sprintf("%d %s %s, and %d are open: nothing was compared there, and their rows say why", n.Pass, comparisons, agree, n.Open)
	}
	return fmt.Sprintf("all %d %s %s", n.Pass, comparisons, agree)
}

// addPlanted adds the table of planted bugs to the report of a check, where there are any, and says how many of them were caught, and
// what of the rest, all of it harmless, was not. Where the check has misjudged one the report has a Fault, which names it and its setting.
func addPlanted[R check.Result](r *reports.Report, name string, fields []columns.Field[check.Judgement[R]], mutants []check.Judgement[R], rest string) {
	if len(mutants) == 0 {
		return
	}
	r.Add(reports.Table{Name: name, Table: table.New(fields, mutants), Place: reports.BesideResults})
	caught := 0
	for i := range mutants {
		r.Checked = append(r.Checked, check.Case{About: mutants[i].Setting, Finding: mutants[i].Found()})
	}
	for i := range mutants {
		if !mutants[i].Right() {
			r.Fault = chains.NewFault(fmt.Errorf("the check misjudged %q of %s", mutants[i].Mutant, mutants[i].Setting))
			return
		}
		if mutants[i].Caught {
			caught++
		}
	}
	r.Note("all %d planted bugs were caught, and nothing %s", caught, rest)
}
