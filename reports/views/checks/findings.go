package checks

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains"
	"breadboard/chains/selector"
	"breadboard/experiments"
	"breadboard/experiments/checks/conform/chain"
	"breadboard/experiments/checks/conform/draws"
	"breadboard/experiments/checks/reproduce"
	"breadboard/experiments/columns"
	"breadboard/experiments/marginal/evidence"
	"breadboard/experiments/mcmc/couple"
	"breadboard/experiments/particles/aide"
	"breadboard/experiments/study/check"
	"breadboard/reports"
	"breadboard/reports/table"
)

// addFindings adds the table of the findings of a check. People read a summary and the findings that say fault or open, or all of them
// where the report is made Whole; programs and files get all. The subject says in a few words what was checked.
func addFindings[R check.Result](r *reports.Report, name, subject string, fields columns.List, findings []R) check.Counts {
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

// allFindings returns the findings of rows, one row after another.
func allFindings[R, F any](rows []R, of func(*R) []F) (all []F) {
	for i := range rows {
		all = append(all, of(&rows[i])...)
	}
	return all
}

// conclude gives the report of a check a Fault where a finding says so, and else a note.
func conclude(r *reports.Report, n check.Counts, fault, note string) {
	if n.Fault > 0 {
		r.Fault = chains.NewFault(errors.New(fault))
	} else {
		r.Note("%s", note)
	}
}

// AIDECheckReport returns the report of the identities of an algorithm with its meta-inference. It has a Fault where one does not hold.
func AIDECheckReport(algorithm string, findings []aide.Finding) *reports.Report {
	r := &reports.Report{}
	n := addFindings(r, "aide_check", algorithm+" and its meta-inference", aide.FindingColumns(), findings)
	conclude(r, n, "the algorithm, its xi or its meta-inference is wrong; see the findings that say fault",
		algorithm+" and its meta-inference: "+agreement(n, "identities", "hold"))
	return r
}

// EvidenceCheckReport returns the report that says whether estimators of Z have their exact laws. It has a Fault where one does not.
func EvidenceCheckReport(findings []evidence.Finding) *reports.Report {
	r := &reports.Report{}
	n := addFindings(r, "evidence_check", "estimators of Z and their exact laws", evidence.FindingColumns(), findings)
	conclude(r, n, "an estimator does not have its law, or the law is wrong; see the findings that say fault",
		agreement(n, "comparisons of estimators with their laws", "agree"))
	return r
}

// SandwichAgreementReport returns the report that says whether samplers at full size have the exact laws of their algorithms. It has a
// Fault where one does not.
func SandwichAgreementReport(findings []evidence.Finding) *reports.Report {
	r := &reports.Report{}
	n := addFindings(r, "sandwich_check", "samplers at full size and their exact laws", SandwichAgreementFields(), findings)
	conclude(r, n, "a sampler at full size does not have the exact law of its algorithm, or the law is wrong; see the findings that say fault",
		agreement(n, "comparisons of samplers at full size with their exact laws", "agree"))
	return r
}

// SandwichAgreementFields lists the columns of findings.
func SandwichAgreementFields() columns.List {
	return slices.Concat(
		experiments.CaseColumns((*evidence.Finding).TheCase, "toy"),
		columns.List{
			columns.Of("estimator", "estimator", "the estimator that has the law, as on the command line of breadboard evidence", func(f *evidence.Finding) string { return f.Estimator }),
			columns.Of("settings", "settings", "its setting, such as K=3 or T=10", func(f *evidence.Finding) string { return f.Settings }),
		},
		check.Columns[evidence.Finding]())
}

// CoupleCheckReport returns the report of the check of a coupling of a kernel. It has a Fault where the coupling is wrong.
func CoupleCheckReport(coupling, kernel string, findings []couple.Finding) *reports.Report {
	r := &reports.Report{}
	n := addFindings(r, "couple_check", fmt.Sprintf("coupling %s of kernel %s", coupling, kernel), couple.FindingColumns(), findings)
	fault, note := "the coupling is wrong", "no fault was found, and what says open is not decided; its rows say why"
	if slices.ContainsFunc(findings, func(f couple.Finding) bool { return f.Name == couple.PairMoves && f.Verdict == check.Fault }) {
		fault = "the coupling fails where it should move"
	}
	if n.Open == 0 {
		meet := "all can meet"
		if slices.ContainsFunc(findings, func(f couple.Finding) bool { return f.Name == couple.CanMeet && f.Where != "" }) {
			meet = "all can meet that any coupling of the kernel could bring together; it never brings all states to one, as the rows of " + couple.CanMeet + " say (-v)"
		}
		note = "wherever it was looked at, each chain alone moves by the kernel, chains that have met stay together, and " + meet + sampled(findings)
	}
	conclude(r, n, fault+"; see the findings that say fault", note)
	return r
}

// sampled says what a pass of tests is not, where there were any.
func sampled(findings []couple.Finding) string {
	if slices.ContainsFunc(findings, func(f couple.Finding) bool { return f.Tolerance > 1 }) { // an e-value is held to more than that
		return ", as far as the moves show that were sampled, which is no proof"
	}
	return ""
}

// ConformDrawsReport returns the report of the test of somebody's draws. It has a Fault where they are no independent draws of the law.
func ConformDrawsReport(o *draws.Outcome) *reports.Report {
	r := &reports.Report{}
	what, subject := "independent draws of the law", fmt.Sprintf("%s, %s of %s", o.Source, selector.Count(o.Draws, "draw"), o.Law)
	states := reports.Table{Name: "states", Place: reports.BesideResults, Table: table.New(draws.StateColumns(), o.Worst)}
	if w := o.Weights; w != nil {
		what, subject = "independent draws with weights of the law", fmt.Sprintf("%s with weights, an effective number of %.4g", subject, w.Effective)
		states.Name, states.Table = "weighted_states", table.New(draws.WeightedColumns(), w.States)
	}
	n := addFindings(r, "conform_draws", subject, draws.Columns(), o.Findings)
	r.Add(states)
	conclude(r, n, "these are no "+what+": "+o.Fault, what+", as far as so many show: "+o.Excluded)
	if w := o.Weights; w != nil && n.Open == 0 {
		holds := "every state has one weight, and the verdict depends on no other weights"
		if !math.IsInf(w.Bound, 1) {
			holds = fmt.Sprintf("the verdict holds if no weight can exceed %.4g times their mean, which is less than twice the largest of these", w.Bound)
		}
		r.Note("%s; whether draws depend on those before them is not tested of draws with weights", holds)
	}
	if o.Depend {
		r.Note("draws of a Markov chain depend on those before them: whether they represent the law, and with a kernel whether their moves are right, is answered by breadboard conform chain")
	}
	if n.Open > 0 { // which is no pass
		r.Parts, r.Fault = r.Parts[:len(r.Parts)-1], chains.NewFault(errors.New("undecided: "+o.Excluded))
	}
	return r
}

// nearMiss says of the function whose mean deviates most how far it is from what counts; it is empty where that is far.
func nearMiss(o *chain.Outcome) (says string) {
	most := 0.75
	for i := range o.Findings {
		f := &o.Findings[i]
		if share := f.Value / f.Tolerance; strings.HasPrefix(f.Name, "mean of ") && most < share && share <= 1 {
			most = share
			says = fmt.Sprintf("the %s is %.2g standard errors of its batches off, and more than %.2g would count against the draws: more of them decide", f.Name, f.Value, f.Tolerance)
		}
	}
	return says
}

// ConformChainReport returns the report of the test of somebody's Markov chains. Without a kernel it is never said that there is a fault: it has an error
// where the draws do not represent the target. With one it has a Fault where the moves are wrong, and an error where they are right and the draws do not
// represent the target, if strict.
func ConformChainReport(o *chain.Outcome, strict bool) *reports.Report {
	r := &reports.Report{}
	fields := chain.Columns()
	subject := fmt.Sprintf("%s, %s of %s, %s", o.Source, selector.Count(o.Draws, "draw"), selector.Count(o.Chains, "chain"), o.Toy)
	represents := "no"
	switch {
	case o.Represents:
		represents = "yes, as far as so many show"
	case o.Few:
		represents = "undecided"
	}
	summary := func(paint func(string) string) string {
		text := subject + "\n"
		if o.Kernel != "" {
			text += fmt.Sprintf("are the moves those of %s? %s\n", o.Kernel, paint(string(o.Findings[0].Verdict)))
		}
		return text + "do the draws represent the target? " + represents + "\n"
	}
	r.Add(reports.Table{Name: "conform_chain", Table: table.New(fields, o.Findings), Brief: table.New(fields, check.Unsettled(o.Findings)), Summary: summary})
	r.Checked = check.Cases(fields, o.Findings)
	r.Add(reports.Table{Name: "means", Place: reports.BesideResults, Table: table.New(chain.MeanColumns(), o.Means)})
	few := fmt.Sprintf("undecided whether the draws represent the target: there are %d, and it takes %d", o.Draws, chain.MinDraws)
	notMixed := "the moves are right; the chain has not mixed" + after(": ", o.Mixing) + after("; ", o.Lacks)
	switch {
	case o.Fault != "":
		r.Fault = chains.NewFault(errors.New("fault in the moves: " + o.Fault))
	case o.Open:
		r.Fault = chains.NewFault(errors.New("undecided whether the moves are right: " + o.Excluded))
	case o.Represents:
		r.Note("the draws represent the target, as far as so many show%s%s", after("; ", o.Mixing), after("; what such a chain may show by chance, or where it began: ", o.Lacks))
		if near := nearMiss(o); near != "" {
			r.Note("%s", near)
		}
	case o.Few && o.Lacks == "":
		r.Fault = chains.NewFault(errors.New(few))
	case o.Kernel == "":
		r.Fault = chains.NewFault(errors.New("these draws do not represent the target: " + o.Lacks + "; without the kernel it cannot be told whether the sampler is wrong or has not mixed"))
	case strict:
		r.Fault = chains.NewFault(errors.New(notMixed))
	default:
		r.Note("%s", notMixed)
	}
	if o.Kernel != "" && o.Fault == "" && !o.Open {
		r.Note("moves: %s", o.Excluded)
	}
	return r
}

// after returns a text behind another one, where there is one.
func after(before, text string) string {
	if text == "" {
		return ""
	}
	return before + text
}

// ReproduceReport returns the report of the claims of the papers. It has a Fault where a verdict is not the one that was seen when the claim
// was declared, or where there is none.
func ReproduceReport(rows []reproduce.Row) *reports.Report {
	r := reports.New("reproduce", table.New(reproduce.Columns(), rows))
	if claims := claimsByVerdict(rows); len(rows) > manyClaims {
		r.Parts[0] = reports.Table{Name: "reproduce", Table: table.New(reproduce.Columns(), rows), Summary: func(paint func(string) string) string { return claims }}
	}
	r.Note("%s", verdictCounts(rows))
	var differ []string
	for i := range rows {
		found := rows[i].Found()
		r.Checked = append(r.Checked, check.Case{About: rows[i].Says, Finding: found})
		if found.Verdict == check.Fault {
			r.Note("%s: %s", found.Name, found.Where)
			differ = append(differ, found.Name)
		}
	}
	if len(differ) > 0 {
		r.Fault = chains.NewFault(fmt.Errorf("%d of %d verdicts are not those that were seen when the claims were declared: %s", len(differ), len(rows), strings.Join(differ, ", ")))
	}
	return r
}

// manyClaims is how many claims are too many to look through without a list of them by their verdicts.
const manyClaims = 10

// claimsByVerdict has a paragraph for each verdict, with the claims that have it.
func claimsByVerdict(rows []reproduce.Row) string {
	var b strings.Builder
	for _, v := range append(reproduce.Verdicts(), "") {
		var claims []string
		for from := 0; from < len(rows); from++ {
			to := from
			for to < len(rows) && rows[to].Now == v && (to == from || follows(rows[to-1].ID, rows[to].ID)) {
				to++
			}
			switch to - from {
			case 0:
				continue
			case 1:
				claims = append(claims, rows[from].ID)
			default:
				claims = append(claims, rows[from].ID+" to "+rows[to-1].ID)
			}
			from = to - 1
		}
		if claims != nil {
			fmt.Fprintf(&b, "%s: %s\n", cmp.Or(string(v), "without a verdict"), strings.Join(claims, ", "))
		}
	}
	return b.String() + "\n"
}

// follows reports whether a claim is the next one of the same paper.
func follows(claim, next string) bool {
	paper, number, _ := strings.Cut(claim, "-")
	n, err := strconv.Atoi(number)
	return err == nil && next == fmt.Sprintf("%s-%d", paper, n+1)
}

// verdictCounts says how many claims have each verdict.
func verdictCounts(rows []reproduce.Row) string {
	counts := map[reproduce.Verdict]int{}
	for i := range rows {
		counts[rows[i].Now]++
	}
	var parts []string
	for _, v := range reproduce.Verdicts() {
		if n := counts[v]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, v))
		}
	}
	if n := counts[""]; n > 0 {
		parts = append(parts, fmt.Sprintf("%d without a verdict", n))
	}
	return selector.Count(len(rows), "claim") + ": " + strings.Join(parts, ", ")
}
