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
	"breadboard/experiments/forms"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// larger writes the target of a toy on classes state by state, and returns its selector.
func larger(t *testing.T, selector string) string {
	t.Helper()
	toy := longtest.Must(longtest.Must(forms.All().Parse(selector))(t).Larger())(t)
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

// alikeRows fails if a number of two tables differs by more than 1e-12 of its size, or of 1e-3 if
// it is smaller, and by more than the rows themselves allow, in columns that are not left out.
func alikeRows(t *testing.T, got, want []map[string]any, without ...string) {
	t.Helper()
	if len(got) != len(want) || len(got) == 0 {
		t.Fatalf("%d rows and %d", len(got), len(want))
	}
	for i := range got {
		bound, _ := want[i]["error_bound"].(float64)
		for name, w := range want[i] {
			if slices.Contains(without, name) || name == "asymptotic_TB" && w == nil {
				// the limit is left out on many states
				continue
			}
			a, number := got[i][name].(float64)
			b, too := w.(float64)
			if number != too || number && !(math.Abs(a-b) <= max(bound, 1e-12*max(math.Abs(b), 1e-3))) ||
				!number && got[i][name] != w {
				t.Errorf("row %d, %s: %v on classes, %v state by state", i, name, got[i][name], w)
			}
		}
	}
}

// TestClassesAreTheirStates: every kind of row has the same numbers on classes and state by state.
func TestClassesAreTheirStates(t *testing.T) {
	longtest.Only(t)
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
				"weights -T 3",
				"smc -T 10 --particles 1,2,10",
				"subjective -T 10 --reference uniform",
				"schedule compare -T 10 --schedule linear,fisher",
				"samplers errors --function g --start uniform,mode -N 1,4",
			} {
				first := i == 0 && (strings.HasPrefix(c.toy, "curie") || strings.HasPrefix(c.toy, "potts-c"))
				// laws that are nearly atoms take long to invert
				slow := !first || strings.HasPrefix(line, "weights") && !strings.HasPrefix(c.toy, "potts")
				slow = slow || strings.HasPrefix(line, "subjective") && !strings.HasPrefix(c.toy, "curie")
				// -long=2 asks all of all kernels
				few := !longtest.More() || i > 0 && longtest.Times(0, 1) < 2
				if slow && few && line != "tightness -T 10,50" {
					continue
				}
				t.Run(c.toy+" "+kernel+" "+line, func(t *testing.T) {
					args := append(strings.Fields(line), "--kernel", kernel, "--time", "9h", "--toy")
					alikeRows(t, rowsOf(t, append(args, c.toy)...), rowsOf(t, append(args, whole)...),
						// which say how the numbers were found, and how near they are
						"toy", "note", "method", "rounding", "error_bound", "crooks_residual")
				})
			}
		}
	}
}

