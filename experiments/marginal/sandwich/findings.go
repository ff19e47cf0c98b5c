package sandwich

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Findings returns sentences on the rows: data sets without a ground truth, and whether more scans
// of sequential Monte Carlo bring its ends closer together.
func Findings(rows []Row) (findings []string) {
	for _, model := range modelsOf(rows) {
		if i := slices.IndexFunc(rows, func(r Row) bool { return r.Model == model }); rows[i].Forward {
			findings = append(findings,
				model+": these data have no exact draw from the posterior to start reverse chains. "+
					"lower is at most log p(y) on average, by an unknown amount; upper, B and log p(y) "+
					"are not available. "+
					"Data that are simulated and saved with their draw have one")
			continue
		}
		if f := truthFinding(rows, model); f != "" {
			findings = append(findings, f)
		}
		if f := crossedFinding(rows, model); f != "" {
			findings = append(findings, f)
		}
		findings = append(findings, scanFindings(rows, model)...)
	}
	return findings
}

// crossedFinding says where the mean lower end is farthest above the upper one; empty if it is
// nowhere.
func crossedFinding(rows []Row, model string) string {
	var worst *Row
	for i := range rows {
		if r := &rows[i]; r.Model == model && r.Data == 0 && r.B < 0 && (worst == nil || r.B < worst.B) {
			worst = r
		}
	}
	if worst == nil {
		return ""
	}
	setting := fmt.Sprintf("ais with T = %d", worst.T)
	if worst.T == 0 {
		setting = fmt.Sprintf("smc with M = %d", worst.Scans)
	}
	return fmt.Sprintf("%s: lower is above upper for %s, by %.2g with a standard error of %.2g: each end is a bound on "+
		"average, and chance moves both", model, setting, -worst.B, worst.BSE)
}

// modelsOf returns the models of rows, in their order.
func modelsOf(rows []Row) (models []string) {
	for _, r := range rows {
		if len(models) == 0 || models[len(models)-1] != r.Model {
			models = append(models, r.Model)
		}
	}
	return models
}

// truthFinding counts the data sets of a model on which the ends of the longest annealing do not
// agree, and states how T has to grow.
func truthFinding(rows []Row, model string) string {
	longest := 0
	for _, r := range rows {
		if r.Model == model {
			longest = max(longest, r.T)
		}
	}
	sets := 0
	apart := 0
	var widest Row
	for _, r := range rows {
		if r.Model == model && r.T == longest && r.Data > 0 && longest > 0 {
			sets++
			if math.IsNaN(r.LogZ) {
				apart++
				if !(math.Abs(r.B) <= math.Abs(widest.B)) {
					widest = r
				}
			}
		}
	}
	if apart == 0 {
		return ""
	}
	return fmt.Sprintf(
		"%s: on %d of %d data sets the ends at T = %d differ by more than %v nat, by up to %.3g, so that "+
			"there is no ground truth; %s",
		model,
		apart,
		sets,
		longest,
		Agreement,
		math.Abs(widest.B),
		grow(&widest),
	)
}

// Certain is how many standard errors a mean over at least two data sets must be from zero to count
// as different from zero. It is a quantile of Student's t, for one false positive in 100
// comparisons of normal parts. For two data sets it is 63.7, and for four 5.84.
func Certain(datasets int) float64 {
	return distuv.StudentsT{Sigma: 1, Nu: float64(datasets - 1)}.Quantile(0.995)
}

// scanFindings compares B of sequential Monte Carlo between successive numbers of scans, over the
// same data sets.
func scanFindings(rows []Row, model string) (findings []string) {
	byScans := map[int][]Row{}
	var order []int
	for _, r := range rows {
		if r.Model != model || r.Scans < 0 || r.Data == 0 {
			continue
		}
		if byScans[r.Scans] == nil {
			order = append(order, r.Scans)
		}
		byScans[r.Scans] = append(byScans[r.Scans], r)
	}
	for i := 1; i < len(order); i++ {
		before, after := byScans[order[i-1]], byScans[order[i]]
		if len(before) != len(after) || len(after) < 2 {
			continue
		}
		falls := make([]float64, len(after))
		for j := range falls {
			falls[j] = before[j].B - after[j].B
		}
		mean, se := meanError(falls)
		p := 1.0
		if mean != 0 { // of a t-test that the mean is zero
			p = 2 * distuv.StudentsT{Sigma: 1, Nu: float64(len(falls) - 1)}.CDF(-math.Abs(mean)/se)
		}
		verdict := "which is not significant"
		switch limit := se * Certain(len(falls)); {
		case mean > limit:
			verdict = "so that more scans help"
		case mean < -limit:
			verdict = "so that more scans do harm"
		}
		findings = append(findings,
			fmt.Sprintf("%s: from M = %d to M = %d scans after a datum, B of smc falls by %.2g with a standard "+
				"error of %.2g over %d data sets (P = %.2g), %s",
				model, order[i-1], order[i], mean, se, len(falls), p, verdict))
	}
	return findings
}
