package reports

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"breadboard/experiments/kernelcheck"
	"breadboard/reports/table"
)

// summaryToys is the largest number of toys of which the summary of a kernel has numbers.
const summaryToys = 3

// kernelSummary returns the lines that say what was found of a kernel: the verdict, how it mixes at the largest beta, and J of
// annealing with it beside that with the paper's kernel. The last two are there where they are known.
func kernelSummary(selector string, checks []kernelcheck.Row, paint func(string) string) string {
	verdicts := map[kernelcheck.Verdict]int{}
	var toys, betas []string
	for i := range checks {
		toys = append(toys, checks[i].Toy.Name)
		for _, f := range checks[i].Findings {
			verdicts[f.Verdict]++
		}
		for _, beta := range checks[i].Betas {
			if text := table.Shortest(beta); !slices.Contains(betas, text) {
				betas = append(betas, text)
			}
		}
	}
	verdict := string(kernelcheck.Pass)
	switch {
	case verdicts[kernelcheck.Fault] > 0:
		verdict = string(kernelcheck.Fault)
	case verdicts[kernelcheck.Open] > 0:
		verdict = string(kernelcheck.Open)
	}
	summary := fmt.Sprintf("%s: kernel %s on %s at beta %s: %d pass, %d fault, %d open\n", paint(verdict), selector, firstOf(toys), strings.Join(betas, ", "),
		verdicts[kernelcheck.Pass], verdicts[kernelcheck.Fault], verdicts[kernelcheck.Open])
	gap, tau := eachToy(checks, "spectral_gap"), eachToy(checks, "autocorrelation_time_g")
	if gap+tau != "" {
		summary += fmt.Sprintf("at the largest beta: spectral gap %s; autocorrelation time of g %s moves\n", cmp.Or(gap, "unknown"), cmp.Or(tau, "unknown"))
	}
	if J := eachToy(checks, "J"); J != "" {
		summary += fmt.Sprintf("annealing: J %s nats, and with the paper's kernel %s\n", J, cmp.Or(eachToy(checks, "J_metropolis"), "unknown"))
	}
	return summary
}

// eachToy returns the value of a finding for each toy, that at the largest beta where there are several; nothing where it is known for no toy.
func eachToy(checks []kernelcheck.Row, name string) string {
	var values []string
	found := false
	for i := range checks {
		text := "unknown"
		for _, f := range checks[i].Findings {
			if f.Name == name && !math.IsNaN(f.Value) {
				text, found = table.People(f.Value, 3), true
			}
		}
		if len(checks) > 1 {
			text += " (" + checks[i].Toy.Name + ")"
		}
		values = append(values, text)
	}
	if !found {
		return ""
	}
	return firstOf(values)
}

// firstOf lists the first of some texts, and says how many others there are.
func firstOf(list []string) string {
	if others := len(list) - summaryToys; others > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(list[:summaryToys], ", "), others)
	}
	return strings.Join(list, ", ")
}
