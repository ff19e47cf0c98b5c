package reports

import (
	"bytes"
	"errors"
	"image/png"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/exact/weights"
	"breadboard/experiments"
	"breadboard/experiments/ais"
	"breadboard/reports/figure"
	"breadboard/reports/table"
	"breadboard/toys"
)

// TestFailedRunsAreRows: a run that has failed is one row that says so, and one that has not has a row for each quantity.
func TestFailedRunsAreRows(t *testing.T) {
	toy, err := toys.Parse("easy")
	if err != nil {
		t.Fatal(err)
	}
	c := experiments.Case{Toy: toy, Params: experiments.Setting{T: 7}.Params()}
	out := AIS([]ais.Row{
		{Case: c, Chains: 10, Err: errors.New("the kernel is wrong")},
		{Case: c, Chains: 10, Quantities: []ais.Quantity{{Name: "B", Bias: 0.123456, Estimate: 1}, {Name: "J_plugin"}}},
	}, nil)
	for _, c := range out.Columns {
		if rough := c.Name == "standard_error" || c.Name == "bias" || c.Name == "z"; rough != (c.Digits == 2) {
			t.Errorf("column %s is written with %d digits", c.Name, c.Digits)
		}
	}
	if len(out.Rows) != 3 {
		t.Fatalf("%d rows: %v", len(out.Rows), out.Rows)
	}
	var text bytes.Buffer
	if err := out.Write(&text, table.Text); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(text.String(), "\n")
	for want, count := range map[string]int{"failed": 1, "J_plugin": 1, "0.12 ": 1, "0.1235": 0} {
		got := 0
		for _, line := range lines {
			if strings.Contains(line, want) {
				got++
			}
		}
		if got != count {
			t.Errorf("%d lines with %q, want %d:\n%s", got, want, count, text.String())
		}
	}
}

// TestResolution: a figure of one inch by a half has 200 by 100 points as a PNG.
func TestResolution(t *testing.T) {
	blank := figure.New("test", func(figure.Style) figure.Page {
		return figure.Page{Width: vg.Inch, Height: vg.Inch / 2, Draw: func(draw.Canvas) {}}
	})
	data, err := blank.Encode("png")
	if err != nil {
		t.Fatal(err)
	}
	image, err := png.Decode(bytes.NewReader(data))
	if err != nil || image.Bounds().Dx() != 200 || image.Bounds().Dy() != 100 {
		t.Errorf("%v, %v", image.Bounds(), err)
	}
}

// TestNumberAxes: an axis of one number is as wide as that number, one of numbers that differ by more than 1e-9 of it
// shows the difference, with room of a twenty-fifth on either side, and one of positive numbers that grow tenfold shows
// powers.
func TestNumberAxes(t *testing.T) {
	for _, c := range []struct {
		values   []float64
		low, top float64
		log      bool
	}{
		{[]float64{2, 2}, 1, 3, false},
		{[]float64{1, 1 + 2.4e-8}, 0.5, 1.5, false},
		{[]float64{1, 1 + 2.7e-8}, 1 - 0.04*2.7e-8, 1 + 1.04*2.7e-8, false},
		{[]float64{0, 10}, -0.4, 10.4, false},
		{[]float64{1, 9.9}, 1 - 0.04*8.9, 9.9 + 0.04*8.9, false},
		{[]float64{1, 10}, -0.04, 1.04, true},
		{[]float64{0, 0}, -1e-9, 1e-9, false},
	} {
		a := numberAxis("x", c.values)
		if off := 0.005 * (c.top - c.low); a.log != c.log || !(math.Abs(a.min-c.low) <= off && math.Abs(a.max-c.top) <= off) {
			t.Errorf("%v: from %v to %v, powers %v; want %v to %v", c.values, a.min, a.max, a.log, c.low, c.top)
		}
	}
}

// TestKnownDigits: a digit is known where it is worth at least as much as the bounds are apart, and none is beyond the
// fifteenth.
func TestKnownDigits(t *testing.T) {
	for _, c := range []struct {
		value, width float64
		want         int
	}{{0.38, 1.01e-3, 2}, {0.38, 0.99e-3, 3}, {9.9, 0.99, 1}, {9.9, 1.1, 0}, {1, 0, 15}, {-0.38, 0.99e-3, 3}, {0, 1, 0}} {
		if got := knownDigits(weights.Bracket{Low: c.value - c.width/4, Value: c.value, High: c.value + c.width*3/4}); got != c.want {
			t.Errorf("%v within %v: %d digits, want %d", c.value, c.width, got, c.want)
		}
	}
	for _, c := range []struct {
		b    weights.Bracket
		want string
	}{
		{weights.Bracket{Low: 0.123456, Value: 0.123456, High: 0.123456}, "0.12346"},
		{weights.Bracket{Low: 0.12, Value: 0.123456, High: 0.126}, "0.12"},
		{weights.Bracket{Low: 0, Value: 1e-7, High: 3.21e-5}, "< 3.3e-5"},
		{weights.Bracket{}, "0"},
	} {
		if got := probability(c.b, 5); got != c.want {
			t.Errorf("%v is written %q, want %q", c.b, got, c.want)
		}
	}
}
