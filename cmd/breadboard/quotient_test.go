package main

import (
	"math"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// TestQuotientsAreTheirStates: every kind of row has the same numbers on the classes that --quotient auto finds and on the states.
func TestQuotientsAreTheirStates(t *testing.T) {
	t.Parallel()
	longtest.NotShort(t)
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
		if c.long && !longtest.Enabled() {
			continue
		}
		for i, kernel := range strings.Fields(c.kernels) {
			for _, line := range []string{
				"tightness -T 10,50",
				"tightness -T 20 --schedule sigmoid --path arithmetic --initial tempered:0.2",
				"gap -T 10",
				"weights -T 10",
				"smc -T 10 --particles 1,2",
				"aide -T 10",
				"schedule compare -T 10 --schedule linear,fisher",
				"samplers errors --function g --start uniform,mode -N 1,4",
			} {
				large := strings.Contains(c.toy, "4x4")
				slow := i > 0 || c.toy == "barrier" && strings.HasPrefix(line, "weights")
				if (slow && !longtest.Enabled() || large) && line != "tightness -T 10,50" {
					continue
				}
				t.Run(c.toy+" "+kernel+" "+line, func(t *testing.T) {
					args := append(strings.Fields(line), "--kernel", kernel, "--toy", c.toy)
					alikeRows(t, rowsOf(t, append(args, "--quotient", "auto")...), rowsOf(t, args...),
						"toy", "note", "method", "rounding", "error_bound", "crooks_residual", // which say how the numbers were found, and how near they are
						"sd", // the root of a variance of 1e-4, which is right to 1e-15
						"dominant_mode_mass", "dominant_mode_mass_printed", "J_printed", "B_printed", "relative_error_printed", "as_printed")
				})
			}
		}
	}
}

// quadrants writes a 7x7 target of four quadrants of the given g behind walls, in the order of their rows.
func quadrants(first, second, third, fourth string) string {
	half := func(left, right string) string {
		return strings.Repeat(left+":", 3) + "-10:" + right + ":" + right + ":" + right
	}
	wall := "-10" + strings.Repeat(":-10", 6)
	rows := []string{half(first, second), half(first, second), half(first, second), wall, half(third, fourth), half(third, fourth), half(third, fourth)}
	return "cells:" + strings.Join(rows, "/")
}

// TestQuotientReference: J and B of targets with symmetries, which two other programs have computed on orbits of theirs, one in 64-bit mantissas and
// one in 60 digits. The digits that differ are those of float64.
func TestQuotientReference(t *testing.T) {
	t.Parallel()
	longtest.NotShort(t)
	for _, c := range []struct {
		line string
		J, B float64
		long bool
	}{
		{"--toy ising:3x3:0.4:torus -T 10 --kernel flip", 1.86363745289625938, 3.42207765072669624, false},
		{"--toy ising:3x5:0.4406867935097715:torus -T 100 --kernel heatbath", 1.10842058868435275, 3.22559369007331464, false},
		{"--toy ising:4x4:0.4:torus -T 10 --kernel flip", 4.55119003002846005, 6.80727531974288132, true},
		{"--toy ising:4x4:0.4406867935097715:torus -T 1000 --kernel flip", 0.0279735065011108684, 0.51142334111465642, true},
		{"--toy ising:4x4:0.4:0.05:torus -T 20 --kernel heatbath", 3.97482554218111063, 6.6995537216642609, true},
		{"--toy ising:4x5:0.4406867935097715:torus -T 100 --kernel flip", 1.90848937241054837, 4.55769638528079482, true},
		{"--toy ising:5x5:0.3:torus -T 10 --kernel flip", 2.9466599334789929, 4.53343723988010489, true},
		{"--toy ising:5x5:0.4406867935097715:torus -T 100 --kernel flip", 2.98970244408232649, 6.46024913296023606, true},
		{"--toy " + quadrants("3", "3", "3", "3") + " -T 10 --kernel metropolis", 0.02084824122950878808922640448441, 0.90087915276515570478216705985959, false},
		{"--toy " + quadrants("3", "3", "3", "3") + " -T 100 --kernel metropolis", 3.75988168163406389372853502e-8, 0.115022238785475799034017204, false},
		{"--toy " + quadrants("0", "3", "0", "0") + " -T 100 --kernel metropolis", 1.64786261118823345405584587054679, 1.81043263447226740762038207457816, false},
	} {
		if c.long && !longtest.Enabled() {
			continue
		}
		row := rowsOf(t, append(strings.Fields("tightness --quotient auto"), strings.Fields(c.line)...)...)[0]
		for name, want := range map[string]float64{"J": c.J, "B": c.B} {
			if got := row[name].(float64); math.Abs(got-want) > 1e-12*max(want, 1e-3) {
				t.Errorf("%s: %s is %v, want %v", c.line, name, got, want)
			}
		}
	}
}

