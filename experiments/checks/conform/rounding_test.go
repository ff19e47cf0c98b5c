package conform

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"breadboard/chains"
	"breadboard/experiments/checks/conform/hypotheses"
	"breadboard/experiments/draws"
	"breadboard/experiments/draws/files"
	"breadboard/experiments/internal/casetest"
	"breadboard/grid/longtest"
)

// asText writes chains as CSV, with log weights and increments in a format, and returns a source
// that reads it.
func asText(t *testing.T, l *Laws, b *draws.Batch, c draws.Columns, format string) draws.Source {
	t.Helper()
	var head []string
	var cells []func(row int) string
	add := func(has bool, name, format string, value func(row int) any) {
		if has {
			head, cells = append(head, name),
				append(cells, func(row int) string { return fmt.Sprintf(format, value(row)) })
		}
	}
	add(true, "log_w", format, func(row int) any { return b.LogW[row] })
	add(true, "x_first", "%d", func(row int) any { return b.XFirst[row] })
	add(true, "x_last", "%d", func(row int) any { return b.XLast[row] })
	for k, column := range b.Path {
		add(c.Path, fmt.Sprintf("x_%d", k+1), "%d", func(row int) any { return column[row] })
	}
	for k, column := range b.Increments {
		add(c.Increments, fmt.Sprintf("increment_%d", k+2), format, func(row int) any { return column[row] })
	}
	out := strings.Join(head, ",") + "\n"
	for row := range b.Rows {
		line := make([]string, len(cells))
		for i, cell := range cells {
			line[i] = cell(row)
		}
		out += strings.Join(line, ",") + "\n"
	}
	return longtest.Sure(files.NewStream(
		context.Background(),
		"text",
		strings.NewReader(out),
		files.Options{Space: l.task.Space()},
	))
}

// asSingle returns a source of chains in single precision.
func asSingle(_ *testing.T, _ *Laws, b *draws.Batch, c draws.Columns, _ string) draws.Source {
	b = aCopy(b)
	for _, column := range append([][]float64{b.LogW}, b.Increments...) {
		for i, v := range column {
			column[i] = float64(float32(v))
		}
	}
	s := source(b, c)
	s.precision = draws.Precision{Bits: 24}
	return s
}

// TestRounded: log weights and increments with few digits give no false alarm, with log Z_1 or
// without, and bugs are named all the same.
func TestRounded(t *testing.T) {
	longtest.Only(t)
	l := smallLaws(t)
	n := longtest.Times(3000, 5000)
	for _, format := range []string{"%.6f", "%.3f", "%g", "%.6g", "float32"} {
		if !longtest.More() && (format == "%g" || format == "%.6f") {
			continue
		}
		written := asText
		if format == "float32" {
			written = asSingle
		}
		for _, d := range directions {
			right := drawn(t, l.task, d, n, 5)
			for _, included := range []bool{false, true} {
				if !longtest.More() && included != (d == chains.Forward) {
					continue
				}
				b := aCopy(right)
				if included {
					floats.AddConst(l.task.LogZ1, b.LogW)
				}
				what := fmt.Sprintf("%v, %s, log Z_1 included: %v", d, format, included)
				passes(t, what, checked(
					t,
					l,
					input(d, written(t, l, b, everything, format)),
					Options{LogZIncluded: included},
				))
				if format == "%.3f" {
					continue // not every bug shows in so few digits
				}
				out := checked(t, l, input(d, written(t, l, b, short, format)), Options{LogZIncluded: !included})
				want := "log Z_1 added to log w"
				if !included {
					want = "log Z_1 subtracted from log w"
				}
				names(t, what+", said the other way", out.Sides[0], want)
			}
			if format == "%.3f" {
				continue
			}
			out := checked(t, l, input(d, written(t, l, weightAfterMove(t, l, d, n), short, format)), Options{})
			names(t, format+", weight on the other side", out.Sides[0], "weight taken ")
		}
	}
}

// TestRoundedBeyondBins: right log weights with too few digits for bins pass, and a note says that
// hypotheses are not compared by them.
func TestRoundedBeyondBins(t *testing.T) {
	longtest.Only(t)
	l := lawsOfFile(t, []float64{0, 0.1, -0.07, 0.13, 0.02, -0.2, 0.05, 0.11, -0.03, 0.2, 0.17, -0.09}, nil, 12)
	for _, d := range directions {
		right := many(t, l.task, d, 2000, 5)
		out := checked(t, l, input(d, asText(t, l, right, short, "%.1f")), Options{})
		passes(t, d.String(), out)
		said := fmt.Sprintf("the %s log weights have too few digits to compare known mistakes; write all digits", d)
		if !slices.Contains(out.Untested, said) {
			t.Errorf("%v: not tested: %q", d, out.Untested)
		}
	}
}

