package kernel

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/chains/selector"
	"breadboard/experiments/programs"
	"breadboard/reports/check"
	"breadboard/reports/columns"
)

// Finding is one result about a kernel.
type Finding struct {
	Kernel, Toy string
	Beta        float64 // the beta of the distribution; NaN for a finding about a whole annealing
	check.Finding
	// a bound on the error of the value, in its unit; NaN if there is none (see kernel.Diagnosis)
	Bound float64
}

// FindingColumns lists the columns of findings.
func FindingColumns() columns.List {
	found := check.Columns[Finding](names()...)
	found[1] = found[1].Digits(0)
	bound := columns.Of("error_bound", "+/-", "a bound on the error of value; empty if it is exact up to rounding",
		func(f *Finding) float64 { return f.Bound }).OrEmpty().Digits(2)
	return slices.Concat(columns.List{
		columns.Of("kernel", "", columns.MeansKernel, func(f *Finding) string { return f.Kernel }),
		columns.Of("toy", "toy", columns.MeansRows, func(f *Finding) string { return f.Toy }),
		columns.Of("beta", "beta",
			"the inverse temperature of the distribution; empty for a finding about all of them",
			func(f *Finding) float64 { return f.Beta }).OrEmpty(),
	}, found[:2], columns.List{bound}, found[2:])
}

// blame returns the verdict of an error about a kernel: Fault if a check has failed, and Note where
// the error says only that the kernel cannot be examined.
func blame(err error) check.Verdict {
	if _, wrong := errors.AsType[chains.Fault](err); wrong {
		return check.Fault
	}
	return check.Note
}

// failed adds a finding if an error says that the program of the kernel has failed, and reports
// whether it does. That is no verdict on the kernel.
func (k *Row) failed(beta float64, err error) bool {
	_, program := errors.AsType[programs.ProgramError](err)
	if program {
		k.under(beta).addExact(ProgramFinding, math.NaN(), math.NaN(), check.Fault,
			k.Toy.Explain(err).Error())
	}
	return program
}

// broken reports whether the program of the kernel has failed.
func (k *Row) broken() bool {
	return slices.ContainsFunc(k.Findings, func(f Finding) bool { return f.Name == ProgramFinding })
}

// noiseFloor adds a finding with the J that the rounding of a matrix file may cause by itself.
// Rounding may change every probability by half a unit of the last digit, and so each move adds up
// to the sum of (unit/2)^2/p to the divergence of the distribution from p.
func (k *Row) noiseFloor(m *programs.Matrix, p []float64) {
	if m.Rounding == 0 {
		return
	}
	floor := 0.0
	for _, v := range p {
		if v > 0 {
			floor += m.Rounding * m.Rounding / v
		}
	}
	k.under(1).addExact("J_noise_floor", floor, math.NaN(), check.Note,
		fmt.Sprintf("the file's probabilities are rounded to %.1g; a smaller J is only rounding",
			2*m.Rounding))
}

// underBeta is a row to which findings are added about the distribution at a beta; NaN for those
// about a whole annealing.
type underBeta struct {
	*Row
	beta float64
}

func (k *Row) under(beta float64) underBeta { return underBeta{k, beta} }

// addExact adds a finding that is exact to rounding.
func (k underBeta) addExact(name string, value, tolerance float64, v check.Verdict, where string) {
	k.addFinding(check.Finding{Name: name, Value: value, Tolerance: tolerance, Verdict: v, Where: where}, math.NaN())
}

// addNumber adds a number that is no verdict, with what rounding leaves of its digits.
func (k *Row) addNumber(name string, b number.Bounded, where string) {
	if digits := columns.Digits(b); digits != "" {
		where += "; rounding leaves " + digits
	}
	if !b.Known() {
		b.Value = math.NaN()
	}
	k.under(math.NaN()).addExact(name, b.Value, math.NaN(), check.Note, where)
}

// measured adds a finding about a property that is known to within a bound.
func (k underBeta) measured(name string, value, bound float64, v check.Verdict, where string) {
	k.addFinding(check.Finding{Name: name, Value: value, Tolerance: math.NaN(), Verdict: v, Where: where}, bound)
}

func (k underBeta) addFinding(f check.Finding, bound float64) {
	k.Findings = append(k.Findings, Finding{selector.Called(k.Kernel), k.Toy.Name, k.beta, f, bound})
}

// stateName returns the name of a state for messages: its number and coordinates, or its label if
// it has one.
func (k *Row) stateName(x int) string {
	if k.Toy.InWords() {
		return k.Toy.State(x)
	}
	return fmt.Sprintf("%d %v", x, k.Toy.Lattice().Coords(x))
}
