package columns

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains/number"
)

// mostLost is the relative error up to which a number has the promised digits, so that a row says
// nothing of them.
const mostLost = 1e-12

// boundedCells makes the cells of a column of numbers with bounds on their errors. No other place
// does so: tables, conditions, sweeps and figures read the cell.
func (f Field) boundedCells() Field {
	of := f.Of
	f.bounded = func(row any) number.Bounded { return of(row).(number.Bounded) }
	f.Of = func(row any) any { return boundedCell(of(row).(number.Bounded)) }
	return f
}

// boundedCell returns the cell of a number: nil if the number does not exist, and empty but for
// conditions if it has no right digit. If it has fewer digits than are promised, people see these
// alone.
func boundedCell(b number.Bounded) any {
	switch {
	case math.IsNaN(b.Value) || math.IsInf(b.Error, 1):
		return nil
	case b.Lost() <= mostLost:
		return b.Value
	case !b.Known():
		return Both{Range: b}
	}
	short, _ := strconv.ParseFloat(strconv.FormatFloat(b.Value, 'g', b.Digits(), 64), 64)
	return Both{b.Value, short, b}
}

// Absolute says that zero is a value like any other, such as of a log Z: a number that may be zero
// is shown as 0, and the note has its error.
func (f Field) Absolute() Field {
	of := f.Of
	f.Of = func(row any) any {
		cell := of(row)
		if both, is := cell.(Both); is && both.Range.Error >= math.Abs(both.Range.Value) {
			return Both{0.0, 0.0, both.Range}
		}
		return cell
	}
	return f
}

// LogRatio returns a difference of two log Z of the usual size, with a bound on its error from the
// rounding of each, which matters if the difference is nearly zero.
func LogRatio(v float64) number.Bounded { return number.UpTo(v, 0x1p-50*(1+math.Abs(v))) }

// Digits returns in words how many digits a number has, and "" if these are as many as promised.
func Digits(b number.Bounded) string {
	switch d := b.Digits(); {
	case math.IsNaN(b.Value) && b.Error == 0 || b.Lost() <= mostLost:
		return ""
	case d == 0:
		if most := math.Abs(b.Value) + b.Error; most <= math.MaxFloat64 {
			return "no digit (at most " + above(most) + ")"
		}
		return "no digit"
	case d == 1:
		return "about 1 digit"
	default:
		return fmt.Sprintf("about %d digits", d)
	}
}

// above writes a size with one digit that is not below it.
func above(size float64) string {
	text := fmt.Sprintf("%.1g", size)
	if shown, _ := strconv.ParseFloat(text, 64); shown < size {
		text = fmt.Sprintf("%.1g", size+math.Pow(10, math.Floor(number.Log10(size)))/2)
	}
	return text
}

// LostNote names the numbers of a row that rounding has left fewer digits than promised, as in
// "rounding leaves about 5 digits of J", and returns "" if there are none.
func LostNote(fields List, row any) string {
	var texts []string
	names := map[string][]string{}
	for _, f := range fields {
		b, is := f.Number(row)
		text := Digits(b)
		if !is || text == "" {
			continue
		}
		if !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
		names[text] = append(names[text], f.label())
	}
	for i, text := range texts {
		texts[i] = fmt.Sprintf("rounding leaves %s of %s", text, strings.Join(names[text], ", "))
	}
	return strings.Join(texts, "; ")
}

// label returns the name of the column, or its title if it has none.
func (f Field) label() string { return cmp.Or(f.Name, f.Title) }

// Number returns the number of a row with the bound on its error, and false if the column has no
// bounds.
func (f Field) Number(row any) (b number.Bounded, is bool) {
	if f.bounded == nil {
		return b, false
	}
	return f.bounded(row), true
}