// TestClassesAgainstReference: the numbers of testdata/symmetry.json, which two other programs have
// computed, with mantissas of 64 bits and with 60 digits. For the largest of them there are 2^1000
// states. The best schedules are ours: one of these programs had come to schedules whose B is
// larger, and a third program, in 50 digits, finds the B of both schedules as they stand here.
func TestClassesAgainstReference(t *testing.T) {
	longtest.Only(t)
	var cases []struct {
		Command string
		Values  map[string]string
	}
	longtest.NoError(t, json.Unmarshal(longtest.Must(os.ReadFile("testdata/symmetry.json"))(t), &cases))
	for i, c := range cases {
		// By default a row of each study and toy is enough, and J and B are asked of all.
		slow := !strings.HasPrefix(c.Command, "tightness") &&
			!strings.HasPrefix(c.Command, "schedule") && i%8 != 0 ||
			strings.Contains(c.Command, "samplers times --toy curie-weiss:1000")
		if slow && !longtest.More() {
			continue
		}
		rows := rowsOf(t, strings.Fields(c.Command)...)
		for name, text := range c.Values {
			got, want := referenceCell(rows, name), longtest.Must(strconv.ParseFloat(text, 64))(t)
			size := math.Abs(want)
			if strings.HasPrefix(name, "mean_log_w") || name == "log_z_ratio" {
				// differences of numbers of the order of one nat
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

// referenceCell returns the number of a name: a column of the first row, the relative efficiency at
// a number of samples, or a finding at the target.
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

// classesOf returns the selector of the classes of a toy that a kernel treats alike, with a
// tolerance if it is not empty.
func classesOf(kernel, tolerance, toy string) string {
	proposals := "neighbours:"
	if strings.Contains(kernel, "flip") || strings.Contains(kernel, "heatbath") {
		proposals = "values:"
	}
	if tolerance != "" {
		proposals += tolerance + ":"
	}
	return "quotient:" + proposals + toy
}

// TestQuotientsAreTheirStates: every kind of row has the same numbers on classes and on the states.
func TestQuotientsAreTheirStates(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	for _, c := range []struct {
		toy, kernels string
		long         bool
	}{
		{"barrier", "metropolis lazy:0.5:barker flip heatbath", false},
		{"ising:2x3:0.4", "flip heatbath metropolis mixture:1*barker+2*flip", false},
		{"ising:3x3:0.4:0.1:torus", "repeat:2:flip", true},
		{"potts:3:2x2:0.7", "heatbath flip metropolis", false},
		{"clu4", "heatbath", false},
		{"easy", "metropolis", true},
		{"ising:4x4:0.4406867935097715:torus", "flip", true},
	} {
		if c.long && !longtest.More() {
			continue
		}
		for i, kernel := range strings.Fields(c.kernels) {
			for _, line := range []string{
				"tightness -T 10,50",
				"tightness -T 20 --schedule sigmoid --path arithmetic --initial tempered:0.2",
				"gap -T 10",
				"weights -T 3",
				"smc -T 10 --particles 1,2",
				"aide -T 10",
				"schedule compare -T 10 --schedule linear,fisher",
				"samplers errors --function g --start uniform,mode -N 1,4",
			} {
				large := strings.Contains(c.toy, "4x4")
				slow := i > 0 || (c.toy == "barrier" || c.toy == "clu4") && strings.HasPrefix(line, "weights")
				if (slow && !longtest.More() || large) && line != "tightness -T 10,50" {
					continue
				}
				t.Run(c.toy+" "+kernel+" "+line, func(t *testing.T) {
					args := append(strings.Fields(line), "--kernel", kernel, "--toy")
					alikeRows(t, rowsOf(t, append(args, classesOf(kernel, "", c.toy))...),
						rowsOf(t, append(args, c.toy)...),
						// which say how the numbers were found, and how near they are
						"toy", "note", "method", "rounding", "error_bound", "crooks_residual",
						"sd", // the root of a variance of 1e-4, which is right to 1e-15
						"dominant_mode_mass", "dominant_mode_mass_printed", "J_printed", "B_printed",
						"relative_error_printed", "as_printed")
				})
			}
		}
	}
}

// quadrants writes a 7x7 target of four quadrants of the given g behind walls, in the order of
// their rows.
func quadrants(first, second, third, fourth string) string {
	half := func(left, right string) string {
		return strings.Repeat(left+":", 3) + "-10:" + right + ":" + right + ":" + right
	}
	wall := "-10" + strings.Repeat(":-10", 6)
	rows := []string{half(first, second), half(first, second), half(first, second), wall, half(third, fourth),
		half(third, fourth), half(third, fourth)}
	return "cells:" + strings.Join(rows, "/")
}

// TestQuotientReference: J and B of targets with symmetries, which two other programs have computed
// on orbits of theirs, one in 64-bit mantissas and one in 60 digits. The digits that differ are
// those of float64.
func TestQuotientReference(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	for _, c := range []struct {
		line string // toy, options, and the kernel
		J, B float64
		long bool
	}{
		{"--toy ising:3x3:0.4:torus -T 10 --kernel flip", 1.86363745289625938, 3.42207765072669624, false},
		{"--toy ising:3x5:0.4406867935097715:torus -T 100 --kernel heatbath", 1.10842058868435275,
			3.22559369007331464, false},
		{"--toy ising:4x4:0.4:torus -T 10 --kernel flip", 4.55119003002846005, 6.80727531974288132, true},
		{"--toy ising:4x4:0.4406867935097715:torus -T 1000 --kernel flip", 0.0279735065011108684,
			0.51142334111465642, true},
		{"--toy ising:4x4:0.4:0.05:torus -T 20 --kernel heatbath", 3.97482554218111063,
			6.6995537216642609, true},
		{"--toy ising:4x5:0.4406867935097715:torus -T 100 --kernel flip", 1.90848937241054837,
			4.55769638528079482, true},
		{"--toy ising:5x5:0.3:torus -T 10 --kernel flip", 2.9466599334789929, 4.53343723988010489, true},
		{"--toy ising:5x5:0.4406867935097715:torus -T 100 --kernel flip", 2.98970244408232649,
			6.46024913296023606, true},
		{"--toy " + quadrants("3", "3", "3", "3") + " -T 10 --kernel metropolis",
			0.02084824122950878808922640448441, 0.90087915276515570478216705985959, false},
		{"--toy " + quadrants("3", "3", "3", "3") + " -T 100 --kernel metropolis",
			3.75988168163406389372853502e-8, 0.115022238785475799034017204, false},
		{"--toy " + quadrants("0", "3", "0", "0") + " -T 100 --kernel metropolis",
			1.64786261118823345405584587054679, 1.81043263447226740762038207457816, false},
	} {
		if c.long && !longtest.More() {
			continue
		}
		args := strings.Fields("tightness " + c.line)
		args[2] = classesOf(args[len(args)-1], "", args[2])
		row := rowsOf(t, args...)[0]
		for name, want := range map[string]float64{"J": c.J, "B": c.B} {
			if got := row[name].(float64); math.Abs(got-want) > 1e-12*max(want, 1e-3) {
				t.Errorf("%s: %s is %v, want %v", c.line, name, got, want)
			}
		}
	}
}
