package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"breadboard/chains/numpy"
	"breadboard/grid"
	"breadboard/grid/longtest"
	"breadboard/toys"
)

// larger writes the target of a toy on classes state by state, and returns its selector.
func larger(t *testing.T, selector string) string {
	t.Helper()
	toy := longtest.Must(longtest.Must(toys.Parse(selector))(t).Larger())(t)
	dir := t.TempDir()
	if l := toy.Lattice(); l != nil {
		path := filepath.Join(dir, "g.npy")
		writeFile(t, path, string(numpy.Floats(toy.G, l.Sides()...)))
		return "file:" + path
	}
	var edges, g strings.Builder
	for x, v := range toy.G {
		fmt.Fprintf(&g, "%s,%v\n", toy.Space.Label(x), v)
		for y := range grid.Neighbours(toy.Space, x) {
			if y > x {
				fmt.Fprintf(&edges, "%s,%s\n", toy.Space.Label(x), toy.Space.Label(y))
			}
		}
	}
	writeFile(t, filepath.Join(dir, "edges.csv"), edges.String())
	writeFile(t, filepath.Join(dir, "g.csv"), g.String())
	return "graph:" + filepath.Join(dir, "edges.csv") + ":" + filepath.Join(dir, "g.csv")
}

// alikeRows fails where a number of two tables differs by more than 1e-12 of its size, or of 1e-3 where it is smaller, and by more than the rows
// themselves allow, in columns that are not left out.
func alikeRows(t *testing.T, got, want []map[string]any, without ...string) {
	t.Helper()
	if len(got) != len(want) || len(got) == 0 {
		t.Fatalf("%d rows and %d", len(got), len(want))
	}
	for i := range got {
		bound, _ := want[i]["error_bound"].(float64)
		for name, w := range want[i] {
			if slices.Contains(without, name) || name == "asymptotic_TB" && w == nil { // the limit is left out on many states
				continue
			}
			a, number := got[i][name].(float64)
			b, too := w.(float64)
			if number != too || number && !(math.Abs(a-b) <= max(bound, 1e-12*max(math.Abs(b), 1e-3))) || !number && got[i][name] != w {
				t.Errorf("row %d, %s: %v on classes, %v state by state", i, name, got[i][name], w)
			}
		}
	}
}

// TestClassesAreTheirStates: every kind of row has the same numbers on classes and state by state.
func TestClassesAreTheirStates(t *testing.T) {
	longtest.NotShort(t)
	for _, c := range []struct{ toy, kernels string }{
		{"curie-weiss:6:1.2:-0.1", "flip heatbath metropolis barker repeat:3:lazy:0.25:flip"},
		{"potts-complete:3:4:3:0.1", "heatbath flip barker"},
		{"potts-colours:3:5:3", "mixture:1*flip+3*heatbath flip"},
		{"weight:6:modes:0.2:0.9:0.5", "flip palindrome:flip+heatbath"},
		{"coins:3:4:2:0.5", "heatbath flip"},
		{"cycles:5:2:3", "metropolis barker"},
	} {
		whole := larger(t, c.toy)
		for i, kernel := range strings.Fields(c.kernels) {
			for _, line := range []string{
				"tightness -T 10,50",
				"tightness -T 20 --schedule sigmoid --path arithmetic --initial tempered:0.2",
				"gap -T 10",
				"weights -T 10",
				"smc -T 10 --particles 1,2,10",
				"subjective -T 10 --reference uniform",
				"schedule compare -T 10 --schedule linear,fisher",
				"samplers errors --function g --start uniform,mode -N 1,4",
			} {
				first := i == 0 && (strings.HasPrefix(c.toy, "curie") || strings.HasPrefix(c.toy, "potts-c"))
				slow := !first || strings.HasPrefix(line, "weights") && !strings.HasPrefix(c.toy, "potts") // laws that are nearly atoms take long to invert
				slow = slow || strings.HasPrefix(line, "subjective") && !strings.HasPrefix(c.toy, "curie")
				few := !longtest.Enabled() || i > 0 && longtest.Times(0, 1) < 2 // -long=2 asks all of all kernels
				if slow && few && line != "tightness -T 10,50" {
					continue
				}
				t.Run(c.toy+" "+kernel+" "+line, func(t *testing.T) {
					args := append(strings.Fields(line), "--kernel", kernel, "--toy")
					alikeRows(t, rowsOf(t, append(args, c.toy)...), rowsOf(t, append(args, whole)...),
						"toy", "note", "method", "rounding", "error_bound", "crooks_residual") // which say how the numbers were found, and how near they are
				})
			}
		}
	}
}