// lawsOfFile returns the distributions of the task of a toy of 3x4 states with these log f, and an
// initial distribution if there is one.
func lawsOfFile(t *testing.T, g, initial []float64, T int) *Laws {
	t.Helper()
	dir := t.TempDir()
	write := func(name string, g []float64) string {
		var rows []string
		for row := range slices.Chunk(g, 4) {
			text := make([]string, len(row))
			for i, v := range row {
				text[i] = fmt.Sprint(v)
			}
			rows = append(rows, strings.Join(text, ","))
		}
		file := filepath.Join(dir, name)
		longtest.NoError(t, os.WriteFile(file, []byte(strings.Join(rows, "\n")+"\n"), 0o644))
		return "file:" + file
	}
	s := casetest.Selection([]int{T}, write("g.csv", g))
	s.Schedule = "power:2"
	if initial != nil {
		s.Initial = write("initial.csv", initial)
	}
	return NewLaws(taskOfSelection(t, s))
}

// TestConstants: constants of 10^4 and +-10^12 in log f take digits, give no false alarm, and bugs
// are named beside them.
func TestConstants(t *testing.T) {
	longtest.Only(t)
	g := smallLaws(t).task.Case.Toy.G
	for _, constant := range []float64{1e4, -1e12, 1e12} {
		if constant > 1e4 && !longtest.More() {
			continue
		}
		l := lawsOfFile(t, moved(g, constant), nil, 4)
		n := longtest.Times(3500, 5000)
		for _, d := range directions {
			what := fmt.Sprintf("%v, constant %g", d, constant)
			right := drawn(t, l.task, d, n, 6)
			if math.Abs(right.LogW[0]-constant) > 100 {
				t.Fatalf("%s: log w is %v", what, right.LogW[0])
			}
			out := checked(t, l, input(d, source(right, everything)), Options{})
			passes(t, what, out)
			if len(out.Untested) > 0 {
				t.Errorf("%s: not tested: %q", what, out.Untested)
			}
			out = checked(t, l, input(d, source(weightAfterMove(t, l, d, n), short)), Options{})
			names(t, what+": weight on the other side", out.Sides[0], "weight taken ")
			wrong := aCopy(right)
			wrong.LogW[3210] += 0.01
			out = checked(t, l, input(d, source(wrong, short)), Options{})
			findsAt(t, what+": a log weight off by 0.01", out, d.String()+" outcomes", "row 3211: ")
			// An increment that is wrong by less than the digits that are shown is told from the
			// right one all the same.
			wrong = aCopy(right)
			wrong.Increments[1][3210] += 0.01
			out = checked(t, l, input(d, source(wrong, everything)), Options{})
			findsAt(t, what+": an increment off by 0.01", out, d.String()+" increments",
				"row 3211: at stage t = 3 ")
			where := result(t, out, d.String()+" increments").Where
			if text := strings.Fields(strings.ReplaceAll(where, ",", "")); text[len(text)-3] ==
				text[len(text)-5] {
				t.Errorf("%s: %q shows the same number twice", what, where)
			}
		}
	}
}

// TestZeros: if f_T is zero, or f_1, or either, weights of zero and infinite ones are right and
// pass, on paths too; what happens to the weight after it is zero has no effect and is no fault,
// and one that is not zero if it should be is.
func TestZeros(t *testing.T) {
	longtest.Only(t)
	none := math.Inf(-1)
	g := []float64{0, 1, none, 2, 0.5, none, 1, -1, 0, 0.3, 0.7, none}
	start := []float64{none, 0, 0, 0, 1, 0, 0, none, 0, 0, 0.5, 0}
	for name, l := range map[string]*Laws{
		"f_T": lawsOfFile(t, g, nil, 4), "f_1": lawsOfFile(t, smallLaws(t).task.Case.Toy.G, start, 4),
		"both": lawsOfFile(t, g, start, 4)} {
		if !longtest.Enabled() && name != "both" || !longtest.More() && name == "f_1" {
			continue
		}
		for _, d := range directions {
			right := drawn(t, l.task, d, 5000, 7)
			infinite := floats.Count(func(v float64) bool { return math.IsInf(v, 0) }, right.LogW)
			// Forward chains come to a zero of f_T, reverse chains to one of f_1.
			if can := name == "both" || (name == "f_T") == (d == chains.Forward); can != (infinite > 100) {
				t.Fatalf("%s, %v: %d infinite weights", name, d, infinite)
			}
			out := checked(t, l, input(d, source(right, everything)), Options{})
			passes(t, name+", "+d.String(), out)
			if s := out.Sides[0]; len(s.Odds) == 0 || slices.IndexFunc(
				s.Odds,
				func(o hypotheses.Odds) bool { return o.Name == hypotheses.Specification },
			) < 0 {
				t.Errorf("%s, %v: no odds of the specification", name, d)
			}
			if infinite == 0 {
				continue
			}
			row := slices.IndexFunc(right.LogW, func(v float64) bool { return math.IsInf(v, 0) })
			wrong := aCopy(right)
			wrong.LogW[row] = 0.1
			out = checked(t, l, input(d, source(wrong, short)), Options{})
			findsAt(t, name+": a weight that should be infinite and is not", out, d.String()+" outcomes",
				fmt.Sprintf("row %d: ", row+1))
			out = checked(t, l, input(d, source(wrong, everything)), Options{})
			findsAt(t, name+": a sum that should be infinite and is not", out, d.String()+" increments",
				fmt.Sprintf("row %d: log w is 0.1, but the increments along its path sum to ", row+1))
		}
	}
}
