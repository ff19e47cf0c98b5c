package evidence_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"breadboard/experiments/forms"
	"breadboard/experiments/marginal/evidence"
	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
	"breadboard/reports/check"
)

// checkCases returns the cases of a check.
func checkCases(t *testing.T, kernel string, toys ...string) []subject.Case {
	t.Helper()
	return longtest.Must(evidence.AnnealingsOf(context.Background(),
		subject.Selection{Reader: forms.Reader(), Toys: toys, Path: "geometric", Schedule: evidence.DefaultSchedule,
			Kernel: kernel}))(t)
}

// checkOptions returns the options of a check.
func checkOptions(estimators ...string) evidence.CheckOptions {
	return evidence.CheckOptions{Estimators: estimators, Work: []float64{12}}
}

// TestCheckPasses: all estimators have their distributions, with a kernel that is reversible and
// with ones that are not.
func TestCheckPasses(t *testing.T) {
	longtest.Only(t)
	for _, on := range []struct {
		toy, usual string // usual is the one kernel of runs that are not long
		others     []string
	}{
		{"random:1:0:2x2", "suwa-todo", []string{"ns:2:strict", "ns:2:together", "ns:2:together:unbiased",
			"ns:3:label:unbiased", "ns:3:label:exp:last"}},
		{"clu4", "", []string{"smc:prior:1", "shme:prior:1", "shme:posterior:perfect"}},
	} {
		for _, kernel := range []string{"", "metropolis", "suwa-todo"} {
			if !longtest.More() && kernel != on.usual {
				continue
			}
			cases := checkCases(t, kernel, on.toy)
			o := checkOptions(append(on.others, evidence.All)...)
			longtest.NoError(t, o.Validate(context.Background(), cases))
			findings := longtest.Must(evidence.Check(context.Background(), cases, o))(t)
			estimators := map[string]bool{}
			enumerated := map[string]bool{}
			for _, f := range findings {
				if f.Verdict == check.Fault {
					t.Errorf("%s %s %s %s: %s is %g: %s", on.toy, kernel, f.Estimator, f.Settings, f.Name,
						f.Value, f.Where)
				}
				estimators[f.Estimator] = true
				enumerated[f.Estimator] = enumerated[f.Estimator] || f.Name == "enumerated_mean"
			}
			for name := range estimators {
				if !enumerated[name] && !strings.HasPrefix(name, "ns") {
					t.Errorf("%s %s %s: the law is not enumerated", on.toy, kernel, name)
				}
			}
		}
	}
}

// TestCheckOfSteepTargets: if probabilities underflow, or values are so large that a tolerance is
// less than their rounding, no estimator is called wrong, and what enumeration has lost is open.
func TestCheckOfSteepTargets(t *testing.T) {
	longtest.Only(t)
	// a prior with a state that has half of Z, and a probability of exp(-744)
	rare := longtest.File(t, "rare.csv", "0,-744\n0,1\n")
	for _, on := range []struct {
		toy, kernel, initial string
		open                 bool
	}{
		{"cells:0:-720/0:1", "heatbath-scan", "", false},
		{"cells:0:-740/-740:1", "heatbath-scan", "", true},
		{"cells:0:744.5/1:0", "metropolis", "", true},
		{"cells:0:1e4/0:0", "heatbath-scan", "", true},
		{"cells:0:0/0:0", "heatbath-scan", "file:" + rare, true},
	} {
		cases := longtest.Must(
			evidence.AnnealingsOf(t.Context(), subject.Selection{Reader: forms.Reader(),
				Toys: []string{on.toy}, Path: "geometric",
				Schedule: evidence.DefaultSchedule, Kernel: on.kernel, Initial: on.initial}),
		)(t)
		o := checkOptions("lw", "hme", "hme:chain", "ais", "rais", "chib", "chib:chain", "cms", "cms:first")
		open := false
		for _, f := range longtest.Must(evidence.Check(t.Context(), cases, o))(t) {
			open = open || f.Verdict == check.Open
			if f.Verdict == check.Fault {
				t.Errorf("%s %s %s %s: %s is %g: %s", on.toy, on.initial, f.Estimator, f.Settings, f.Name,
					f.Value, f.Where)
			}
		}
		if open != on.open {
			t.Errorf("%s %s: some finding is open: %v, want %v", on.toy, on.initial, open, on.open)
		}
	}
}

// TestCheckIsTheSameForAnyWorkers: the findings do not depend on who makes them.
func TestCheckIsTheSameForAnyWorkers(t *testing.T) {
	longtest.Only(t)
	cases := checkCases(t, "", "random:1:0:2x2")
	var first []evidence.Finding
	for _, workers := range []int{1, 3} {
		o := checkOptions("lw", "cms", "ais")
		o.Workers = workers
		findings := longtest.Must(evidence.Check(context.Background(), cases, o))(t)
		if first == nil {
			first = findings
		}
		for i, f := range findings {
			if math.Float64bits(f.Value) != math.Float64bits(first[i].Value) || f.Name != first[i].Name {
				t.Errorf("%d workers: %s %s is %v, and %v with one", workers, f.Estimator, f.Name, f.Value,
					first[i].Value)
			}
		}
	}
}

// TestCheckRefuses options that are none.
func TestCheckRefuses(t *testing.T) {
	cases := checkCases(t, "", "random:1:0:2x2")
	for want, change := range map[string]func(*evidence.CheckOptions){
		"did you mean l":  func(o *evidence.CheckOptions) { o.Estimators = []string{"lx"} },
		"sequential data": func(o *evidence.CheckOptions) { o.Estimators = []string{"smc"} },
		"estimator smc:":  func(o *evidence.CheckOptions) { o.Estimators = []string{"lw", "smc"} },
	} {
		o := checkOptions("lw")
		change(&o)
		longtest.Refused(t, o.Validate(context.Background(), cases), want)
	}
}

// TestColumns: a finding says of which estimator with which settings it is.
func TestColumns(t *testing.T) {
	f := evidence.Finding{
		Case:      checkCases(t, "", "clu4")[0],
		Estimator: "lw",
		Settings:  "K=2",
		Finding:   check.Held("mean", 2, 1, "here"),
	}
	var cells []any
	for _, column := range evidence.FindingColumns()[5:] {
		cells = append(cells, column.Of(&f))
	}
	if want := []any{"lw", "K=2", "mean", 2., 1., "fault", "here"}; !slices.Equal(cells, want) {
		t.Errorf("%v, want %v", cells, want)
	}
}