// TestClassesAgainstReference: the numbers of testdata/symmetry.json, which two other programs have computed, with mantissas of 64 bits and with 60 digits. For
// the largest of them there are 2^1000 states. The best schedules are ours: one of these programs had come to schedules whose B is larger, and a third
// program, in 50 digits, finds the B of both schedules as they stand here.
func TestClassesAgainstReference(t *testing.T) {
	longtest.NotShort(t)
	var cases []struct {
		Command string
		Values  map[string]string
	}
	longtest.NoError(t, json.Unmarshal(longtest.Must(os.ReadFile("testdata/symmetry.json"))(t), &cases))
	for i, c := range cases {
		// By default a row of each study and toy is enough, and J and B are asked of all.
		slow := !strings.HasPrefix(c.Command, "tightness") && !strings.HasPrefix(c.Command, "schedule") && i%8 != 0 || strings.Contains(c.Command, "samplers times --toy curie-weiss:1000")
		if slow && !longtest.Enabled() {
			continue
		}
		rows := rowsOf(t, strings.Fields(c.Command)...)
		for name, text := range c.Values {
			got, want := referenceCell(rows, name), longtest.Must(strconv.ParseFloat(text, 64))(t)
			size := math.Abs(want)
			if strings.HasPrefix(name, "mean_log_w") || name == "log_z_ratio" { // differences of numbers of the order of one nat
				size = max(size, 1)
			}
			tolerance := 1e-12 * size
			if name == "spectral_gap" { // the reference has ten digits
				tolerance = 1e-10*size + 1e-14
			}
			if !(math.Abs(got-want) <= tolerance) {
				t.Errorf("breadboard %s: %s is %v, and %v elsewhere", c.Command, name, got, want)
			}
		}
	}
}

// referenceCell returns the number of a name: a column of the first row, the relative efficiency at a number of samples, or a finding at the target.
func referenceCell(rows []map[string]any, name string) float64 {
	for _, r := range rows {
		if v, is := r[name].(float64); is {
			return v
		}
		if n, is := r["N"].(float64); is && strconv.Itoa(int(n)) == name {
			return r["ress_mean"].(float64)
		}
		if r["finding"] == name && r["beta"] == 1.0 {
			return r["value"].(float64)
		}
	}
	return math.NaN()
}

// TestClassesRefuse: what makes no sense is refused with a cure, before anything is computed.
func TestClassesRefuse(t *testing.T) {
	for args, want := range map[string]string{
		"--toy curie-weiss:0:1":                                  "no whole number from 1",
		"--toy curie-weiss:10:nan":                               `"nan" is no number`,
		"--toy curie-weiss:10:1e308":                             "g overflows at 0",
		"--toy curie-weiss:10":                                   "write N:K or N:K:FIELD",
		"--toy curie-weiss:2000000:1":                            "2e+06 classes or more; the limit is 1000000",
		"--toy potts-complete:10:50:1":                           "1.25657e+10 classes or more",
		"--toy potts-complete:1:5:1":                             "1 values; give 2 or more",
		"--toy potts-colours:100:100:1":                          "1.90569e+08 classes or more",
		"--toy coins:2000:2000:1:1":                              "4.004e+06 classes or more",
		"--toy coins:2:2:1:0":                                    "above 0",
		"--toy cycles:100000:1:1":                                "8.33333e+08 classes or more",
		"--toy cycles:5:0:1":                                     "above 0",
		"--toy cycles:5:2:3 --kernel flip":                       "permutations have no axes; take metropolis or barker",
		"--toy weight:5:needle":                                  "is no number",
		"--toy weight:5:modes:0:0.5:0.5":                         "no probability between 0 and 1",
		"--toy weight:5:pspin:1001:1":                            "from 1 to 1000",
		"--toy weight:5:file:":                                   "no path",
		"--toy weight:5:file:missing.csv":                        "file: open missing.csv",
		"--toy weight:5:other:1":                                 "weight:N:needle:A",
		"--toy potts-colours:3:5:1":                              "take flip or heatbath",
		"--toy curie-weiss:10:1 --kernel heatbath-scan":          "classes of states, on which there are metropolis, flip, barker and heatbath",
		"--toy curie-weiss:10:1 --kernel compose:flip+heatbath":  "classes of states",
		"--toy potts-complete:3:4:1 --kernel heatbath --certify": "cannot be certified",
		"--toy curie-weiss:10:1 --initial smoothed:2":            "filtered along the axes of a grid",
		"--toy mixture:1*curie-weiss:10:1+1*weight:9:needle:1":   "the parts of a mixture are on one space",
	} {
		code, stdout, stderr := command(t, append([]string{"tightness", "-T", "3"}, strings.Fields(args)...)...)
		if code != exitBadInput || stdout != "" || !strings.Contains(stderr, want) {
			t.Errorf("%s: exit code %d, %s%s; it should say %q", args, code, stdout, stderr, want)
		}
	}
	for args, want := range map[string]string{"--function x0": "there are g, m, absm", "--function sum": "there are g, m, absm"} {
		code, _, stderr := command(t, append([]string{"samplers", "errors", "--toy", "curie-weiss:10:1", "--kernel", "flip"}, strings.Fields(args)...)...)
		if code != exitBadInput || !strings.Contains(stderr, want) {
			t.Errorf("%s: exit code %d, %s; it should say %q", args, code, stderr, want)
		}
	}
}
