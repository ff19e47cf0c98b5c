package checks

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"breadboard/experiments/kernelcheck"
	"breadboard/experiments/study/check"
	"breadboard/reports/table"
)

// summaryToys is the largest number of toys of which the summary of a kernel has numbers.
const summaryToys = 3

// kernelSummary returns some lines that say what was found of a kernel: the verdict, how it mixes at the largest beta, J of annealing
// with it beside that with the paper's kernel, and whether it is stuck. What is not known of any toy has no line.
func kernelSummary(selector string, checks []kernelcheck.Row, paint func(string) string) string {
	var toys, betas []string
	for i := range checks {
		toys = append(toys, checks[i].Toy.Name)
		for _, beta := range checks[i].Betas {
			if text := table.Shortest(beta); !slices.Contains(betas, text) {
				betas = append(betas, text)
			}
		}
	}
	n := check.Count(kernelFindings(checks))
	text := fmt.Sprintf("%s: kernel %s on %s at beta %s: %d pass, %d fault, %d open\n", paint(string(n.Overall())), selector, firstOf(toys), strings.Join(betas, ", "), n.Pass, n.Fault, n.Open)
	gap, gapKnown := eachToy(checks, "spectral_gap")
	moves, movesKnown := eachToy(checks, "autocorrelation_time_g")
	if gapKnown || movesKnown {
		text += fmt.Sprintf("at the largest beta: spectral gap %s; autocorrelation time of g %s moves\n", gap, moves)
	}
	text += trapped(checks)
	if j, known := eachToy(checks, "J"); known {
		paper, _ := eachToy(checks, "J_metropolis")
		never := ""
		if floor, stuck := eachToy(checks, "J_floor"); stuck {
			never = " (never below " + floor + ", whatever T is)"
		}
		text += fmt.Sprintf("annealing: J %s nats%s, and with the paper's kernel %s\n", j, never, paper)
	}
	return text
}

// trapped is a line about a kernel that leaves the distribution at the largest beta invariant, and whose law does not tend to it from
// every state: some states do not reach each other, or it goes round in cycles. It is about the first such toy, and empty for any other
// kernel.
func trapped(checks []kernelcheck.Row) string {
	for i := range checks {
		for _, f := range checks[i].Findings {
			if f.Name != "irreducible" && f.Name != "period" || f.Value == 1 || f.Beta != slices.Max(checks[i].Betas) {
				continue
			}
			if f.Name == "irreducible" {
				return fmt.Sprintf("there on %s are %s: no chain sees them all\n", checks[i].Toy.Name, f.Where)
			}
			return fmt.Sprintf("there on %s it goes round in cycles of %v moves: the law of its state never settles, though averages over its moves do\n", checks[i].Toy.Name, f.Value)
		}
	}
	return ""
}

// eachToy returns the value of a finding for each toy, that at the largest beta where there are several, and whether it is known of
// any; where it is not, one word says so.
func eachToy(checks []kernelcheck.Row, name string) (text string, known bool) {
	var values []string
	for i := range checks {
		text := "unknown"
		for _, f := range checks[i].Findings {
			if f.Name == name && !math.IsNaN(f.Value) {
				text, known = table.People(f.Value, 3), true
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

// builtIn reports whether a kernel is wrong at every beta but 1, and right there: that of a program which looks at its own target, and not
// at the distribution that it is asked for.
func builtIn(checks []kernelcheck.Row) bool {
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