// TestQuotientCheck: --check solves the states beside their classes, and says how far the two differ. Classes that a tolerance has made are compared
// without being judged.
func TestQuotientCheck(t *testing.T) {
	t.Parallel()
	longtest.NotShort(t)
	_, stderr := ok(t, strings.Fields("tightness --toy barrier -T 10 --quotient auto --check")...)
	for _, want := range []string{
		"the target of quotient:neighbours:barrier has 2 modes, one around 0,0, that are one mode of its classes: no number says how chains move between them",
		"on the 49 states of barrier the numbers differ by ", "all 17 identities hold",
	} {
		if !strings.Contains(stderr, want) {
			t.Errorf("no %q in %s", want, stderr)
		}
	}
	_, stderr = ok(t, strings.Fields("tightness --toy cells:0:1/1:0.125 -T 10 --quotient auto:0.25 --check")...)
	for _, want := range []string{"differ by up to 0.125 nats, which its classes leave out", "the numbers differ by 0.0", "all 10 identities hold"} {
		if !strings.Contains(stderr, want) {
			t.Errorf("no %q in %s", want, stderr)
		}
	}
}

// TestQuotientRefusals: what classes cannot answer is refused by name, with what to do.
func TestQuotientRefusals(t *testing.T) {
	t.Parallel()
	longtest.NotShort(t)
	for line, want := range map[string]string{
		"tightness --toy barrier --quotient orbits":                                                 "choices: none, auto[:TOL]",
		"tightness --toy barrier --quotient auto:x":                                                 `"x" is no tolerance in nats`,
		"tightness --toy curie-weiss:10:1 --quotient auto":                                          "are classes already",
		"tightness --toy easy --quotient auto --kernel heatbath-scan":                               "without --quotient auto the kernel moves on the states of easy themselves",
		"tightness --toy easy --quotient auto --kernel palindrome:heatbath-axis:0+heatbath-axis:1":  "there are metropolis, flip, barker and heatbath",
		"tightness --toy easy --quotient auto --kernel moore":                                       "there are metropolis, flip, barker and heatbath",
		"tightness --toy easy --quotient auto --kernel compose:flip+heatbath":                       "there are metropolis, flip, barker and heatbath",
		"tightness --toy easy --quotient auto --kernel mixture:1*flip+1*metropolis":                 "not of neighbours",
		"tightness --toy ising:6x6:0.4:torus --quotient auto":                                       "36 axes of two values; give from 1 to 28",
		"tightness --toy ising:2x5:0.4:torus --quotient auto":                                       "they are 3 or more on a torus",
		"export --toy easy --quotient auto -T 10":                                                   "an array takes single states",
		"subjective --toy easy --quotient auto -T 10 --reference fitted:0=1":                        "a fitted reference takes single states",
		`subjective --toy graph:hypercube:3:random:0:0 --quotient auto -T 10 --reference point:000`: "a start at one state of a class that has several takes single states",
		"samplers errors --toy cells:0:1/1:5 --quotient auto --kernel metropolis --function x0":     "it is 0 at 0,1 and 1 at 1,0, which are of one class; without --quotient auto it is a function of the states",
		"samplers errors --toy barrier --quotient auto --kernel flip,metropolis --function g":       "not of neighbours; without --quotient auto",
		"samplers errors --corpus small --quotient auto":                                            "--quotient auto is for --toy",
		"evidence --toy easy --quotient auto --kernel heatbath --estimator chib":                    "the estimator chib takes single states",
		"evidence --toy easy --quotient auto --kernel heatbath --estimator cms":                     "the estimator cms takes single states",
		"evidence --toy easy --quotient auto --kernel heatbath --estimator ns":                      "the estimator ns takes single states",
	} {
		refused(t, nil, map[string][]string{want: strings.Fields(line)})
	}
	refusedWith(t, map[string][]string{"a task takes single states": append(strings.Fields("conform spec --toy easy --quotient auto -T 10 --out"), t.TempDir())})
	_, stderr := ok(t, strings.Fields("samplers times --toy barrier --quotient auto --kernel metropolis")...)
	if !strings.Contains(stderr, "mutual information takes single states") {
		t.Errorf("no note on mutual information in %s", stderr)
	}
}
